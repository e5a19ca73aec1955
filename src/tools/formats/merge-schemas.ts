import { isJsonObject, type Json, type JsonObject } from '#shared/vocabulary/json.ts';
import { addHints } from './hints.ts';
import { distinct, shapes } from './keywords.ts';
import { typesOf, withTypes } from './modern-schema.ts';

const maxLevels = 32;
const lowerLimits = /^(exclusiveM|m)in/;
const upperLimits = /^(exclusiveM|m)ax/;

/** What a schema can say once only; a condition is one with its consequences. */
const single = [['if', 'then', 'else'], ['not'], ['anyOf'], ['oneOf']];

/**
 * What both schemas say, as one. Where that cannot be said, or they contradict each other, the first
 * one counts: the result may allow more than both, which the check of a call's arguments catches. A
 * condition or choice of the second that has no place is told in words.
 */
export function mergeSchemas(
  first: JsonObject,
  second: JsonObject,
  levels: number = maxLevels,
): JsonObject {
  const merged = { ...first };
  const untold = single.filter(([main = '']) => isOther(first[main], second[main])).flat();
  addHints(merged, second, untold);
  for (const keyword of Object.keys(second)) {
    const value = second[keyword];
    if (value === undefined || !shapes.has(keyword) || untold.includes(keyword)) continue;
    const own = merged[keyword];
    merged[keyword] = own === undefined ? value : mergeKeyword(keyword, own, value, levels);
  }
  return merged;
}

function isOther(first: Json | undefined, second: Json | undefined): boolean {
  if (first === undefined || second === undefined) return false;
  return JSON.stringify(first) !== JSON.stringify(second);
}

function mergeKeyword(keyword: string, first: Json, second: Json, levels: number): Json {
  if (typeof first === 'number' && typeof second === 'number') {
    if (lowerLimits.test(keyword)) return Math.max(first, second);
    if (upperLimits.test(keyword)) return Math.min(first, second);
  }
  if (keyword === 'type') return withTypes({}, commonTypes(first, second)).type ?? first;
  if (keyword === 'additionalProperties') return second === false ? false : first;
  if (Array.isArray(first) && Array.isArray(second)) return mergeLists(keyword, first, second);
  if (!isJsonObject(first) || !isJsonObject(second) || levels === 0) return first;
  if (keyword === 'items') return mergeSchemas(first, second, levels - 1);
  return shapes.get(keyword) === 'schemaMap' ? mergeMaps(first, second, levels - 1) : first;
}

function mergeLists(keyword: string, first: Json[], second: Json[]): Json[] {
  if (keyword === 'required') return distinct([...first, ...second]);
  if (keyword === 'allOf') return [...first, ...second];
  if (keyword !== 'enum') return first;
  const texts = new Set(second.map((value) => JSON.stringify(value)));
  const common = first.filter((value) => texts.has(JSON.stringify(value)));
  return common.length > 0 ? common : first;
}

function mergeMaps(first: JsonObject, second: JsonObject, levels: number): JsonObject {
  const merged = { ...second, ...first };
  for (const [name, value] of Object.entries(second)) {
    const own = Object.hasOwn(first, name) ? first[name] : undefined;
    if (isJsonObject(own) && isJsonObject(value)) merged[name] = mergeSchemas(own, value, levels);
  }
  return merged;
}

/** Every integer is a number. */
function commonTypes(first: Json, second: Json): Json[] {
  const [left, right] = [typesOf({ type: first }), typesOf({ type: second })];
  const isIn = (type: Json, types: Json[]): boolean =>
    types.includes(type) || (type === 'integer' && types.includes('number'));
  return distinct([
    ...left.filter((type) => isIn(type, right)),
    ...right.filter((type) => isIn(type, left)),
  ]).filter((type, _, all) => type !== 'integer' || !all.includes('number'));
}
