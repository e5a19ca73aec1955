import { localReferences } from '#mcp/schema/local-references.ts';
import { say, type Words } from '#shared/errors/sentence.ts';
import { isJsonObject, type Json, type JsonObject } from '#shared/vocabulary/json.ts';
import { newSource, type Source } from './flatten-schema.ts';
import { Inexpressible } from './inexpressible.ts';
import { fits, type Shape, shapes } from './keywords.ts';
import { modernise } from './modern-schema.ts';
import { openRoot } from './open-root.ts';
import { nameOfReference, resolveReference } from './schema-references.ts';

/** A schema a vendor takes, or why there is none. */
export type ConvertedSchema = { schema: JsonObject } | { problem: Words };

/** The part of JSON Schema that a vendor takes. */
export interface Dialect {
  /** The keywords it takes, with what they have to hold. */
  readonly keywords: ReadonlyMap<string, Shape>;
  /** Whether `true` and `false` may stand for a schema. */
  readonly booleans: boolean;
  readonly bounds: { readonly depth: number; readonly nodes: number };
  /** Whether a node that has only taken keywords can stay; schemas below it are not looked at. */
  accepts(node: JsonObject, walk: Walk, place: Place): boolean;
  /** Makes an acceptable node of any modern one. Schemas below it are rewritten afterwards. */
  repair(
    node: JsonObject,
    walk: Walk,
    place: Place,
  ): { node: JsonObject; trail?: Trail | undefined };
}

/** The references that were written out on the way to a node. */
export interface Trail {
  reference: string;
  before: Trail | undefined;
}

/** Where a node stands. */
export interface Place {
  depth: number;
  trail: Trail | undefined;
}

/** One rewriting: what was given, and what is still to be written. */
export interface Walk extends Source {
  readonly dialect: Dialect;
  nodes: number;
  /** New names of schemas that references point to outside of `$defs`, by reference. */
  readonly names: Map<string, string>;
  /** Names that no moved schema can get; known once one is moved. */
  taken?: Set<string>;
  /** Whether references lead to a schema: many lead there by the same way. */
  readonly ends: Map<string, boolean>;
}

/** The keywords of a dialect, from a list of their names. */
export function keywordsOf(names: string): ReadonlyMap<string, Shape> {
  return new Map(names.split(' ').flatMap((name) => [...shapes].filter(([own]) => own === name)));
}

/**
 * Rewrites the schema of a tool's arguments in a dialect. What needs no change is not copied: a schema
 * the vendor takes as it is comes back itself. Never throws, whatever it is given.
 */
export function rewriteSchema(schema: JsonObject, dialect: Dialect): ConvertedSchema {
  const source = newSource(localReferences(withoutDraft(schema)));
  const walk: Walk = { ...source, dialect, nodes: 0, names: new Map(), ends: new Map() };
  try {
    const opened = openRoot(walk);
    const rewritten = visit(opened, walk, { depth: 0, trail: undefined });
    return { schema: walk.names.size === 0 ? rewritten : withMovedSchemas(rewritten, walk) };
  } catch (error) {
    if (error instanceof Inexpressible) return { problem: error.reason };
    // Data and lists of schemas are written down on the way, which ends where the stack does.
    if (error instanceof RangeError)
      return { problem: say('schema-too-deep')`its schema is nested too deeply.` };
    throw error;
  }
}

/** A schema without its `$schema`, which no vendor wants. */
export function withoutDraft(schema: JsonObject): JsonObject {
  if (schema.$schema === undefined) return schema;
  const { $schema: _, ...rest } = schema;
  return rest;
}

/**
 * The reference under which a schema is found afterwards: `#`, or something in the `$defs` of the
 * root. Undefined if it points to nothing or only to itself.
 */
export function keepReference(reference: string, walk: Walk): string | undefined {
  if (!endsSomewhere(reference, walk)) return undefined;
  if (isPortableReference(reference, walk.root)) return reference;
  const known = walk.names.get(reference);
  if (known !== undefined) return `#/$defs/${known}`;
  const taken = (walk.taken ??= new Set(Object.keys(definitionsOf(walk.root))));
  const base = nameOfReference(reference);
  let name = base;
  for (let count = 2; taken.has(name); count++) name = `${base}_${count}`;
  taken.add(name);
  walk.names.set(reference, name);
  return `#/$defs/${name}`;
}

/** Whether a reference can stay as it is written. */
export function isPortableReference(reference: string, root: JsonObject): boolean {
  if (reference === '#') return true;
  const name = /^#\/\$defs\/([A-Za-z0-9_.-]+)$/.exec(reference)?.[1];
  const definitions = definitionsOf(root);
  return name !== undefined && Object.hasOwn(definitions, name) && isJsonObject(definitions[name]);
}

function definitionsOf({ $defs }: JsonObject): JsonObject {
  return isJsonObject($defs) ? $defs : {};
}

