import { isJsonObject, type JsonObject, resolvePointer } from '#shared/vocabulary/json.ts';

/**
 * What a pointer of a schema points to, undefined if there is nothing. References by name are pointers
 * by now (see localReferences), and nothing is ever loaded.
 */
export function resolveReference(root: JsonObject, reference: string): JsonObject | undefined {
  const isPointer = reference === '#' || reference.startsWith('#/');
  const target = isPointer ? resolvePointer(root, reference) : undefined;
  if (target === true) return {};
  return isJsonObject(target) ? target : undefined;
}

/** A word for what a reference points to. */
export function nameOfReference(reference: string): string {
  const last = reference.split(/[/#]/).findLast((step) => step !== '') ?? 'root';
  return last.replace(/[^A-Za-z0-9_.-]+/g, '_').slice(0, 40) || 'schema';
}
