import { isJsonObject, type Json, type JsonObject } from '#shared/vocabulary/json.ts';
import { areOwn, areTexts, resolveDefinition } from './common-schema.ts';
import { isGeminiFormat } from './gemini-node.ts';
import { addHints } from './hints.ts';
import { fits, type Shape } from './keywords.ts';

/** Larger and deeper schemas are left to the full rewriting, which says what is wrong with them. */
const maxLevels = 16;
const maxNodes = 1000;

/** What becomes of a keyword; what becomes of several is added up. */
const kept = 0;
const tellDefault = 1;
const tellFormat = 2;
const tellAdditional = 4;
const changed = 8;
/** What is told in words, by the sum of the first three. */
const told = [
  [],
  ['default'],
  ['format'],
  ['default', 'format'],
  ['additionalProperties'],
  ['default', 'additionalProperties'],
];
const text = ['string'];
const numbers = ['number', 'integer'];
const lists = ['array'];
const objects = ['object'];
/** Limits, with what they hold and the types that they stand beside. */
const limits = new Map<string, { shape: Shape; types: string[] }>([
  ['minLength', { shape: 'count', types: text }],
  ['maxLength', { shape: 'count', types: text }],
  ['pattern', { shape: 'pattern', types: text }],
  ['minimum', { shape: 'number', types: numbers }],
  ['maximum', { shape: 'number', types: numbers }],
  ['minItems', { shape: 'count', types: lists }],
  ['maxItems', { shape: 'count', types: lists }],
  ['minProperties', { shape: 'count', types: objects }],
  ['maxProperties', { shape: 'count', types: objects }],
]);
/** What may be said beside a reference or alternatives. */
const besideOthers = new Set(['title', 'description', 'default']);
const simpleTypes = new Set(['string', 'object', 'integer', 'number', 'boolean']);
const besideType = new Set(['description', 'title']);
/** What is dropped or told in words. */
const unsaid = new Set(['default', 'additionalProperties', '$schema', '$defs', 'definitions']);
/** Gemini wants no empty map. */
const nothing: JsonObject = {};

/** One quick look: where references lead, and how much was seen. */
interface Look {
  readonly root: JsonObject;
  nodes: number;
}

/**
 * A schema as Gemini takes it, if it says only what most schemas say; the short way for those. What
 * needs no change is not copied. Undefined means no more than: look closer.
 */
export function leanSchema(root: JsonObject): JsonObject | undefined {
  return lean(root, maxLevels, { root, nodes: 0 });
}

/** Of schemas that lead to themselves the levels make an end. */
function lean(node: Json | undefined, levels: number, look: Look): JsonObject | undefined {
  look.nodes += 1;
  if (!isJsonObject(node) || levels <= 0 || look.nodes > maxNodes) return undefined;
  const { type } = node;
  if (typeof type !== 'string') return leanUntyped(node, levels, look);
  if (type === 'array' ? node.items === undefined : !simpleTypes.has(type)) {
    return undefined;
  }
  let changes = kept;
  let below: JsonObject | undefined;
  for (const keyword in node) {
    const value = node[keyword];
    if (typeof value === 'string' && (keyword === 'type' || besideType.has(keyword))) continue;
    if (keyword === 'properties' || keyword === 'items') {
      if (type !== (keyword === 'items' ? 'array' : 'object')) return undefined;
      below = type === 'array' ? lean(value, levels - 1, look) : leanMap(value, levels - 1, look);
      if (below === undefined) return undefined;
      if (below !== value) changes |= changed;
    } else {
      const change = judge(keyword, value, node);
      if (change === undefined) return undefined;
      changes |= change;
    }
  }
  return changes === kept ? node : copyLean(node, below, changes);
}

/** What becomes of a keyword beside a type; undefined if that needs a closer look. */
function judge(keyword: string, value: Json | undefined, node: JsonObject): number | undefined {
  const { type } = node;
  switch (keyword) {
    case 'required':
      return type === 'object' && areOwn(value, node.properties) ? kept : undefined;
    case 'default':
      return isScalar(value) ? tellDefault : undefined;
    case 'additionalProperties':
      if (typeof value === 'boolean') return changed;
      return type === 'object' ? judgeAdditional(value) : undefined;
    case '$schema':
    case '$defs':
    case 'definitions':
      return changed;
    case 'format':
      return judgeFormat(value, type);
    default:
      if (limits.has(keyword)) return isLimit(keyword, value, type) ? kept : undefined;
      return type === 'string' ? judgeValues(keyword, value, node) : undefined;
  }
}

function isLimit(keyword: string, value: Json | undefined, type: Json | undefined): boolean {
  const limit = limits.get(keyword);
  return limit !== undefined && limit.types.includes(type as string) && fits(limit.shape, value);
}

function judgeFormat(value: Json | undefined, type: Json | undefined): number | undefined {
  const hasFormats = type === 'string' || type === 'integer' || type === 'number';
  if (typeof value !== 'string' || !hasFormats) return undefined;
  return isGeminiFormat(type, value) ? kept : tellFormat;
}

