import type { ContentPart, ToolResult } from '#shared/vocabulary/tool.ts';
import { headAndTail, shareOf } from './cut-text.ts';

/**
 * A result a model can take: of text over the limit the head and the tail stay, with a line between
 * them that says how much is missing; a problem is said in words. Media pass. The same object if
 * there is nothing to change.
 */
export function limitForModel(result: ToolResult, maxBytes: number): ToolResult {
  if (result.problem !== undefined) return limitForModel(withProblemText(result), maxBytes);
  const structured = JSON.stringify(result.structuredContent) as string | undefined;
  if (structured !== undefined && Buffer.byteLength(structured) > maxBytes) {
    return limitForModel(withoutStructure(result, structured), maxBytes);
  }
  const share = shareOf(result.content.map(textOf), maxBytes);
  if (share === undefined) return result;
  return {
    ...result,
    content: result.content.map((part) => withText(part, headAndTail(textOf(part), share))),
  };
}

/** The whole result as text, for models that take nothing else: media become `[Image: mime]`. */
export function flattenContent(output: ToolResult | readonly ContentPart[]): string {
  const result: ToolResult = 'content' in output ? output : { content: [...output] };
  const text = result.content.map(flattenPart).join('\n');
  if (text !== '' || result.structuredContent === undefined) return text;
  return JSON.stringify(result.structuredContent);
}

/** By the specification the text says the same; where there is none, the JSON takes its place. */
function withoutStructure({ structuredContent: _, ...rest }: ToolResult, json: string): ToolResult {
  return rest.content.length > 0 ? rest : { ...rest, content: [{ type: 'text', text: json }] };
}

function withProblemText({ problem, problemSaid: _, ...rest }: ToolResult): ToolResult {
  return withNote(rest, `Warning: ${problem}`);
}

/** A result with a line of ours after what the tool said, which stays in the words it was. */
export function withNote(result: ToolResult, text: string): ToolResult {
  const json = JSON.stringify(result.structuredContent) as string | undefined;
  const { content } = json === undefined ? result : withoutStructure(result, json);
  return { ...result, content: [...content, { type: 'text', text }] };
}

/** The text that a part holds; empty for media and links. */
export function textOf(part: ContentPart): string {
  if (part.type === 'text') return part.text;
  return part.type === 'resource' ? (part.resource.text ?? '') : '';
}

/** A part that holds text, with another one. */
export function withText<T extends ContentPart>(part: T, text: string): T {
  if (part.type === 'text') return { ...part, text };
  if (part.type !== 'resource' || part.resource.text === undefined) return part;
  return { ...part, resource: { ...part.resource, text } };
}

function flattenPart(part: ContentPart): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'image':
      return `[Image: ${part.mimeType}]`;
    case 'audio':
      return `[Audio: ${part.mimeType}]`;
    case 'resource_link':
      return `[Link: ${part.title ?? part.name} ${part.uri}]`;
    case 'resource': {
      const { text, uri, mimeType } = part.resource;
      return text ?? `[Resource: ${mimeType ?? 'unknown type'} ${uri}]`;
    }
  }
}