function endsSomewhere(reference: string, { root, ends }: Walk): boolean {
  const way = new Set<string>();
  let next: Json | undefined = reference;
  let isEnding = true;
  while (isEnding && typeof next === 'string') {
    const known: boolean | undefined = ends.get(next);
    const isNew: boolean = known === undefined && !way.has(next);
    const target: JsonObject | undefined = isNew ? resolveReference(root, next) : undefined;
    isEnding = known ?? target !== undefined;
    if (!target) break;
    way.add(next);
    next = target === root ? undefined : target.$ref;
  }
  for (const each of way) ends.set(each, isEnding);
  return isEnding;
}

/** Writing one moved schema may find others. */
function withMovedSchemas(schema: JsonObject, walk: Walk): JsonObject {
  const moved: JsonObject = {};
  for (const [reference, name] of walk.names) {
    const target = resolveReference(walk.root, reference);
    moved[name] = visit(target ?? {}, walk, { depth: 1, trail: undefined });
  }
  return { ...schema, $defs: { ...definitionsOf(schema), ...moved } };
}

function visit(value: Json, walk: Walk, place: Place): JsonObject {
  const { dialect } = walk;
  const { bounds } = dialect;
  walk.nodes += 1;
  if (walk.nodes > bounds.nodes) {
    throw new Inexpressible(
      say('schema-schemas')`its schema has more than ${bounds.nodes} subschemas.`,
    );
  }
  if (place.depth > bounds.depth) {
    throw new Inexpressible(
      say('schema-depth')`its schema is nested more than ${bounds.depth} levels deep.`,
    );
  }
  if (isJsonObject(value) && isPlain(value, walk, place)) return visitBelow(value, walk, place);
  const modern = isJsonObject(value) ? modernise(value) : {};
  const { node, trail } = dialect.repair(modern, walk, place);
  return visitBelow(node, walk, { depth: place.depth, trail: trail ?? place.trail });
}

function isPlain(node: JsonObject, walk: Walk, place: Place): boolean {
  const { keywords } = walk.dialect;
  for (const keyword in node) {
    const shape = keywords.get(keyword);
    if (shape === undefined || !fits(shape, node[keyword])) return false;
  }
  return walk.dialect.accepts(node, walk, place);
}

/** Rewrites the schemas below a node; the node is copied only if one of them changes. */
function visitBelow(node: JsonObject, walk: Walk, { depth, trail }: Place): JsonObject {
  const below: Place = { depth: depth + 1, trail };
  let copy: JsonObject | undefined;
  for (const keyword in node) {
    const shape = walk.dialect.keywords.get(keyword);
    if (shape !== 'schema' && shape !== 'schemas' && shape !== 'schemaMap') continue;
    const value = node[keyword];
    let next = value;
    if (shape === 'schema') next = visitSchema(keyword, value, walk, below);
    else if (shape === 'schemas') next = visitList(value as Json[], walk, below);
    else next = visitMap(keyword, value as JsonObject, walk, below);
    if (next !== value) (copy ??= { ...node })[keyword] = next;
  }
  if (copy === undefined) return node;
  if (copy.properties !== node.properties) keepRequired(copy);
  return copy;
}

function visitSchema(keyword: string, value: Json | undefined, walk: Walk, below: Place): Json {
  const isFlag = typeof value === 'boolean';
  if (isFlag && (walk.dialect.booleans || keyword === 'additionalProperties')) return value;
  return visit(value ?? {}, walk, below);
}

function visitList(list: Json[], walk: Walk, below: Place): Json[] {
  let copy: Json[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const value = list[index] as Json;
    const next = visitSchema('', value, walk, below);
    if (next !== value) (copy ??= [...list])[index] = next;
  }
  return copy ?? list;
}

/** A property that may never be there is not told. */
function visitMap(keyword: string, map: JsonObject, walk: Walk, below: Place): JsonObject {
  let copy: JsonObject | undefined;
  for (const name in map) {
    const value = map[name] as Json;
    if (value === false && keyword === 'properties' && !walk.dialect.booleans) {
      delete (copy ??= { ...map })[name];
      continue;
    }
    const next = visitSchema('', value, walk, below);
    if (next !== value) (copy ??= { ...map })[name] = next;
  }
  return copy ?? map;
}

/** Names only properties that are there as required. */
export function keepRequired(node: JsonObject): void {
  const { properties, required } = node;
  if (!Array.isArray(required) || !isJsonObject(properties)) return;
  const kept = required.filter((name) => Object.hasOwn(properties, name as string));
  if (kept.length === required.length) return;
  if (kept.length > 0) node.required = kept;
  else delete node.required;
}

/** Whether everything that is required is among the properties. */
export function requiresOnlyOwn({ properties, required }: JsonObject): boolean {
  if (!Array.isArray(required)) return true;
  if (!isJsonObject(properties)) return required.length === 0;
  for (const name of required) if (!Object.hasOwn(properties, name as string)) return false;
  return true;
}
