import { hasUnsafeEscape, sanitiseJson } from '#shared/text.ts';

/** A JSON value as it is stored: sanitised text. */
export function toJson(value: unknown): string {
  return cleanJson(JSON.stringify(value));
}

/** What `JSON.stringify` made, sanitised. */
export function cleanJson(text: string): string {
  return hasUnsafeEscape(text) ? JSON.stringify(sanitiseJson(JSON.parse(text))) : text;
}

/** The same for a value that may be absent. */
export function toJsonOrNull(value: unknown): string | null {
  return value === undefined || value === null ? null : toJson(value);
}

/** Reads what `toJson` wrote; the caller knows what that was. */
export function fromJson(text: string): unknown {
  return JSON.parse(text);
}
