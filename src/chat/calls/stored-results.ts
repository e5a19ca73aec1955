import { describeMedia, partText } from '#models/requests/result-content.ts';
import { isStorageTrouble, messageOf } from '#shared/errors/errors.ts';
import { say, type Sentence } from '#shared/errors/sentence.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { Origin } from '#shared/vocabulary/origin.ts';
import type { BlobFacts, BlobPort } from '#shared/vocabulary/ports.ts';
import {
  type BlobRef,
  type ContentPart,
  type ToolResult,
  withProblem,
} from '#shared/vocabulary/tool.ts';
import { headAndTail, shareOf } from '#tools/results/cut-text.ts';
import { textOf, withText } from '#tools/results/results.ts';

/** Whose bytes they are. */
type Owner = Pick<BlobFacts, 'owner' | 'topicId' | 'callId' | 'origins'>;

/** Where large content is stored, and what counts as large. */
export interface Keeper {
  blobs: BlobPort;
  limits: Pick<Limits, 'inlineMedia' | 'resultToModel'>;
}

/** Longer base64 does not stay inline. */
export function inlineLength({ inlineMedia }: Pick<Limits, 'inlineMedia'>): number {
  return Math.ceil((inlineMedia * 4) / 3);
}

const maxTexts = 16;
/** Beyond it, what else a result holds is a line of its text: so much is stored, shown and sent at once. */
const maxParts = 1000;
const jsonType = 'application/json';
const textType = 'text/plain';

/** Undefined where there is no room for it. The type is what the bytes are, whatever was declared. */
type Keep = (
  bytes: Uint8Array,
  mimeType: string,
) => Promise<{ mimeType: string; stored: BlobRef } | undefined>;

/** Keeps a result: what is large of it as blobs, and all of it with where its untrusted words are from. */
export async function storeResult(
  { origins: _, ...result }: ToolResult,
  keeper: Keeper,
  owner: Owner & { origins: Origin[] },
): Promise<ToolResult> {
  const { origins } = owner;
  const stored = await storeLarge(result, keeper, owner);
  return origins.length > 0 ? { ...stored, origins } : stored;
}

/**
 * Keeps what is large of a result as blobs, durably, and leaves previews in its place: head and tail
 * of texts, media without data. The same object if nothing is large. On a full disk the previews are
 * all that stays, and the result says so: the outcome of a call must not be lost with its bytes.
 */
export async function storeLarge(
  result: ToolResult,
  { blobs, limits }: Keeper,
  owner: Owner,
): Promise<ToolResult> {
  let problem: Sentence | undefined;
  const keep: Keep = async (bytes, mimeType) => {
    try {
      const { id, size, ...kept } = await blobs.keep(bytes, { ...owner, mimeType });
      return { mimeType: kept.mimeType, stored: { id, size } };
    } catch (error) {
      if (!isStorageTrouble(error)) throw error;
      problem = say('result-part-lost')`Part of this result couldn't be saved. ${messageOf(error)}`;
      return undefined;
    }
  };
  const made = await store(result, limits, keep);
  return problem === undefined ? made : withProblem(made, problem);
}

async function store(
  result: ToolResult,
  limits: Keeper['limits'],
  keep: Keep,
): Promise<ToolResult> {
  const { resultToModel } = limits;
  const parts = withFewTexts(withFewParts(result.content), resultToModel);
  const most = { share: shareOf(parts.map(textOf), resultToModel), inline: inlineLength(limits) };
  const content = await inOrder(parts, (part) => storePart(part, most, keep));
  const isSmaller = content.some((part, index) => part !== result.content[index]);
  const structured = JSON.stringify(result.structuredContent) as string | undefined;
  if (structured === undefined || Buffer.byteLength(structured) <= resultToModel)
    return isSmaller ? { ...result, content } : result;
  const { stored } = (await keep(Buffer.from(structured), jsonType)) ?? {};
  const { structuredContent: _, ...rest } = result;
  const whole = stored && { structuredStored: stored };
  if (content.length > 0) return { ...rest, content, ...whole };
  const text = headAndTail(structured, resultToModel);
  return { ...rest, content: [{ type: 'text', text, ...(stored && { stored }) }], ...whole };
}

