import type { ContentPart, ToolResult } from '#shared/vocabulary/tool.ts';
import { headAndTail, shareOf } from './cut-text.ts';

/**
 * A result a model can take: of text over the limit the head and the tail stay, with a line between
 * them that says how much is missing, and of links as many as fit; a problem is said in words. Media
 * pass. The same object if there is nothing to change.
 */
export function limitForModel(result: ToolResult, maxBytes: number): ToolResult {
  if (result.problem !== undefined) return limitForModel(withProblemText(result), maxBytes);
  const structured = JSON.stringify(result.structuredContent) as string | undefined;
  if (structured !== undefined && Buffer.byteLength(structured) > maxBytes) {
    return limitForModel(withoutStructure(result, structured), maxBytes);
  }
  const content = withFewLinks(result.content, maxBytes);
  const share = shareOf(content.map(textOf), maxBytes);
  if (share === undefined) return content === result.content ? result : { ...result, content };
  return {
    ...result,
    content: content.map((part) => withText(part, headAndTail(textOf(part), share))),
  };
}

/** Links are text to a model, too: as many as there is room for, and how many are missing. Each part keeps its place. */
function withFewLinks(content: ContentPart[], maxBytes: number): ContentPart[] {
  let room = maxBytes;
  let missing = 0;
  const fitting = content.map((part): ContentPart => {
    room -= Buffer.byteLength(linkOf(part));
    if (room >= 0 || linkOf(part) === '') return part;
    missing += 1;
    return { type: 'text', text: '' };
  });
  if (missing === 0) return content;
  return [...fitting, { type: 'text', text: `[… ${missing} links left out …]` }];
}

/** Where a part leads, in all the words that it has for that; empty for one that holds what it is. */
function linkOf(part: ContentPart): string {
  if (part.type === 'resource') return part.resource.text === undefined ? part.resource.uri : '';
  if (part.type !== 'resource_link') return '';
  const { uri, name, title = '', description = '' } = part;
  return [uri, name, title, description].join(' ');
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
