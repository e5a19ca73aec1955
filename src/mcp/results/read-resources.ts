import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import type { ListKind } from './pages.ts';
import {
  type Note,
  readAnswer,
  readCacheHints,
  readIcons,
  readList,
  readMeta,
  readName,
  readText,
} from './read-json.ts';
import { assertBounds } from './read-result.ts';
import type {
  DocumentAnnotations,
  McpResource,
  McpResourceTemplate,
  Read,
  ResourceContents,
} from './types.ts';

const longest = { address: 8192, name: 1000, description: 64 * 1024, mimeType: 255 };

/** The resources of a server. */
export const resourceList: ListKind<McpResource> = {
  method: 'resources/list',
  field: 'resources',
  key: ({ uri }) => uri,
  read(entry, note) {
    const uri = isJsonObject(entry) ? readName(entry.uri, longest.address) : undefined;
    if (!isJsonObject(entry) || uri === undefined) {
      note('A resource without a usable address was left out.');
      return undefined;
    }
    const { size } = entry;
    const known = typeof size === 'number' && size >= 0;
    return { uri, ...readDocument(entry, uri), ...(known && { size }) };
  },
};

/** The patterns of addresses a server can read. */
export const resourceTemplateList: ListKind<McpResourceTemplate> = {
  method: 'resources/templates/list',
  field: 'resourceTemplates',
  key: ({ uriTemplate }) => uriTemplate,
  read(entry, note) {
    const uriTemplate = isJsonObject(entry)
      ? readName(entry.uriTemplate, longest.address)
      : undefined;
    if (!isJsonObject(entry) || uriTemplate === undefined) {
      note('A resource template without a usable address was left out.');
      return undefined;
    }
    return { uriTemplate, ...readDocument(entry, uriTemplate) };
  },
};

/** The answer to `resources/read`. Throws CeriseError where it is none. */
export function readContents(answer: unknown, most: number, note: Note): Read<ResourceContents[]> {
  const result = readAnswer(answer, 'resources/read');
  assertBounds(result, most);
  const entries = readList(result, 'contents', 'resources/read');
  const value = entries.flatMap((entry) => readDocumentContents(entry, note));
  return { value, ...readCacheHints(result) };
}

function readDocumentContents(entry: unknown, note: Note): ResourceContents[] {
  if (isJsonObject(entry) && typeof entry.uri === 'string') {
    const { uri, mimeType, text, blob } = entry;
    const meta = readMeta(entry._meta);
    const rest = {
      ...(typeof mimeType === 'string' && { mimeType: mimeType.slice(0, longest.mimeType) }),
      ...(meta && { meta }),
    };
    if (typeof text === 'string') return [{ uri, text, ...rest }];
    if (typeof blob === 'string') return [{ uri, blob, ...rest }];
  }
  note('A part of a resource with neither text nor data was left out.');
  return [];
}

function readDocument(entry: JsonObject, address: string) {
  const title = readText(entry.title, longest.name);
  const description = readText(entry.description, longest.description);
  const mimeType = readText(entry.mimeType, longest.mimeType);
  const icons = readIcons(entry.icons);
  const annotations = readAnnotations(entry.annotations);
  const meta = readMeta(entry._meta);
  return {
    name: readText(entry.name, longest.name) || address,
    ...(title && { title }),
    ...(description && { description }),
    ...(mimeType && { mimeType }),
    ...(icons && { icons }),
    ...(annotations && { annotations }),
    ...(meta && { meta }),
  };
}

function readAnnotations(value: unknown): DocumentAnnotations | undefined {
  if (!isJsonObject(value)) return undefined;
  const { audience, priority, lastModified } = value;
  const known = Array.isArray(audience)
    ? (['user', 'assistant'] as const).filter((role) => audience.includes(role))
    : [];
  return {
    ...(known.length > 0 && { audience: known }),
    ...(typeof priority === 'number' && { priority: Math.min(1, Math.max(0, priority)) }),
    ...(typeof lastModified === 'string' && { lastModified: lastModified.slice(0, 100) }),
  };
}