/** Only texts can be listed, and none of them may be empty. */
function judgeValues(
  keyword: string,
  value: Json | undefined,
  node: JsonObject,
): number | undefined {
  if (keyword === 'enum') return node.const === undefined && areTexts(value) ? kept : undefined;
  return keyword === 'const' && typeof value === 'string' && value !== '' ? changed : undefined;
}

/** Only what is simple is told: it must be possible to write it down. */
function judgeAdditional(value: Json | undefined): number | undefined {
  if (!isJsonObject(value)) return undefined;
  let change = changed;
  for (const keyword in value) {
    if (!isScalar(value[keyword])) return undefined;
    change = tellAdditional;
  }
  return change;
}

function copyLean(node: JsonObject, below: JsonObject | undefined, changes: number): JsonObject {
  const copy: JsonObject = {};
  for (const keyword in node) {
    if (keyword === 'properties' || keyword === 'items') {
      if (below !== undefined && below !== nothing) copy[keyword] = below;
    } else if (keyword === 'const') copy.enum = [node.const as Json];
    else if (keyword !== 'format' || (changes & tellFormat) === 0) {
      if (!unsaid.has(keyword)) copy[keyword] = node[keyword] as Json;
    }
  }
  const hints = told[changes & ~changed];
  if (hints !== undefined && hints.length > 0) addHints(copy, node, hints);
  return copy;
}

/** Copied only if one of its schemas is. */
function leanMap(map: Json | undefined, levels: number, look: Look): JsonObject | undefined {
  if (!isJsonObject(map)) return undefined;
  let copy: JsonObject | undefined;
  let isEmpty = true;
  for (const name in map) {
    const schema = map[name];
    const taken = lean(schema, levels, look);
    if (taken === undefined) return undefined;
    if (taken !== schema) (copy ??= { ...map })[name] = taken;
    isEmpty = false;
  }
  return isEmpty ? nothing : (copy ?? map);
}

/** A node that names no type, or null besides one. */
function leanUntyped(node: JsonObject, levels: number, look: Look): JsonObject | undefined {
  const { type, $ref, anyOf, oneOf } = node;
  if (type !== undefined) return leanNullable(node, levels, look);
  if (typeof $ref === 'string') return leanReference($ref, node, levels, look);
  if (Array.isArray(anyOf) && oneOf === undefined) return leanChoice(anyOf, node, levels, look);
  if (Array.isArray(oneOf) && anyOf === undefined) return leanChoice(oneOf, node, levels, look);
  const isListed = node.const !== undefined || node.enum !== undefined;
  return isListed ? lean({ ...node, type: 'string' }, levels - 1, look) : undefined;
}

function leanNullable(node: JsonObject, levels: number, look: Look): JsonObject | undefined {
  const { type } = node;
  if (!Array.isArray(type) || type.length !== 2 || !type.includes('null')) return undefined;
  const only = type[0] === 'null' ? type[1] : type[0];
  return orNull(lean({ ...node, type: only as Json }, levels - 1, look), true);
}

/** A definition is written out where it is referred to; what is said beside the reference counts more. */
function leanReference(
  reference: string,
  node: JsonObject,
  levels: number,
  look: Look,
): JsonObject | undefined {
  const target = resolveDefinition(reference, look.root);
  if (target === undefined) return undefined;
  let merged: JsonObject | undefined;
  for (const keyword in node) {
    if (keyword === '$ref') continue;
    if (!besideOthers.has(keyword)) return undefined;
    (merged ??= { ...target })[keyword] = node[keyword] as Json;
  }
  return lean(merged ?? target, levels - 1, look);
}

/** The only alternative to null is the node itself; of several, each stands for itself. */
function leanChoice(
  options: Json[],
  node: JsonObject,
  levels: number,
  look: Look,
): JsonObject | undefined {
  const said: JsonObject = {};
  for (const keyword in node) {
    if (besideOthers.has(keyword)) said[keyword] = node[keyword] as Json;
    else if (keyword !== 'anyOf' && keyword !== 'oneOf') return undefined;
  }
  const real: JsonObject[] = [];
  for (const option of options) {
    if (!isJsonObject(option)) return undefined;
    if (option.type !== 'null') real.push(option);
  }
  const [only] = real;
  if (only === undefined) return undefined;
  const hasNull = real.length < options.length;
  if (real.length === 1) return orNull(lean({ ...only, ...said }, levels - 2, look), hasNull);
  const anyOf = leanOptions(real, levels - 1, look);
  if (anyOf === undefined) return undefined;
  const { default: _, ...words } = said;
  return orNull({ ...words, anyOf }, hasNull);
}

/** Where all alternatives are values they are one list, which needs a closer look. */
function leanOptions(options: JsonObject[], levels: number, look: Look): Json[] | undefined {
  const taken: Json[] = [];
  let isList = true;
  for (const option of options) {
    isList &&= option.const !== undefined || option.enum !== undefined;
    const schema = lean(option, levels, look);
    if (schema === undefined) return undefined;
    taken.push(schema);
  }
  return isList ? undefined : taken;
}

function orNull(node: JsonObject | undefined, isNullable: boolean): JsonObject | undefined {
  return node === undefined || !isNullable ? node : { ...node, nullable: true };
}

function isScalar(value: Json | undefined): boolean {
  return typeof value === 'object' ? value === null : value !== undefined;
}
