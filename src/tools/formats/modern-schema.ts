import type { Json, JsonObject } from '#shared/vocabulary/json.ts';
import { addHints } from './hints.ts';
import { distinct, fits, shapes, typeNames } from './keywords.ts';

/** How many of too many values are told in words. */
const maxNamed = 20;

/**
 * A schema in the words of JSON Schema 2020-12, whatever draft (or OpenAPI) it was written in: only
 * known keywords that hold what they have to. Schemas below it stay as they are.
 */
export function modernise(node: JsonObject): JsonObject {
  const renewed: JsonObject = { ...node };
  renewType(renewed);
  renewLimit(renewed, 'exclusiveMinimum', 'minimum');
  renewLimit(renewed, 'exclusiveMaximum', 'maximum');
  renewItems(renewed);
  renewReference(renewed);
  if (Array.isArray(renewed.enum)) renewed.enum = distinct(renewed.enum);
  if (Array.isArray(renewed.required)) {
    renewed.required = distinct(renewed.required.filter((name) => typeof name === 'string'));
  }
  const modern: JsonObject = {};
  for (const keyword of Object.keys(renewed)) {
    const shape = shapes.get(keyword);
    const value = renewed[keyword];
    if (shape !== undefined && value !== undefined && fits(shape, value)) modern[keyword] = value;
  }
  if (Array.isArray(renewed.enum) && modern.enum === undefined) nameSome(modern, renewed.enum);
  return modern;
}

/** A list that is too long for a vendor: the model learns what its values are like. */
function nameSome(node: JsonObject, values: Json[]): void {
  if (values.length <= maxNamed) return;
  const words = `one of ${values.length} values, such as`;
  addHints(node, { [words]: values.slice(0, maxNamed) }, [words]);
}

/** The types a schema names; empty if it names none. */
export function typesOf({ type }: JsonObject): Json[] {
  if (type === undefined) return [];
  return Array.isArray(type) ? type : [type];
}

/** One name is written alone, none not at all. */
export function withTypes(node: JsonObject, types: readonly Json[]): JsonObject {
  const { type: _, ...rest } = node;
  if (types.length === 0) return rest;
  return { ...rest, type: types.length === 1 ? (types[0] ?? null) : [...types] };
}

function renewType(node: JsonObject): void {
  const types = typesOf(node).map((name) => (typeof name === 'string' ? name.toLowerCase() : name));
  const known = distinct(types.filter((name) => typeNames.has(name)));
  if (node.nullable === true && known.length > 0 && !known.includes('null')) known.push('null');
  delete node.type;
  Object.assign(node, withTypes({}, known));
}

/** Draft 4 says `exclusiveMinimum: true` beside `minimum`. */
function renewLimit(node: JsonObject, exclusive: string, inclusive: string): void {
  if (node[exclusive] !== true) return;
  const limit = node[inclusive];
  delete node[exclusive];
  if (typeof limit !== 'number') return;
  node[exclusive] = limit;
  delete node[inclusive];
}

/** Drafts before 2020-12 say a tuple with a list below `items`. */
function renewItems(node: JsonObject): void {
  if (!Array.isArray(node.items)) return;
  node.prefixItems = node.items;
  delete node.items;
  if (node.additionalItems !== undefined) node.items = node.additionalItems;
}

function renewReference(node: JsonObject): void {
  const target = node.$ref ?? node.$dynamicRef ?? node.$recursiveRef;
  if (typeof target === 'string') node.$ref = target;
}

/** The values a node allows, if it lists them. */
export function valuesOf(node: JsonObject): Json[] | undefined {
  if (node.const !== undefined) return [node.const];
  return Array.isArray(node.enum) ? node.enum : undefined;
}
