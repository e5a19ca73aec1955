import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';
import { areOwn, areTexts, isCommonLimit, isSimpleType } from './common-schema.ts';
import { addHints } from './hints.ts';

/** Deeper schemas are left to the full rewriting, which has the bounds. */
const mostLevels = 16;

/** What is told in words. */
const told = ['default', 'format'];
const toldBesideFormat = ['default'];
/** What only stands beside one type, or two. */
const beside: Record<string, string[]> = {
  required: ['object'],
  minItems: ['array'],
  maxItems: ['array'],
  enum: ['string'],
  format: ['string'],
  minLength: ['string'],
  maxLength: ['string'],
  minimum: ['number', 'integer'],
  maximum: ['number', 'integer'],
};

/**
 * A schema as Gemini takes it, if it says only what most schemas say; the short way for those. What
 * needs no change is not copied. Undefined means no more than: look closer.
 */
export function leanSchema(node: Json | undefined, levels = mostLevels): JsonObject | undefined {
  if (!isJsonObject(node) || levels === 0) return undefined;
  const { type } = node;
  if (type === 'null' || (type !== 'array' && !isSimpleType(type))) return undefined;
  if (type === 'array' && node.items === undefined) return undefined;
  let isSame = true;
  let below: JsonObject | undefined;
  for (const keyword in node) {
    const value = node[keyword] as Json;
    if (keyword === 'type') continue;
    if (keyword === 'description' || keyword === 'title') {
      if (typeof value !== 'string') return undefined;
    } else if (keyword === 'properties' || keyword === 'items') {
      if (keyword !== (type === 'object' ? 'properties' : 'items')) return undefined;
      below = keyword === 'items' ? leanSchema(value, levels - 1) : leanMap(value, levels - 1);
      if (below === undefined) return undefined;
      isSame &&= below === value;
    } else if (isUnsaid(keyword, value, type as Json)) {
      isSame = false;
    } else if (!isLeanRest(keyword, value, node)) {
      return undefined;
    }
  }
  return isSame ? node : copyLean(node, below);
}

/** What is dropped, or told in words. */
function isUnsaid(keyword: string, value: Json, type: Json): boolean {
  switch (keyword) {
    case '$schema':
      return true;
    case 'additionalProperties':
      return typeof value === 'boolean';
    case 'default':
      return typeof value !== 'object';
    case 'format':
      return typeof value === 'string' && (value !== 'date-time' || type !== 'string');
    default:
      return false;
  }
}

function isLeanRest(keyword: string, value: Json, node: JsonObject): boolean {
  if (beside[keyword]?.includes(node.type as string) !== true) return false;
  switch (keyword) {
    case 'required':
      return areOwn(value, node.properties);
    case 'enum':
      return areTexts(value);
    case 'format':
      return true;
    default:
      return isCommonLimit(keyword, value);
  }
}

function copyLean(node: JsonObject, below: JsonObject | undefined): JsonObject {
  const copy: JsonObject = {};
  let isTold = false;
  for (const keyword in node) {
    const value = node[keyword] as Json;
    if (isUnsaid(keyword, value, node.type as Json)) {
      isTold ||= keyword === 'default' || keyword === 'format';
    } else {
      const isBelow = keyword === 'properties' || keyword === 'items';
      copy[keyword] = isBelow && below !== undefined ? below : value;
    }
  }
  if (isTold) addHints(copy, node, copy.format === undefined ? told : toldBesideFormat);
  return copy;
}

/** Copied only if one of its schemas is. Gemini wants no empty map. */
function leanMap(map: Json, levels: number): JsonObject | undefined {
  if (!isJsonObject(map)) return undefined;
  let copy: JsonObject | undefined;
  let isEmpty = true;
  for (const name in map) {
    const schema = map[name] as Json;
    const lean = leanSchema(schema, levels);
    if (lean === undefined) return undefined;
    if (lean !== schema) (copy ??= { ...map })[name] = lean;
    isEmpty = false;
  }
  return isEmpty ? undefined : (copy ?? map);
}
