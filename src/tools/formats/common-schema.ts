import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';

/** Deeper schemas are left to the full rewriting, which has the bounds. */
const mostLevels = 16;
const mostValues = 24;

/**
 * Whether a schema says only what OpenAI and Anthropic both take as it stands, which most do: nothing
 * has to be looked at twice then. `false` means no more than: look closer.
 */
export function isCommonSchema(node: Json | undefined, levels = mostLevels): boolean {
  if (!isJsonObject(node) || levels === 0) return false;
  for (const keyword in node) {
    const value = node[keyword];
    switch (keyword) {
      case 'type':
        if (value === 'array' ? node.items === undefined : !isSimpleType(value)) return false;
        break;
      case 'description':
      case 'title':
      case 'format':
        if (typeof value !== 'string') return false;
        break;
      case 'properties':
        if (!isCommonMap(value, levels - 1)) return false;
        break;
      case 'items':
        if (!isCommonSchema(value, levels - 1)) return false;
        break;
      case 'required':
        if (!areOwn(value, node.properties)) return false;
        break;
      case 'additionalProperties':
        if (typeof value !== 'boolean' && !isCommonSchema(value, levels - 1)) return false;
        break;
      default:
        if (!isCommonRest(keyword, value, levels)) return false;
    }
  }
  return true;
}

function isCommonRest(keyword: string, value: Json | undefined, levels: number): boolean {
  switch (keyword) {
    case 'default':
      return typeof value !== 'object';
    case 'enum':
      return levels < mostLevels && areTexts(value);
    case 'anyOf':
      return levels < mostLevels && isCommonList(value, levels - 1);
    default:
      return isCommonLimit(keyword, value);
  }
}

/** Whether a keyword is a limit that can stand beside the types it is for. */
export function isCommonLimit(keyword: string, value: Json | undefined): boolean {
  switch (keyword) {
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return Number.isFinite(value);
    case 'minLength':
    case 'maxLength':
    case 'minItems':
    case 'maxItems':
      return Number.isSafeInteger(value) && (value as number) >= 0;
    default:
      return false;
  }
}

function isCommonMap(map: Json | undefined, levels: number): boolean {
  if (!isJsonObject(map)) return false;
  for (const name in map) if (!isCommonSchema(map[name], levels)) return false;
  return true;
}

function isCommonList(list: Json | undefined, levels: number): boolean {
  if (!Array.isArray(list) || list.length === 0) return false;
  for (const item of list) if (!isCommonSchema(item, levels)) return false;
  return true;
}

/** Whether a value names one type that has no rules of its own. */
export function isSimpleType(type: Json | undefined): boolean {
  switch (type) {
    case 'string':
    case 'object':
    case 'integer':
    case 'number':
    case 'boolean':
    case 'null':
      return true;
    default:
      return false;
  }
}

/** Whether a value is a short list of different texts. */
export function areTexts(list: Json | undefined): boolean {
  if (!Array.isArray(list) || list.length === 0 || list.length > mostValues) return false;
  for (let index = 0; index < list.length; index++) {
    const text = list[index];
    if (typeof text !== 'string' || text === '' || list.indexOf(text) < index) return false;
  }
  return true;
}

/** Whether a value is a list of different names of properties that are there. */
export function areOwn(list: Json | undefined, properties: Json | undefined): boolean {
  if (!Array.isArray(list) || list.length > mostValues || !isJsonObject(properties)) return false;
  for (let index = 0; index < list.length; index++) {
    const name = list[index];
    if (typeof name !== 'string' || !Object.hasOwn(properties, name)) return false;
    if (list.indexOf(name) < index) return false;
  }
  return true;
}

/** A schema without its `$schema`, which no vendor wants. */
export function withoutDraft(schema: JsonObject): JsonObject {
  if (schema.$schema === undefined) return schema;
  const rest: JsonObject = {};
  for (const keyword in schema) {
    if (keyword !== '$schema') rest[keyword] = schema[keyword] as Json;
  }
  return rest;
}
