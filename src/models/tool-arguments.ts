import { isJsonObject, type JsonObject } from '#shared/json.ts';

/** A call's arguments. No text at all means none; null when the text is not one JSON object. */
export function parseArguments(input: string): JsonObject | null {
  if (input.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(input);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
