import { decodePercent } from '../text/decode-percent.ts';

/** Values that survive a round trip through JSON. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** Whether a parsed JSON value is an object and not an array or null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a JSON text; undefined for any other text. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** The JSON pointer (RFC 6901) of a value inside the one at `parent`. */
export function pointerTo(parent: string, name: string | number): string {
  return `${parent}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/**
 * The value that a JSON pointer leads to, through own properties and the places of lists only. One that
 * begins with `#` is the fragment of an address, whose steps are percent-encoded.
 */
export function resolvePointer(root: Json, pointer: string): Json | undefined {
  const [start, ...steps] = pointer.split('/');
  let value: Json | undefined = root;
  for (const step of steps) {
    const plain = start === '#' ? decodePercent(step) : step;
    const key = plain.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(value)) value = /^(?:0|[1-9]\d{0,8})$/.test(key) ? value[+key] : undefined;
    else value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

/** What may be read of a JSON text without holding up everybody. */
export interface JsonBounds {
  /** How deep it is nested. */
  depth: number;
  /** Its lists, objects and fields together. */
  parts: number;
  /** The fields of one object. */
  fields: number;
}

/** Which bound a JSON text exceeds. It is measured before it is read: fields and levels are what makes that slow. */
export function jsonExcess(text: string, bounds: JsonBounds): keyof JsonBounds | undefined {
  /** The fields of each list and object that is open. */
  const open: number[] = [];
  let parts = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === '"') at = endOfString(text, at + 1);
    else if (sign === '{' || sign === '[') {
      parts += 1;
      if (open.push(0) > bounds.depth) return 'depth';
    } else if (sign === '}' || sign === ']') open.pop();
    else if (sign === ':') {
      parts += 1;
      const fields = (open.pop() ?? 0) + 1;
      if (fields > bounds.fields) return 'fields';
      open.push(fields);
    }
    if (parts > bounds.parts) return 'parts';
  }
  return undefined;
}

/** So much of what somebody else wrote is read in about a tenth of a second. */
const foreignBounds: JsonBounds = { depth: 200, parts: 100_000, fields: 10_000 };

/** Whether a JSON text from elsewhere has so many parts that reading it would hold up everybody. */
export function isCrowdedJson(text: string, parts = foreignBounds.parts): boolean {
  return jsonExcess(text, { ...foreignBounds, parts }) !== undefined;
}

/** Where the quote is that ends a string; after the text if there is none. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (before >= start && text.charAt(before) === '\\') before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}

/** Level by level: recursion would run out of stack on such a value. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let level = [value];
  for (let depth = 0; depth <= levels; depth += 1) {
    level = level.flatMap((each) =>
      typeof each === 'object' && each !== null ? Object.values(each) : [],
    );
    if (level.length === 0) return false;
  }
  return true;
}
