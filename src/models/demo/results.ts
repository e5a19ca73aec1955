import { isJsonObject, type Json, type JsonObject } from '#shared/vocabulary/json.ts';
import type { ToolResult } from '#shared/vocabulary/tool.ts';

/** A file or folder of a listing; its size in bytes. */
export interface Entry {
  name: string;
  isFolder: boolean;
  size: number | undefined;
}

/** A value as text; nothing for what is no plain value. */
export function stringOf(value: Json | undefined): string {
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
}

/** All text of a result. */
export function textOf(result: ToolResult | undefined): string {
  const texts = (result?.content ?? []).map((part) => {
    if (part.type === 'text') return part.text;
    return part.type === 'resource' ? (part.resource.text ?? '') : '';
  });
  return texts.filter(Boolean).join('\n').trim();
}

/** The data of a result: its structured content, else its text where that is JSON. */
export function dataOf(result: ToolResult | undefined): Json | undefined {
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
export function fieldOf(result: ToolResult | undefined, ...keys: string[]): string | undefined {
  const data = dataOf(result);
  const values = isJsonObject(data) ? keys.map((key) => data[key]) : [];
  return values.find((value) => typeof value === 'string' || typeof value === 'number')?.toString();
}

/** The first list of objects in a result's data. */
export function itemsOf(result: ToolResult | undefined): JsonObject[] {
  const data = dataOf(result);
  const lists = isJsonObject(data) ? Object.values(data) : [data];
  const list = lists.find((value) => Array.isArray(value) && value.some(isJsonObject));
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** The entries of a listing, from its data or from lines such as `[FILE] name (12 bytes)`. */
export function entriesOf(result: ToolResult | undefined): Entry[] {
  if (!result || result.isError) return [];
  const items = itemsOf(result).flatMap(({ name, path, type, isDirectory, size }) => {
    const isFolder = /dir|folder/i.test(stringOf(type)) || isDirectory === true;
    const label = stringOf(name ?? path);
    return label === '' ? [] : [{ name: label, isFolder, size: toSize(size, isFolder) }];
  });
  return items.length > 0 ? items : textOf(result).split('\n').flatMap(readLine);
}

function toSize(size: Json | undefined, isFolder: boolean): number | undefined {
  return typeof size === 'number' && !isFolder ? size : undefined;
}

function readLine(line: string): Entry[] {
  const [, mark, rest] =
    /^\s*(?:[-*•]\s*)?(?:\[(FILE|DIR|DIRECTORY|FOLDER)\]\s*)?(.*?)\s*$/i.exec(line) ?? [];
  if (!rest || (mark === undefined && /\s\S+\s/.test(rest))) return [];
  const [, name = rest, amount, unit = 'b'] =
    /^(.*?)\s*\(?\s*\b([\d,.]+)\s*(bytes?|b|kb|kib|mb|mib)\)?$/i.exec(rest) ?? [];
  const isFolder = (mark !== undefined && !/file/i.test(mark)) || name.endsWith('/');
  const scale = { k: 1024, m: 1024 * 1024 }[unit[0]?.toLowerCase() ?? ''] ?? 1;
  const size = amount === undefined ? undefined : Number(amount.replaceAll(',', '')) * scale;
  return [{ name: name.replace(/\/$/, ''), isFolder, size: toSize(size, isFolder) }];
}

/** The size in bytes that a file's description tells, as data or as a line `size: 12`. */
export function sizeOf(result: ToolResult | undefined): number | undefined {
  const field =
    fieldOf(result, 'size', 'bytes') ?? /\bsize\s*[:=]\s*([\d,]+)/i.exec(textOf(result))?.[1];
  const size = Number(field?.replaceAll(',', ''));
  return field !== undefined && Number.isFinite(size) ? size : undefined;
}
