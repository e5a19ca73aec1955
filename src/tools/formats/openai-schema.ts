import type { Json, JsonObject } from '#shared/vocabulary/json.ts';
import { commonSchema } from './common-schema.ts';
import { choiceOf, flattenSchema, withoutChoice } from './flatten-schema.ts';
import { addHints } from './hints.ts';
import { processJsonSchema } from './json-schema.ts';
import { typesOf } from './modern-schema.ts';
import {
  type ConvertedSchema,
  type Dialect,
  isPortableReference,
  keepReference,
  keepRequired,
  keywordsOf,
  requiresOnlyOwn,
  rewriteSchema,
  type Walk,
} from './rewrite-schema.ts';
import { toStrictSchema } from './strict-schema.ts';
import { tupleAsList } from './tuple.ts';

/** What is said in words because OpenAI has no keyword for it, or not in every mode. */
const hinted = [
  'not',
  'if',
  'then',
  'else',
  'patternProperties',
  'propertyNames',
  'dependentRequired',
  'dependentSchemas',
  'contains',
];
const annotations = ['title', 'description', 'default', 'examples'];

const dialect: Dialect = {
  keywords: keywordsOf(
    'type title description default examples enum properties required additionalProperties items ' +
      'anyOf $ref $defs minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength ' +
      'maxLength pattern format minItems maxItems uniqueItems minProperties maxProperties',
  ),
  booleans: false,
  bounds: { depth: 64, nodes: 5000 },

  accepts(node, { root }, { depth }) {
    if (depth === 0 ? node.enum !== undefined : node.$defs !== undefined) return false;
    if (node.$ref !== undefined)
      return isPortableReference(node.$ref as string, root) && isOnlyReference(node);
    return requiresOnlyOwn(node) && (node.items !== undefined || !mayBeList(node));
  },

  repair(node, walk, { depth }) {
    const reference = typeof node.$ref === 'string' ? keepReference(node.$ref, walk) : undefined;
    if (reference !== undefined && depth > 0) return { node: toReference(node, reference) };
    return { node: repairNode(node, walk, depth) };
  },
};

/**
 * The schema of a tool's arguments as OpenAI takes it. With `strict` it is one that OpenAI enforces,
 * if there is one: what was optional may then come as null.
 */
export function toOpenAiSchema(
  schema: unknown,
  options?: { strict?: boolean },
): ConvertedSchema & { strict?: boolean } {
  const given = processJsonSchema(schema);
  const common = commonSchema(given, 'part');
  const converted = common === undefined ? rewriteSchema(given, dialect) : { schema: common };
  if (!options?.strict || 'problem' in converted) return converted;
  const enforced = toStrictSchema(converted.schema);
  return enforced === undefined ? converted : { schema: enforced, strict: true };
}

function repairNode(node: JsonObject, walk: Walk, depth: number): JsonObject {
  const flat = flattenSchema(node, walk);
  const choice = choiceOf(flat);
  const { const: value, prefixItems, $defs, ...rest } = withoutChoice(flat);
  const repaired: JsonObject = {};
  for (const keyword of Object.keys(rest)) {
    if (dialect.keywords.has(keyword)) repaired[keyword] = rest[keyword] as Json;
  }
  if (value !== undefined) repaired.enum = [value];
  if (choice !== undefined) repaired.anyOf = choice;
  if (Array.isArray(prefixItems)) Object.assign(repaired, tupleAsList(prefixItems, rest));
  else if (mayBeList(repaired)) repaired.items ??= {};
  if (depth === 0) {
    delete repaired.enum;
    if ($defs !== undefined) repaired.$defs = $defs;
  }
  // What the patterns allow must not be forbidden with them.
  if (rest.patternProperties !== undefined && repaired.additionalProperties === false) {
    delete repaired.additionalProperties;
  }
  keepRequired(repaired);
  if (!requiresOnlyOwn(repaired)) delete repaired.required;
  addHints(repaired, rest, hinted);
  return repaired;
}

function toReference(node: JsonObject, reference: string): JsonObject {
  const kept: JsonObject = {};
  for (const keyword of annotations) {
    const value = node[keyword];
    if (value !== undefined) kept[keyword] = value;
  }
  return { ...kept, $ref: reference };
}

function isOnlyReference(node: JsonObject): boolean {
  for (const keyword in node) {
    if (keyword !== '$ref' && !annotations.includes(keyword)) return false;
  }
  return true;
}

function mayBeList(node: JsonObject): boolean {
  return node.type === 'array' || (Array.isArray(node.type) && typesOf(node).includes('array'));
}
