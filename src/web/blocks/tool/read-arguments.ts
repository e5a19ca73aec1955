import { isJsonObject, type JsonObject } from '#shared/json.ts';

/** What a person wrote as arguments; undefined unless it is one JSON object. */
export function readArguments(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
