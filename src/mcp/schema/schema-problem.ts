import { say, type Words } from '#shared/errors/sentence.ts';
import { truncate } from '#shared/text/text.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { type Kind, kindBelow, localReferences } from './local-references.ts';

/** A level of a schema is two levels of JSON: the keyword and the schema below it. */
const bounds = { depth: 2 * 32, nodes: 5000, characters: 256 * 1024 };
const references = new Set(['$ref', '$dynamicRef', '$recursiveRef']);
const ownNames = new Set(['$id', '$anchor', '$dynamicAnchor']);
/** What a value of a list counts that is no text. */
const valueSize = 8;

/** What one look at a whole schema tells. */
interface Look {
  nodes: number;
  characters: number;
  /** A key that is, or is named like, a reference to elsewhere. */
  pointsElsewhere: boolean;
  /** A key that is, or is named like, a name that references may use. */
  hasNames: boolean;
  /** The key that was looked for is somewhere in it. */
  hasKey: boolean;
}

/** What a look at a stranger's schema gives. */
interface Inspected {
  /** The schema with its own references as pointers: see localReferences. */
  schema: JsonObject;
  /** Why it is not used, if it is not: out of bounds, or it needs what we never load. */
  problem?: Words;
  /** Whether the key occurs anywhere in it. */
  hasKey: boolean;
}

/** Looks at a stranger's schema before anything else does. One walk: lists of tools are long. */
export function inspectSchema(schema: JsonObject, key?: string): Inspected {
  const look: Look = {
    nodes: 0,
    characters: 0,
    pointsElsewhere: false,
    hasNames: false,
    hasKey: false,
  };
  const deepEnough = walk(schema, bounds.depth, look, key);
  const local = deepEnough && look.hasNames ? localReferences(schema) : schema;
  const problem = judge(local, look, deepEnough);
  return { schema: local, ...(problem !== undefined && { problem }), hasKey: look.hasKey };
}

function judge(schema: JsonObject, look: Look, deepEnough: boolean): Words | undefined {
  if (look.nodes > bounds.nodes)
    return say('schema-values')`its schema has more than ${bounds.nodes} values.`;
  if (look.characters > bounds.characters) {
    return say('schema-characters')`its schema has more than ${bounds.characters} characters.`;
  }
  if (!deepEnough)
    return say('schema-depth')`its schema is nested more than ${bounds.depth} levels deep.`;
  const { $schema } = schema;
  if (typeof $schema === 'string' && !/^https?:\/\/json-schema\.org\//.test($schema)) {
    return say(
      'schema-language',
    )`its schema uses ${truncate($schema, 200)}, which isn't supported.`;
  }
  const foreign = look.pointsElsewhere ? foreignReference(schema, 'schema') : undefined;
  return (
    foreign &&
    say('schema-foreign')`its schema refers to ${truncate(foreign, 200)}, which isn't loaded.`
  );
}

/** False where it ends early: the schema is out of bounds. Never deeper than the bound. */
function walk(value: unknown, depth: number, look: Look, key: string | undefined): boolean {
  look.nodes += 1;
  if (typeof value === 'string') look.characters += value.length;
  if (look.nodes > bounds.nodes || look.characters > bounds.characters) return false;
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (!walk(item, depth - 1, look, key)) return false;
    return true;
  }
  const object = value as Record<string, unknown>;
  for (const name in object) {
    const inner = object[name];
    look.characters += name.length;
    if (name === key) look.hasKey = true;
    if (typeof inner === 'string' && name.endsWith('ef') && !inner.startsWith('#')) {
      look.pointsElsewhere ||= references.has(name);
    }
    if (ownNames.has(name)) look.hasNames = true;
    const isList = name === 'enum' && Array.isArray(inner);
    if (!(isList ? walkValues(inner, depth, look, key) : walk(inner, depth - 1, look, key)))
      return false;
  }
  return true;
}

/** Values to choose from may be many: texts and numbers cost no more than their characters. */
function walkValues(
  values: unknown[],
  depth: number,
  look: Look,
  key: string | undefined,
): boolean {
  for (const value of values) {
    if (typeof value === 'object' && value !== null) {
      if (depth < 2 || !walk(value, depth - 2, look, key)) return false;
    } else look.characters += typeof value === 'string' ? value.length + 1 : valueSize;
    if (look.characters > bounds.characters) return false;
  }
  return true;
}

function foreignReference(value: unknown, kind: Kind): string | undefined {
  if (kind === 'data' || typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const isReference = kind === 'schema' && references.has(key);
    if (isReference && typeof inner === 'string' && !inner.startsWith('#')) return inner;
    const found = foreignReference(inner, Array.isArray(value) ? kind : kindBelow(kind, key));
    if (found !== undefined) return found;
  }
  return undefined;
}
