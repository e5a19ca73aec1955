import { truncate } from '#shared/text/text.ts';
import type { Citation } from '#shared/vocabulary/block.ts';
import { isJsonObject, type JsonObject, parseJson } from '#shared/vocabulary/json.ts';
import type { ContentPart, ToolResult } from '#shared/vocabulary/tool.ts';

type Source = Omit<Citation, 'number'>;

const maxCitations = 100;
const maxNodes = 20_000;
const deepestList = 3;
const maxJsonBytes = 512 * 1024;

/**
 * The sources a result declares, whatever tool it is of: links, embedded pages, and lists of records
 * with a web address and a title in its structure or in text that is JSON. Each address once, at
 * most 100. Takes the whole result: previews of stored parts cannot be read.
 */
export function citationsOf(result: ToolResult): Source[] {
  if (result.isError) return [];
  const found: Collection = { sources: new Map(), nodes: 0 };
  for (const part of result.content) addPart(part, found);
  addLists(result.structuredContent, 0, found);
  for (const value of jsonTexts(result.content)) addLists(value, 0, found);
  return [...found.sources.values()];
}

interface Collection {
  sources: Map<string, Source>;
  /** How much was looked at. */
  nodes: number;
}

function isFull({ sources, nodes }: Collection): boolean {
  return sources.size >= maxCitations || nodes > maxNodes;
}

function add(source: Source, { sources }: Collection): void {
  const key = source.url ?? `title:${source.title}`;
  if (!sources.has(key) && sources.size < maxCitations) sources.set(key, source);
}

/** A link is a source wherever it leads; what is embedded is one if it is a page of the web. */
function addPart(part: ContentPart, found: Collection): void {
  if (part.type === 'resource_link') {
    const title = oneLine(part.title, maxTitleChars) || oneLine(part.name, maxTitleChars);
    const url = webAddress(part.uri);
    if (url || title) add(toSource(url, title, part.description), found);
  }
  if (part.type === 'resource') {
    const url = webAddress(part.resource.uri);
    if (url) add(toSource(url, '', part.resource.text), found);
  }
}

function addLists(value: unknown, depth: number, found: Collection): void {
  if (typeof value !== 'object' || value === null || depth > deepestList) return;
  const isList = Array.isArray(value);
  for (const inner of isList ? value : Object.values(value)) {
    if (isFull(found)) return;
    found.nodes += 1;
    const source = isList && isJsonObject(inner) ? readRecord(inner) : undefined;
    // What belongs to a source, such as its authors and labels, is none of its own.
    if (source) add(source, found);
    else addLists(inner, depth + 1, found);
  }
}

/** Where an item has several addresses, the one made for people comes first. */
const addressKeys = [
  'html_url',
  'htmlUrl',
  'web_url',
  'webUrl',
  'page_url',
  'pageUrl',
  'source_url',
  'sourceUrl',
  'permalink',
  'link',
  'url',
  'href',
  'uri',
];
const titleKeys = ['title', 'name', 'headline', 'page_title', 'pageTitle', 'subject'];
const snippetKeys = ['snippet', 'description', 'excerpt', 'summary', 'content', 'text', 'body'];

function readRecord(record: JsonObject): Source | undefined {
  const url = firstOf(record, addressKeys, webAddress);
  if (url === '') return undefined;
  const title = firstOf(record, titleKeys, (value) => oneLine(value, maxTitleChars));
  if (title === '') return undefined;
  return toSource(
    url,
    title,
    firstOf(record, snippetKeys, (value) => oneLine(value, maxSnippetChars)),
  );
}

function firstOf(record: JsonObject, keys: string[], read: (value: unknown) => string): string {
  for (const key of keys) {
    const value = Object.hasOwn(record, key) ? read(record[key]) : '';
    if (value !== '') return value;
  }
  return '';
}

/** Many servers put their structure into text only. */
function jsonTexts(content: ContentPart[]): unknown[] {
  let left = maxJsonBytes;
  return content.flatMap((part) => {
    if (part.type !== 'text' || !/^\s*[[{]/.test(part.text.slice(0, 100))) return [];
    const size = Buffer.byteLength(part.text);
    if (size > left) return [];
    left -= size;
    const value = parseJson(part.text);
    // Prose may begin with a bracket.
    return value === undefined ? [] : [value];
  });
}

const maxTitleChars = 300;
const maxSnippetChars = 500;

function toSource(url: string, title: string, snippet: unknown): Source {
  const said = oneLine(snippet, maxSnippetChars);
  return {
    ...(url !== '' && { url }),
    ...(title !== '' && { title }),
    ...(said !== '' && { snippet: said }),
  };
}

/** Sources are listed a line each, to the model too: none may pretend to be two. */
function oneLine(value: unknown, most: number): string {
  if (typeof value !== 'string') return '';
  return truncate(
    value
      .slice(0, 4 * most)
      .replaceAll(/\s+/g, ' ')
      .trim(),
    most,
  );
}

/** Only what a browser may open safely becomes an address. */
function webAddress(value: unknown): string {
  if (typeof value !== 'string' || value.length > 4096 || !/^https?:\/\//i.test(value)) return '';
  return URL.parse(value)?.href ?? '';
}
