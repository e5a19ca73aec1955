import { isJsonObject, type Json, type JsonObject } from '#shared/vocabulary/json.ts';
import { typesOf, withTypes } from './modern-schema.ts';

/** OpenAI's own limits of what it enforces. */
const most = { depth: 10, properties: 5000, values: 1000, characters: 120_000, longList: 250 };
const maxLongListChars = 15_000;
const formats = new Set<Json>([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
]);
/** Keywords that are not enforced; without them more is allowed, never less. */
const dropped = [
  'default',
  'examples',
  'minLength',
  'maxLength',
  'uniqueItems',
  'minProperties',
  'maxProperties',
];

interface Count {
  properties: number;
  values: number;
  characters: number;
}

/** A schema of OpenAI's dialect that it enforces; undefined if what it says cannot be enforced. */
export function toStrictSchema(schema: JsonObject): JsonObject | undefined {
  const count: Count = { properties: 0, values: 0, characters: 0 };
  const strict = enforce(schema, 0, count);
  if (strict === undefined || count.properties > most.properties) return undefined;
  if (count.values > most.values || count.characters > most.characters) return undefined;
  return strict;
}

/** `depth` counts the objects around a schema. */
function enforce(value: Json | undefined, depth: number, count: Count): JsonObject | undefined {
  if (!isJsonObject(value) || depth > most.depth) return undefined;
  if (typeof value.$ref === 'string') return { $ref: value.$ref };
  const node = { ...value };
  for (const keyword of dropped) delete node[keyword];
  if (!formats.has(node.format ?? null)) delete node.format;
  const says = node.type ?? node.anyOf ?? node.enum;
  if (says === undefined || !countValues(node.enum, count)) return undefined;
  if (typesOf(node).includes('object') && !closeObject(node, depth, count)) return undefined;
  if (node.items !== undefined) {
    const items = enforce(node.items, depth, count);
    if (items === undefined) return undefined;
    node.items = items;
  }
  if (Array.isArray(node.anyOf)) {
    const options = node.anyOf.map((option) => enforce(option, depth, count));
    if (!options.every((option) => option !== undefined)) return undefined;
    node.anyOf = options;
  }
  return isJsonObject(node.$defs) && !enforceDefinitions(node, count) ? undefined : node;
}

/** All properties are required and no others allowed; what was optional may be null. */
function closeObject(node: JsonObject, depth: number, count: Count): boolean {
  const { properties, required, additionalProperties } = node;
  const names = isJsonObject(properties) ? Object.keys(properties) : [];
  const isOpen = additionalProperties !== undefined && additionalProperties !== false;
  if (isOpen || (names.length === 0 && additionalProperties !== false && depth > 0)) return false;
  const needed = new Set(Array.isArray(required) ? required : []);
  const closed: [string, Json][] = [];
  for (const name of names) {
    count.properties += 1;
    count.characters += name.length;
    const inner = enforce((properties as JsonObject)[name], depth + 1, count);
    if (inner === undefined) return false;
    closed.push([name, needed.has(name) ? inner : orNull(inner)]);
  }
  node.properties = Object.fromEntries(closed);
  node.required = names;
  node.additionalProperties = false;
  return true;
}

function enforceDefinitions(node: JsonObject, count: Count): boolean {
  const definitions: [string, Json][] = [];
  for (const [name, definition] of Object.entries(node.$defs as JsonObject)) {
    count.characters += name.length;
    const inner = enforce(definition, 1, count);
    if (inner === undefined) return false;
    definitions.push([name, inner]);
  }
  node.$defs = Object.fromEntries(definitions);
  return true;
}

function orNull(node: JsonObject): JsonObject {
  if (typesOf(node).includes('null')) return node;
  if (node.type === undefined || node.enum !== undefined) {
    return { anyOf: [node, { type: 'null' }] };
  }
  return withTypes(node, [...typesOf(node), 'null']);
}

function countValues(values: Json | undefined, count: Count): boolean {
  if (!Array.isArray(values)) return true;
  const length = JSON.stringify(values).length;
  count.values += values.length;
  count.characters += length;
  return values.length <= most.longList || length <= maxLongListChars;
}
