import { say } from '#shared/errors/sentence.ts';
import { isJsonObject, type Json, type JsonObject } from '#shared/vocabulary/json.ts';
import { Inexpressible } from './inexpressible.ts';
import { mergeSchemas } from './merge-schemas.ts';
import { modernise } from './modern-schema.ts';
import { resolveReference } from './schema-references.ts';

/** How many schemas are merged for one tool: references to references must not multiply. */
const maxMerges = 1000;
/** How many values are looked at for that in all: a long list must not be compared with hundreds. */
const maxMergedValues = 200_000;

/** The schema that is flattened, and how often something may still be merged. */
export interface Source {
  readonly root: JsonObject;
  merges: number;
  values: number;
}

/** A source that nothing was merged of yet. */
export function newSource(root: JsonObject): Source {
  return { root, merges: maxMerges, values: maxMergedValues };
}

/**
 * A modern node without `$ref` and `allOf`: what they say is said in the node itself, and the node's
 * own words come first. `used` collects the references that were written out; those in it at the
 * beginning are not.
 */
export function flattenSchema(
  node: JsonObject,
  source: Source,
  used = new Set<string>(),
): JsonObject {
  const { $ref, allOf, ...own } = modernise(node);
  let flat: JsonObject = own;
  for (const part of partsOf($ref, allOf, source.root, used)) {
    source.merges -= 1;
    if (source.merges < 0) throw tooMany();
    const { $defs: _, ...said } = flattenSchema(part, source, used);
    source.values -= countValues(flat) + countValues(said);
    if (source.values < 0) throw tooMany();
    flat = mergeSchemas(flat, said);
  }
  return flat;
}

function tooMany(): Inexpressible {
  return new Inexpressible(say('schema-references')`its schema has too many references.`);
}

function countValues(value: Json): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((count: number, each) => count + countValues(each), 1);
}

function partsOf(
  reference: Json | undefined,
  allOf: Json | undefined,
  root: JsonObject,
  used: Set<string>,
): JsonObject[] {
  const parts: JsonObject[] = [];
  if (typeof reference === 'string' && !used.has(reference)) {
    used.add(reference);
    const target = resolveReference(root, reference);
    if (target !== undefined) parts.push(target);
  }
  if (Array.isArray(allOf)) parts.push(...allOf.filter(isJsonObject));
  return parts;
}

/** The alternatives of a node. Exactly one of them and at least one of them are the same to a model. */
export function choiceOf({ anyOf, oneOf }: JsonObject): Json[] | undefined {
  if (Array.isArray(anyOf)) return anyOf;
  return Array.isArray(oneOf) ? oneOf : undefined;
}

/** A node without its alternatives. */
export function withoutChoice({ anyOf: _, oneOf: __, ...rest }: JsonObject): JsonObject {
  return rest;
}
