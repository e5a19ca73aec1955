import { isJsonObject, type Json, type JsonObject } from '#shared/vocabulary/json.ts';
import { fits, typeNames } from './keywords.ts';
import { keywordsOf, withoutDraft } from './rewrite-schema.ts';

/** Larger and deeper schemas are left to the full rewriting, which says what is wrong with them. */
const maxLevels = 16;
const maxNodes = 5000;
const maxValues = 24;
const plainName = /^[A-Za-z0-9_.-]+$/;
const simpleTypes = new Set<Json>(['string', 'object', 'integer', 'number', 'boolean', 'null']);
/** Words and limits that both vendors take. */
const plain = keywordsOf(
  'description title format default examples minimum maximum exclusiveMinimum exclusiveMaximum ' +
    'multipleOf minLength maxLength pattern minItems maxItems uniqueItems minProperties ' +
    'maxProperties',
);
const texts = new Set(['description', 'title', 'format', 'default']);
const limits = new Set(['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems']);
/** What OpenAI takes beside a reference. */
const besideReference = new Set(['$ref', 'title', 'description', 'default', 'examples']);

/** One quick look: whether `const` and `oneOf` may stay, where references lead, and what was seen. */
interface Look {
  readonly isWhole: boolean;
  readonly root: JsonObject;
  nodes: number;
}

/**
 * The short way for schemas that say what most schemas say, which OpenAI and Anthropic take nearly as
 * it stands: what needs no change is not copied. OpenAI takes a part of JSON Schema, Anthropic the
 * whole. Undefined means no more than: look closer.
 */
export function commonSchema(
  schema: JsonObject,
  dialect: 'part' | 'whole',
): JsonObject | undefined {
  const root = withoutDraft(schema);
  return takeSchema(root, maxLevels, { isWhole: dialect === 'whole', root, nodes: 0 });
}

function takeSchema(node: Json | undefined, levels: number, look: Look): JsonObject | undefined {
  look.nodes += 1;
  if (!isJsonObject(node) || levels === 0 || look.nodes > maxNodes) return undefined;
  let isRenamed = false;
  let copy: JsonObject | undefined;
  for (const keyword in node) {
    const value = node[keyword] as Json;
    if (typeof value === 'string') {
      if (keyword === 'type' ? simpleTypes.has(value) : texts.has(keyword)) continue;
    } else if (typeof value !== 'object' && isLimit(keyword, value)) continue;
    const next = takeRest(keyword, value, node, levels, look);
    if (next === undefined) return undefined;
    if (next !== value) (copy ??= { ...node })[keyword] = next;
    isRenamed ||= keyword === 'const' || keyword === 'oneOf';
  }
  return isRenamed && !look.isWhole ? rename(copy ?? node) : (copy ?? node);
}

/** Small whole numbers are right for every limit. */
function isLimit(keyword: string, value: number | boolean): boolean {
  if (typeof value === 'boolean')
    return keyword === 'additionalProperties' || keyword === 'default';
  return value >>> 0 === value && limits.has(keyword);
}

/** What becomes of the value of any keyword; undefined if that needs a closer look. */
function takeRest(
  keyword: string,
  value: Json,
  node: JsonObject,
  levels: number,
  look: Look,
): Json | undefined {
  switch (keyword) {
    case 'properties':
      return takeMap(value, levels - 1, look);
    case 'required':
      return areOwn(value, node.properties) ? value : undefined;
    case 'items':
    case 'additionalProperties':
      return takeSchema(value, levels - 1, look);
    case 'type':
      return isWiderType(value, node) ? value : undefined;
    case '$defs':
      return levels === maxLevels ? takeMap(value, levels - 1, look) : undefined;
    default: {
      const shape = plain.get(keyword);
      if (shape !== undefined) return fits(shape, value) ? value : undefined;
      return levels === maxLevels ? undefined : takeChoice(keyword, value, node, levels, look);
    }
  }
}

