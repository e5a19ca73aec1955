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

/** How deep a JSON text is nested, and how many lists, objects and fields it has: what makes it slow to read. */
export function jsonShape(text: string): { depth: number; parts: number } {
  let depth = 0;
  let deepest = 0;
  let parts = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === '"') at = endOfString(text, at + 1);
    else if (sign === '{' || sign === '[') {
      parts += 1;
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (sign === '}' || sign === ']') depth -= 1;
    else if (sign === ':') parts += 1;
  }
  return { depth: deepest, parts };
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
