import type { Citation } from '#shared/block.ts';
import { isJsonObject, type JsonObject } from '#shared/json.ts';
import { limits } from '#shared/limits.ts';
import { truncate } from '#shared/text.ts';
import type { ContentPart, ToolResult } from '#shared/tool.ts';

const mostCitations = 100;

/**
 * A result a model can take: of text over the limit the head and the tail stay, with a line between
 * them that says how much is missing; a problem is said in words. Media pass. The same object if
 * there is nothing to change.
 */
export function limitForModel(
  result: ToolResult,
  maxBytes: number = limits.resultToModel,
): ToolResult {
  if (result.problem !== undefined) return limitForModel(withProblemSaid(result), maxBytes);
  const structured = JSON.stringify(result.structuredContent) as string | undefined;
  if (structured !== undefined && Buffer.byteLength(structured) > maxBytes) {
    return limitForModel(withoutStructure(result, structured), maxBytes);
  }
  const share = shareOf(result.content.map(textOf), maxBytes);
  if (share === undefined) return result;
  return { ...result, content: result.content.map((part) => shorten(part, share)) };
}

/** The whole result as text, for models that take nothing else: media become `[Image: mime]`. */
export function flattenContent(result: ToolResult): string {
  const text = result.content.map(flattenPart).join('\n');
  if (text !== '' || result.structuredContent === undefined) return text;
  return JSON.stringify(result.structuredContent);
}

/** The sources a result declares: resource links, and lists of things with a `url`. */
export function citationsOf(result: ToolResult): Omit<Citation, 'number'>[] {
  if (result.isError) return [];
  const structured = isJsonObject(result.structuredContent) ? result.structuredContent : {};
  const lists = [structured.results, structured.citations, structured.sources];
  const found = [
    ...result.content.flatMap(linkCitation),
    ...lists.flatMap((list) => (Array.isArray(list) ? list.flatMap(itemCitation) : [])),
  ];
  const seen = new Set<string>();
  const fresh = found.filter((citation) => {
    const key = citation.url ?? `title:${citation.title}`;
    return !seen.has(key) && seen.add(key);
  });
  return fresh.slice(0, mostCitations);
}

/** By the specification the text says the same; where there is none, the JSON takes its place. */
function withoutStructure({ structuredContent: _, ...rest }: ToolResult, json: string): ToolResult {
  return rest.content.length > 0 ? rest : { ...rest, content: [{ type: 'text', text: json }] };
}

function withProblemSaid({ problem, ...rest }: ToolResult): ToolResult {
  const json = JSON.stringify(rest.structuredContent) as string | undefined;
  const { content } = json === undefined ? rest : withoutStructure(rest, json);
  return { ...rest, content: [...content, { type: 'text', text: `Warning: ${problem}` }] };
}

function textOf(part: ContentPart): string {
  if (part.type === 'text') return part.text;
  return part.type === 'resource' ? (part.resource.text ?? '') : '';
}

/** The most bytes one text may keep so that all fit; undefined if all fit as they are. */
function shareOf(texts: string[], maxBytes: number): number | undefined {
  const sizes = texts.map((text) => Buffer.byteLength(text)).toSorted((a, b) => a - b);
  if (sizes.reduce((sum, size) => sum + size, 0) <= maxBytes) return undefined;
  let left = maxBytes;
  for (const [index, size] of sizes.entries()) {
    const share = Math.floor(left / (sizes.length - index));
    if (size > share) return share;
    left -= size;
  }
  return undefined;
}

function shorten(part: ContentPart, share: number): ContentPart {
  if (part.type === 'text') return { ...part, text: headAndTail(part.text, share) };
  if (part.type !== 'resource' || part.resource.text === undefined) return part;
  return { ...part, resource: { ...part.resource, text: headAndTail(part.resource.text, share) } };
}

function headAndTail(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  const headEnd = wholeCharacter(bytes, Math.floor((maxBytes * 2) / 3), -1);
  const tailStart = wholeCharacter(bytes, bytes.length - Math.floor(maxBytes / 3), 1);
  const head = bytes.toString('utf8', 0, headEnd);
  const tail = bytes.toString('utf8', tailStart);
  const missing = text.length - head.length - tail.length;
  return `${head}\n[… ${missing} characters left out …]\n${tail}`;
}

/** The nearest place in that direction where no character is cut. */
function wholeCharacter(bytes: Buffer, at: number, step: 1 | -1): number {
  let place = at;
  while (place > 0 && place < bytes.length && ((bytes[place] ?? 0) & 0xc0) === 0x80) place += step;
  return place;
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

function linkCitation(part: ContentPart): Omit<Citation, 'number'>[] {
  if (part.type !== 'resource_link') return [];
  return [toCitation(part.uri, part.title ?? part.name, part.description)];
}

function itemCitation(item: unknown): Omit<Citation, 'number'>[] {
  if (!isJsonObject(item) || typeof item.url !== 'string' || !isWebAddress(item.url)) return [];
  return [toCitation(item.url, textAt(item, 'title', 'name'), textAt(item, ...snippetKeys))];
}

const snippetKeys = ['snippet', 'description', 'content', 'text'];

function textAt(item: JsonObject, ...keys: string[]): string | undefined {
  return keys.map((key) => item[key]).find((value) => typeof value === 'string');
}

function toCitation(url: string, title?: string, snippet?: string): Omit<Citation, 'number'> {
  return {
    ...(isWebAddress(url) && { url }),
    ...(title && { title: truncate(title, 300) }),
    ...(snippet && { snippet: truncate(snippet, 500) }),
  };
}

/** Only what a browser may open safely becomes an address. */
function isWebAddress(url: string): boolean {
  return url.length <= 4096 && /^https?:$/.test(URL.parse(url)?.protocol ?? '');
}
