import { isJsonObject, type Json, type JsonObject } from '#shared/vocabulary/json.ts';

/**
 * What a pointer of a schema points to, undefined if there is nothing. References by name are pointers
 * by now (see localReferences), and nothing is ever loaded.
 */
export function resolveReference(root: JsonObject, reference: string): JsonObject | undefined {
  const isPointer = reference === '#' || reference.startsWith('#/');
  const target = isPointer ? follow(root, reference.slice(1)) : undefined;
  if (target === true) return {};
  return isJsonObject(target) ? target : undefined;
}

/** A word for what a reference points to. */
export function nameOfReference(reference: string): string {
  const last = reference.split(/[/#]/).findLast((step) => step !== '') ?? 'root';
  return last.replace(/[^A-Za-z0-9_.-]+/g, '_').slice(0, 40) || 'schema';
}

function follow(root: JsonObject, pointer: string): Json | undefined {
  let place: Json | undefined = root;
  for (const step of pointer.split('/').slice(1)) {
    const key = decode(step);
    if (Array.isArray(place)) place = /^\d{1,6}$/.test(key) ? place[Number(key)] : undefined;
    else place = isJsonObject(place) && Object.hasOwn(place, key) ? place[key] : undefined;
  }
  return place;
}

function decode(step: string): string {
  let text = step;
  try {
    text = decodeURIComponent(step);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}
