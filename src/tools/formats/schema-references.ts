import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';

const mostAnchors = 5000;

/** What a reference of a schema points to; undefined if there is nothing. Nothing is ever loaded. */
export function resolveReference(root: JsonObject, reference: string): JsonObject | undefined {
  const start = reference.indexOf('#');
  if (start === -1 || (start > 0 && reference.slice(0, start) !== root.$id)) return undefined;
  const place = reference.slice(start + 1);
  const target =
    place === '' || place.startsWith('/') ? follow(root, place) : findAnchor(root, place);
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

function findAnchor(root: JsonObject, name: string): Json | undefined {
  const open: Json[] = [root];
  for (let looked = 0; looked < mostAnchors; looked++) {
    const value = open.pop();
    if (value === undefined) return undefined;
    if (isJsonObject(value) && (value.$anchor === name || value.$dynamicAnchor === name)) {
      return value;
    }
    if (typeof value !== 'object' || value === null) continue;
    for (const inner of Object.values(value)) open.push(inner);
  }
  return undefined;
}
