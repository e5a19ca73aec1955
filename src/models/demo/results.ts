import { isJsonObject, type Json, type JsonObject } from '#shared/vocabulary/json.ts';
import type { ToolResult } from '#shared/vocabulary/tool.ts';

type Result = ToolResult | undefined;

/** A value as text; nothing for what is no plain value. */
export function stringOf(value: Json | undefined): string {
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
}

/** All text of a result. */
export function textOf(result: Result): string {
  const texts = (result?.content ?? []).map((part) =>
    part.type === 'text' ? part.text : part.type === 'resource' ? part.resource.text : '',
  );
  return texts.filter(Boolean).join('\n').trim();
}

/** The data of a result: its structured content, else its text where that is JSON. */
export function dataOf(result: Result): Json | undefined {
  if (result?.structuredContent !== undefined) return result.structuredContent as Json;
  const text = textOf(result);
  return /^[[{]/.test(text) ? parseJson(text) : undefined;
}

/** The value of JSON; undefined for any other text. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** The first text or number under one of these keys, at the top of a result's data. */
export function fieldOf(result: Result, ...keys: string[]): string | undefined {
  const data = dataOf(result);
  const values = isJsonObject(data) ? keys.map((key) => data[key]) : [];
  return values.find((value) => typeof value === 'string' || typeof value === 'number')?.toString();
}

/** The first list of objects in a result's data. */
export function itemsOf(result: Result): JsonObject[] {
  const data = dataOf(result);
  const lists = isJsonObject(data) ? Object.values(data) : [data];
  const list = lists.find((value) => Array.isArray(value) && value.some(isJsonObject));
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** The entries of a listing, from its data or from lines such as `[FILE] name (12 bytes)`. */
export function entriesOf(result: Result): { name: string; isFolder: boolean; size?: number }[] {
  if (!result || result.isError) return [];
  const items = itemsOf(result).flatMap(({ name, path, type, isDirectory, size }) => {
    const isFolder = /dir|folder/i.test(stringOf(type)) || isDirectory === true;
    const entry = { name: stringOf(name ?? path), isFolder };
    return [typeof size === 'number' && !isFolder ? { ...entry, size } : entry];
  });
  const named = items.filter(({ name }) => name !== '');
  return named.length > 0 ? named : textOf(result).split('\n').flatMap(readLine);
}

function readLine(line: string): ReturnType<typeof entriesOf> {
  const [, mark, name = '', slash, size] =
    /^\s*(?:[-*•]\s*)?(?:\[(FILE|DIR\w*|FOLDER)\]\s*)?(.*?)(\/)?(?:\s*\(([\d,]+) ?b\w*\))?\s*$/i.exec(
      line,
    ) ?? [];
  if (name === '' || (mark === undefined && /\s\S+\s/.test(name))) return [];
  const isFolder = slash !== undefined || /^(?:DIR|FOLDER)/i.test(mark ?? '');
  return [{ name, isFolder, ...(size && !isFolder && { size: Number(size.replaceAll(',', '')) }) }];
}

/** The size in bytes that a file's description tells, as data or as a line `size: 12`. */
export function sizeOf(result: Result): number | undefined {
  const [, told] = /\bsize\s*[:=]\s*([\d,]+)/i.exec(textOf(result)) ?? [];
  const size = Number((fieldOf(result, 'size', 'bytes') ?? told)?.replaceAll(',', ''));
  return Number.isNaN(size) ? undefined : size;
}
