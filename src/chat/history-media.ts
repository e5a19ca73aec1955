import { describeMedia, mediaOf } from '#models/result-content.ts';
import type { MediaBlock } from '#shared/block.ts';
import { limits } from '#shared/limits.ts';
import type { ModelCapabilities, ModelPart } from '#shared/model.ts';
import type { ContentPart, ToolResult } from '#shared/tool.ts';
import { limitForModel } from '#tools/results.ts';

const unknownType = 'application/octet-stream';

/** What a user attached, where the model takes it; else a line that says what it is. */
export function mediaPart(block: MediaBlock, capabilities?: ModelCapabilities): ModelPart {
  const { mimeType = unknownType, data, name } = block;
  if (data && takes(mimeType, capabilities))
    return { type: 'file', mimeType, data, ...(name !== undefined && { name }) };
  return { type: 'text', text: describeMedia(mimeType, name) };
}

/** An image of an answer: a line where it stood, and the image itself as input for later. */
export function imageTurnedInput(
  block: MediaBlock,
  capabilities?: ModelCapabilities,
): { placeholder: ModelPart; input: ModelPart[] } {
  const { mimeType = 'image/png', name } = block;
  const placeholder: ModelPart = { type: 'text', text: describeMedia(mimeType, name) };
  const image = mediaPart({ ...block, mimeType }, capabilities);
  if (image.type !== 'file') return { placeholder, input: [] };
  return { placeholder, input: [{ type: 'text', text: 'The image you made:' }, image] };
}

interface Fitted {
  capabilities: ModelCapabilities | undefined;
  result: ToolResult;
}

/** Results never change, and each is asked for again in every later round. */
const fitted = new WeakMap<ToolResult, Fitted>();

/** A result as the model can take it: within bounds, never empty, media only where it takes them. */
export function resultFor(result: ToolResult, capabilities?: ModelCapabilities): ToolResult {
  const known = fitted.get(result);
  if (known && known.capabilities === capabilities) return known.result;
  const made = fitResult(result, capabilities);
  fitted.set(result, { capabilities, result: made });
  return made;
}

function fitResult(result: ToolResult, capabilities?: ModelCapabilities): ToolResult {
  const limited = limitForModel(result, resultLimit(capabilities));
  const content = limited.content
    .map((part) => describeUntaken(part, capabilities))
    .filter((part) => part.type !== 'text' || part.text.trim() !== '');
  if (content.length > 0 || limited.structuredContent !== undefined) return { ...limited, content };
  const text = limited.isError
    ? 'The tool failed without saying why.'
    : 'The tool returned nothing.';
  return { ...limited, content: [{ type: 'text', text }] };
}

/** A quarter of a small context, at four bytes a token: as many bytes as it has tokens. */
function resultLimit(capabilities?: ModelCapabilities): number {
  const { contextTokens } = capabilities ?? {};
  if (contextTokens === undefined) return limits.resultToModel;
  return Math.min(limits.resultToModel, Math.max(1024, contextTokens));
}

function describeUntaken(part: ContentPart, capabilities?: ModelCapabilities): ContentPart {
  const media = mediaOf(part);
  if (media)
    return media.data !== '' && takes(media.mimeType, capabilities)
      ? part
      : { type: 'text', text: describeMedia(media.mimeType || unknownType) };
  if (part.type !== 'resource' || part.resource.text !== undefined) return part;
  const { mimeType = unknownType, uri } = part.resource;
  return { type: 'text', text: describeMedia(mimeType, uri) };
}

/** What no model takes (archives, unknown types) is never sent, whatever is known of the model. */
function takes(mimeType: string, capabilities?: ModelCapabilities): boolean {
  if (mimeType.startsWith('image/')) return capabilities?.imagesIn ?? true;
  if (mimeType.startsWith('audio/')) return capabilities?.audioIn ?? true;
  return mimeType === 'application/pdf' && (capabilities?.filesIn ?? true);
}
