import { sanitiseJson } from '#shared/text.ts';

/** `JSON.stringify` writes NUL and lone surrogates as escapes: only then is a slow pass needed. */
const unsafeEscape = /\\u(?:0000|d[89a-f])/;

/** A JSON value as it is stored: sanitised text. */
export function toJson(value: unknown): string {
  return cleanJson(JSON.stringify(value));
}

/** What `JSON.stringify` made, sanitised. */
export function cleanJson(text: string): string {
  return unsafeEscape.test(text) ? JSON.stringify(sanitiseJson(JSON.parse(text))) : text;
}

/** The same for a value that may be absent. */
export function toJsonOrNull(value: unknown): string | null {
  return value === undefined || value === null ? null : toJson(value);
}

/** Reads what `toJson` wrote; the caller knows what that was. */
export function fromJson(text: string): unknown {
  return JSON.parse(text);
}