/** The result as the tool gave it, with everything that is stored back in its place. */
export async function loadStored(
  result: ToolResult,
  blobs: BlobPort,
  owner: string,
): Promise<ToolResult> {
  const load = (ref: BlobRef): Promise<Buffer> => readBlob(blobs, owner, ref);
  const content = await inOrder(result.content, (part) => loadPart(part, load));
  const { structuredStored, ...rest } = { ...result, content };
  if (!structuredStored) return rest;
  const json = (await load(structuredStored)).toString();
  if (json === '') return rest;
  const structuredContent: unknown = JSON.parse(json);
  const only = result.content.length === 1 ? result.content[0] : undefined;
  const isPreview = only && 'stored' in only && only.stored?.id === structuredStored.id;
  return { ...rest, ...(isPreview && { content: [] }), structuredContent };
}

/** The bytes of one reference; empty where it is gone: with what it belonged to, a moment ago perhaps. */
export async function readBlob(blobs: BlobPort, owner: string, { id }: BlobRef): Promise<Buffer> {
  const blob = await blobs.find(owner, id);
  return blob ? blobs.read(blob) : Buffer.alloc(0);
}

/** Thousands of small texts that are large together are one text: each blob is a file of its own. */
function withFewTexts(content: ContentPart[], most: number): ContentPart[] {
  const texts = content.map(textOf);
  const share = shareOf(texts, most);
  if (share === undefined) return content;
  const large = texts.filter((text) => Buffer.byteLength(text) > share);
  if (large.length <= maxTexts) return content;
  const text = texts.filter((each) => each !== '').join('\n');
  return [{ type: 'text', text }, ...content.filter((part) => textOf(part) === '')];
}

/** Of very many parts all texts are one, with a line for whatever there is no room for. */
function withFewParts(content: ContentPart[]): ContentPart[] {
  if (content.length <= maxParts) return content;
  const others = content.filter((part) => textOf(part) === '');
  const lines = others.slice(maxParts - 1).map(partText);
  const texts = content.map(textOf).filter((text) => text !== '');
  const text = [...texts, ...lines].join('\n');
  return [{ type: 'text', text }, ...others.slice(0, maxParts - 1)];
}

async function storePart(
  part: ContentPart,
  { share, inline }: { share: number | undefined; inline: number },
  keep: Keep,
): Promise<ContentPart> {
  if (part.type === 'resource_link') return part;
  const text = textOf(part);
  if (share !== undefined && Buffer.byteLength(text) > share) {
    const type = part.type === 'resource' ? (part.resource.mimeType ?? textType) : textType;
    const kept = await keep(Buffer.from(text), type);
    const preview = withText(part, headAndTail(text, share));
    return kept ? { ...preview, stored: kept.stored } : preview;
  }
  if (part.type === 'image' || part.type === 'audio') {
    if (part.data.length <= inline) return part;
    const kept = await keep(Buffer.from(part.data, 'base64'), part.mimeType);
    return kept ? { ...part, ...kept, data: '' } : lostMedia(part.mimeType);
  }
  if (part.type !== 'resource' || (part.resource.blob?.length ?? 0) <= inline) return part;
  const { blob = '', mimeType = '' } = part.resource;
  const kept = await keep(Buffer.from(blob, 'base64'), mimeType);
  if (!kept) return lostMedia(mimeType);
  const resource = { ...part.resource, mimeType: kept.mimeType, blob: '' };
  return { ...part, resource, stored: kept.stored };
}

function lostMedia(mimeType: string): ContentPart {
  return { type: 'text', text: describeMedia(mimeType) };
}

async function loadPart(
  part: ContentPart,
  load: (ref: BlobRef) => Promise<Buffer>,
): Promise<ContentPart> {
  if (part.type === 'resource_link' || !part.stored) return part;
  const { stored, ...whole } = part;
  const bytes = await load(stored);
  if ('data' in whole) return { ...whole, data: bytes.toString('base64') };
  if ('text' in whole || whole.resource.text !== undefined)
    return withText(whole, bytes.toString());
  return { ...whole, resource: { ...whole.resource, blob: bytes.toString('base64') } };
}

/** One after the other: the parts of a result may be large, and the disk is one. */
async function inOrder<T>(parts: readonly T[], work: (part: T) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  for (const part of parts) done.push(await work(part));
  return done;
}
