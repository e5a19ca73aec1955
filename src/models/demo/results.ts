import { isJsonObject, type Json, type JsonObject, parseJson } from '#shared/vocabulary/json.ts';
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

/** The first text or number under one of these keys, at the top of a result's data. */
export function fieldOf(result: Result, keys: string): string | undefined {
  const data = dataOf(result);
  const values = isJsonObject(data) ? keys.split(' ').map((key) => data[key]) : [];
  return values.map(stringOf).find(Boolean);
}

/** The first list of objects in a result's data. */
export function itemsOf(result: Result): JsonObject[] {
  const data = dataOf(result);
  const lists = isJsonObject(data) ? Object.values(data) : [data];
  const list = lists.find((value) => Array.isArray(value) && value.some(isJsonObject));
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

const listed =
  /^\s*(?:[-*•]\s*)?(?:\[(FILE|DIR\w*|FOLDER)\]\s*)?(.*?)(\/)?(?:\s*\(([\d,]+) ?b\w*\))?\s*$/i;

/** The entries of a listing, from lines such as `[FILE] name (12 bytes)`. */
export function entriesOf(result: Result): { name: string; isFolder: boolean; size?: number }[] {
  const lines = result?.isError ? [] : textOf(result).split('\n');
  return lines.flatMap((line) => {
    const [, mark, name = '', slash, size] = listed.exec(line.slice(0, 400)) ?? [];
    if (name === '' || (mark === undefined && /\s\S+\s/.test(name))) return [];
    const isFolder = slash !== undefined || /^(?:DIR|FOLDER)/i.test(mark ?? '');
    return [{ name, isFolder, ...(size && { size: Number(size.replaceAll(',', '')) }) }];
  });
}
