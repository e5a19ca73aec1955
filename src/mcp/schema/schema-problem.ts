import { isJsonObject, type JsonObject } from '#shared/json.ts';
import { truncate } from '#shared/text.ts';

/** A level of a schema is two levels of JSON: the keyword and the schema below it. */
const bounds = { depth: 2 * 32, nodes: 5000, characters: 256 * 1024 };
const references = ['$ref', '$dynamicRef', '$recursiveRef'];
/** Below these stands data, not schemas. */
const dataKeywords = new Set(['const', 'enum', 'default', 'examples']);

/** What one look at a whole schema tells. */
interface Look {
  nodes: number;
  characters: number;
  /** A key that is, or is named like, a reference to elsewhere. */
  pointsElsewhere: boolean;
  /** The key that was looked for is somewhere in it. */
  hasKey: boolean;
}

/** Why a stranger's schema is not used, if it is not: out of bounds, or it needs what we never load. */
export function schemaProblem(schema: JsonObject): string | undefined {
  return inspectSchema(schema).problem;
}

/** The same, and whether a key occurs anywhere in the schema. One walk: lists of tools are long. */
export function inspectSchema(
  schema: JsonObject,
  key?: string,
): { problem?: string; hasKey: boolean } {
  const look: Look = { nodes: 0, characters: 0, pointsElsewhere: false, hasKey: false };
  const deepEnough = walk(schema, bounds.depth, look, key);
  const problem = judge(schema, look, deepEnough);
  return { ...(problem !== undefined && { problem }), hasKey: look.hasKey };
}

function judge(schema: JsonObject, look: Look, deepEnough: boolean): string | undefined {
  if (look.nodes > bounds.nodes) return `its schema has more than ${bounds.nodes} values.`;
  if (look.characters > bounds.characters) {
    return `its schema is larger than ${bounds.characters} characters.`;
  }
  if (!deepEnough) return `its schema is nested more than ${bounds.depth} levels deep.`;
  const { $schema } = schema;
  if (typeof $schema === 'string' && !/^https?:\/\/json-schema\.org\//.test($schema)) {
    return `its schema is written in ${truncate($schema, 200)}, which is not supported.`;
  }
  const foreign = look.pointsElsewhere ? foreignReference(schema) : undefined;
  return foreign && `its schema points to ${truncate(foreign, 200)}, which is never loaded.`;
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
      look.pointsElsewhere ||= references.includes(name);
    }
    if (!walk(inner, depth - 1, look, key)) return false;
  }
  return true;
}

function foreignReference(value: unknown): string | undefined {
  if (Array.isArray(value)) return firstForeign(value);
  if (!isJsonObject(value)) return undefined;
  for (const keyword of references) {
    const target = value[keyword];
    if (typeof target === 'string' && !target.startsWith('#')) return target;
  }
  const schemas = Object.keys(value).filter((key) => !dataKeywords.has(key));
  return firstForeign(schemas.map((key) => value[key]));
}

function firstForeign(values: unknown[]): string | undefined {
  for (const value of values) {
    const found = foreignReference(value);
    if (found !== undefined) return found;
  }
  return undefined;
}