/** What vendors do not take at the top. */
function takeChoice(
  keyword: string,
  value: Json,
  node: JsonObject,
  levels: number,
  look: Look,
): Json | undefined {
  switch (keyword) {
    case 'enum':
      return areTexts(value) || fits('values', value) ? value : undefined;
    case 'const':
      return node.enum === undefined && fits('value', value) ? value : undefined;
    case 'anyOf':
      return takeList(value, levels - 1, look);
    case 'oneOf':
      return node.anyOf === undefined ? takeList(value, levels - 1, look) : undefined;
    case '$ref':
      return (look.isWhole || isAlone(node)) && leadsTo(value, look) ? value : undefined;
    default:
      return undefined;
  }
}

/** Copied only if one of its schemas is. */
function takeMap(map: Json, levels: number, look: Look): JsonObject | undefined {
  if (!isJsonObject(map)) return undefined;
  let copy: JsonObject | undefined;
  for (const name in map) {
    const schema = map[name];
    const taken = takeSchema(schema, levels, look);
    if (taken === undefined) return undefined;
    if (taken !== schema) (copy ??= { ...map })[name] = taken;
  }
  return copy ?? map;
}

function takeList(list: Json, levels: number, look: Look): Json[] | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined;
  let copy: Json[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const taken = takeSchema(list[index], levels, look);
    if (taken === undefined) return undefined;
    if (taken !== list[index]) (copy ??= [...list])[index] = taken;
  }
  return copy ?? list;
}

/** OpenAI has its own words for one value and for alternatives. */
function rename({ const: value, oneOf, ...rest }: JsonObject): JsonObject {
  if (value !== undefined) rest.enum = [value];
  if (oneOf !== undefined) rest.anyOf = oneOf;
  return rest;
}

/** Whether a value refers to the `$defs` of the root. */
function leadsTo(reference: Json, { root }: Look): boolean {
  if (typeof reference !== 'string' || !reference.startsWith('#/$defs/')) return false;
  return resolveDefinition(reference, root) !== undefined;
}

function isAlone(node: JsonObject): boolean {
  for (const keyword in node) if (!besideReference.has(keyword)) return false;
  return true;
}

/** Whether a value names a list, whose items are told, or several types. */
function isWiderType(type: Json, { items }: JsonObject): boolean {
  if (type === 'array') return items !== undefined;
  if (!Array.isArray(type) || type.length < 2) return false;
  for (let index = 0; index < type.length; index++) {
    const name = type[index] as Json;
    if (!typeNames.has(name) || type.indexOf(name) < index) return false;
  }
  return items !== undefined || !type.includes('array');
}

/** Whether a value is a short list of different texts. */
export function areTexts(list: Json | undefined): boolean {
  if (!Array.isArray(list) || list.length === 0 || list.length > maxValues) return false;
  for (let index = 0; index < list.length; index++) {
    const text = list[index];
    if (typeof text !== 'string' || text === '' || list.indexOf(text) < index) return false;
  }
  return true;
}

/** Whether a value is a list of different names of properties that are there. */
export function areOwn(list: Json | undefined, properties: Json | undefined): boolean {
  if (!Array.isArray(list) || list.length > maxValues || !isJsonObject(properties)) return false;
  for (let index = 0; index < list.length; index++) {
    const name = list[index];
    if (typeof name !== 'string' || !Object.hasOwn(properties, name)) return false;
    if (list.indexOf(name) < index) return false;
  }
  return true;
}

/** The definition of the root that a reference leads to by a name which means only itself. */
export function resolveDefinition(reference: string, root: JsonObject): JsonObject | undefined {
  const isOld = reference.startsWith('#/definitions/');
  if (!isOld && !reference.startsWith('#/$defs/')) return undefined;
  const definitions = isOld ? root.definitions : root.$defs;
  const name = reference.slice(isOld ? 14 : 8);
  if (!isJsonObject(definitions) || !plainName.test(name)) return undefined;
  const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  return isJsonObject(definition) ? definition : undefined;
}
