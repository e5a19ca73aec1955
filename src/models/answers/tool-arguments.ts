import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';

/**
 * A call's arguments. No text at all means none, and so does `null`; null when the text is not one JSON
 * object. Some vendors write the object as a text once more, or an empty one in front of it.
 */
export function parseArguments(input: string): JsonObject | null {
  if (input.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(input.replace(/^\s*\{\s*\}(?=\s*\{)/, ''));
    const inner: unknown = typeof value === 'string' ? JSON.parse(value) : (value ?? {});
    return isJsonObject(inner) ? inner : null;
  } catch {
    return null;
  }
}
