import { describeMedia, mediaOf } from '#models/requests/result-content.ts';
import { findGap } from '#shared/text/text-gap.ts';
import type { Block, Citation, MediaBlock } from '#shared/vocabulary/block.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import { isTextType, takesMedium } from '#shared/vocabulary/media-input.ts';
import type { ModelCapabilities, ModelPart } from '#shared/vocabulary/model.ts';
import type { ContentPart, ToolResult } from '#shared/vocabulary/tool.ts';
import { limitForModel, textOf, withNote } from '#tools/results/results.ts';
import { readMoreId, readMoreNote } from '../calls/read-more-note.ts';

const unknownType = 'application/octet-stream';

/** What a user attached, where the model takes it; else a line that says what it is. */
export function mediaPart(block: MediaBlock, capabilities?: ModelCapabilities): ModelPart {
  const { mimeType = unknownType, data = '', stored, name } = block;
  const taken = takesMedium(mimeType, capabilities) && (data !== '' || stored !== undefined);
  if (taken || (stored && isTextType(mimeType)))
    return {
      type: 'file',
      mimeType,
      data,
      ...(stored && { stored }),
      ...(name !== undefined && { name }),
    };
  return { type: 'text', text: describeMedia(mimeType, name) };
}

/** A medium of an answer: a line where it stood, and the medium itself as input for later. */
export function mediaTurnedInput(
  block: MediaBlock,
  capabilities?: ModelCapabilities,
): { placeholder: ModelPart; input: ModelPart[] } {
  const { mimeType = block.type === 'image' ? 'image/png' : unknownType, name } = block;
  const placeholder: ModelPart = { type: 'text', text: describeMedia(mimeType, name) };
  const image = mediaPart({ ...block, mimeType }, capabilities);
  if (image.type !== 'file') return { placeholder, input: [] };
  return { placeholder, input: [{ type: 'text', text: 'The image you made:' }, image] };
}

/** A call as its result goes to the model: with the sources that it gave, under their numbers. */
export interface ResultOfCall {
  toolCallId: string;
  result: ToolResult;
  citations: Citation[];
}

interface Fitted {
  capabilities: ModelCapabilities | undefined;
  result: ToolResult;
  /** The model is told how to read the rest. */
  inPart: boolean;
}

/** Results never change, and each is asked for again in every later round. */
const fitted = new WeakMap<ToolResult, Fitted>();

/**
 * A result as the model can take it: within bounds, with a note where more can be read, never empty,
 * media only where it takes them (those that are stored still without their data).
 */
export function resultFor(call: ResultOfCall, target: HistoryTarget): ToolResult {
  const { capabilities } = target;
  const cached = fitted.get(call.result);
  if (cached && cached.capabilities === capabilities) return cached.result;
  const made = fitResult(call, target);
  const inPart = made.content.some((part) => findGap(textOf(part)));
  fitted.set(call.result, { capabilities, result: made, inPart });
  return made;
}

/** Whether a model was last given only a part of what this block holds, and may read more. */
export function isCutForModel(block: Block, { resultToModel }: HistoryTarget['limits']): boolean {
  if (block.type === 'tool') return !!block.result && !!fitted.get(block.result)?.inPart;
  if (block.type !== 'file' || !isTextType(block.mimeType ?? '')) return false;
  return (block.stored?.size ?? 0) > resultToModel;
}

function fitResult(
  call: ResultOfCall,
  { capabilities, limits, withoutReadMore }: HistoryTarget,
): ToolResult {
  const result = withSources(call.result, call.citations);
  const { structuredStored: _, ...limited } = limitForModel(
    result,
    resultLimit(limits.resultToModel, capabilities),
  );
  let media = 0;
  const isTaken = (mimeType: string) =>
    takesMedium(mimeType, capabilities) && (media += 1) <= limits.mediaPerResult;
  const content = limited.content
    .map((part) => describeUntaken(part, isTaken))
    .flatMap((part, index) =>
      withoutReadMore ? part : [part, ...noteOf(part, readMoreId(call.toolCallId, index))],
    )
    .filter((part) => !isBlank(part));
  if (content.length > 0 || limited.structuredContent !== undefined) return { ...limited, content };
  const text = limited.isError
    ? 'The tool failed without giving a reason.'
    : 'The tool returned nothing.';
  return { ...limited, content: [{ type: 'text', text }] };
}

/** A text or a resource in words that has none. */
function isBlank(part: ContentPart): boolean {
  if (part.type === 'resource' && part.resource.text === undefined) return false;
  return (part.type === 'text' || part.type === 'resource') && textOf(part).trim() === '';
}

function noteOf(part: ContentPart, id: string): ContentPart[] {
  const note = readMoreNote(id, textOf(part));
  return note === undefined ? [] : [{ type: 'text', text: note }];
}

/** Numbers run through the whole answer, so the tool itself cannot know them. */
function withSources(result: ToolResult, citations: Citation[]): ToolResult {
  if (citations.length === 0) return result;
  const lines = citations.map(({ number, url, title }) => `[${number}] ${url ?? title ?? ''}`);
  return withNote(result, `Cite these sources by their numbers:\n${lines.join('\n')}`);
}

/** A quarter of a small context, at four bytes a token: as many bytes as it has tokens. */
function resultLimit(most: number, capabilities?: ModelCapabilities): number {
  const { contextTokens } = capabilities ?? {};
  if (contextTokens === undefined) return most;
  return Math.min(most, Math.max(1024, contextTokens));
}

function describeUntaken(part: ContentPart, isTaken: (mimeType: string) => boolean): ContentPart {
  const media = mediaOf(part);
  if (media)
    return (media.data !== '' || isStored(part)) && isTaken(media.mimeType)
      ? part
      : { type: 'text', text: describeMedia(media.mimeType || unknownType) };
  if (part.type !== 'resource' || part.resource.text !== undefined) return part;
  const { mimeType = unknownType, uri } = part.resource;
  return { type: 'text', text: describeMedia(mimeType, uri) };
}

function isStored(part: ContentPart): boolean {
  return part.type !== 'resource_link' && part.stored !== undefined;
}

/** The model a history is made for. */
export interface HistoryTarget {
  /** `provider/model`: signatures go back only to the one that made them. */
  model: string;
  /** Absent: not known, so media are given as they are. */
  capabilities?: ModelCapabilities;
  limits: Pick<Limits, 'resultToModel' | 'mediaPerResult'>;
  /** The model has no tool to read what was left out of a result. */
  withoutReadMore?: boolean;
}
