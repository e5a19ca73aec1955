import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import { readExactJson } from '../../form/exact-json.ts';

/** What a person wrote as arguments; undefined unless it is one JSON object, each number of it exact. */
export function readArguments(text: string): JsonObject | undefined {
  const read = readExactJson(text);
  return typeof read === 'object' && isJsonObject(read.value) ? read.value : undefined;
}
