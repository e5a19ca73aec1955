import { say, type Words } from '#shared/errors/sentence.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import { choiceOf, flattenSchema, withoutChoice } from './flatten-schema.ts';
import { geminiNode, isGeminiNode, isNull, words } from './gemini-node.ts';
import { processJsonSchema } from './json-schema.ts';
import { distinct } from './keywords.ts';
import { leanSchema } from './lean-schema.ts';
import { mergeSchemas } from './merge-schemas.ts';
import { modernise, valuesOf } from './modern-schema.ts';
import {
  type ConvertedSchema,
  type Dialect,
  keywordsOf,
  rewriteSchema,
  type Trail,
  type Walk,
} from './rewrite-schema.ts';
import { nameOfReference } from './schema-references.ts';

/** How often a schema is written out inside itself. */
const maxRepeats = 2;
const maxChoices = 8;
/** Up to 64 characters: a counted repeat is slow to compile. */
const legalName = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
const besideText = new Set(['const', 'enum', 'type', 'title', 'description']);

/** The subset of OpenAPI 3.0 that function declarations are written in: it has no references. */
const dialect: Dialect = {
  keywords: new Map([
    ...keywordsOf(
      'type title description enum properties required items anyOf minimum maximum minLength ' +
        'maxLength pattern format minItems maxItems minProperties maxProperties',
    ),
    ['nullable', 'flag'],
  ]),
  booleans: false,
  bounds: { depth: 32, nodes: 2000 },

  accepts: (node) => isGeminiNode(node),

  repair(node, walk, { trail }) {
    const blocked = repeatedIn(trail);
    if (typeof node.$ref === 'string' && blocked.has(node.$ref)) {
      return { node: cutOff(node.$ref) };
    }
    const used = new Set(blocked);
    const repaired = choose(flattenSchema(node, walk, used), walk, used);
    return { node: repaired, trail: extend(trail, used.difference(blocked)) };
  },
};

/** The schema of a tool's arguments as Gemini takes it in `parameters`. */
export function toGeminiSchema(schema: unknown): ConvertedSchema {
  const given = processJsonSchema(schema);
  const lean = leanSchema(given);
  const converted = lean === undefined ? rewriteSchema(given, dialect) : { schema: lean };
  if ('problem' in converted) return converted;
  const problem = nameProblem(converted.schema);
  return problem === undefined ? converted : { problem };
}

/** Alternatives stand alone: what is said beside them is said in each of them. */
function choose(flat: JsonObject, walk: Walk, used: Set<string>): JsonObject {
  let node = flat;
  let nullable = false;
  for (let round = 0; round < maxChoices; round++) {
    const choice = choiceOf(node);
    const base = withoutChoice(node);
    const options = (choice ?? []).filter(isJsonObject).map(modernise);
    const real = options.filter((option) => !isNull(option));
    nullable ||= real.length < options.length;
    const [only] = real;
    if (!real.some(isMeaningful) || only === undefined) return orNull(geminiNode(base), nullable);
    if (real.length > 1) return orNull(eitherOf(real, base), nullable);
    node = flattenSchema(mergeSchemas(base, only), walk, used);
  }
  return orNull(geminiNode(withoutChoice(node)), nullable);
}

function eitherOf(options: JsonObject[], base: JsonObject): JsonObject {
  const listed = options.flatMap((option) => (isOneText(option) ? (valuesOf(option) ?? []) : []));
  if (options.every(isOneText)) {
    return geminiNode({ ...base, type: 'string', enum: distinct(listed) });
  }
  const { title: _, description: __, default: ___, ...said } = base;
  return { ...words(base), anyOf: options.map((option) => mergeSchemas(option, said)) };
}

/** An alternative that is only a text, as in a list of values with a title each. */
function isOneText(option: JsonObject): boolean {
  return (
    Object.keys(option).every((keyword) => besideText.has(keyword)) &&
    (valuesOf(option)?.every((value) => typeof value === 'string') ?? false)
  );
}

/** Whether an alternative says what a value is, and not only what it needs besides. */
function isMeaningful(option: JsonObject): boolean {
  const { required: _, not: __, title: ___, description: ____, ...telling } = option;
  return Object.keys(telling).length > 0;
}

function orNull(node: JsonObject, nullable: boolean): JsonObject {
  return nullable ? { ...node, nullable: true } : node;
}

function cutOff(reference: string): JsonObject {
  return { type: 'object', description: `Again ${nameOfReference(reference)}, as above.` };
}

function repeatedIn(trail: Trail | undefined): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (let step = trail; step !== undefined; step = step.before) {
    counts.set(step.reference, (counts.get(step.reference) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count >= maxRepeats).map(([name]) => name));
}

function extend(trail: Trail | undefined, references: ReadonlySet<string>): Trail | undefined {
  let extended = trail;
  for (const reference of references) extended = { reference, before: extended };
  return extended;
}

function nameProblem({ properties }: JsonObject): Words | undefined {
  for (const name in properties as JsonObject | undefined) {
    if (name.length > 64 || !legalName.test(name)) {
      return say(
        'gemini-parameter',
      )`Gemini doesn't accept a parameter named ${JSON.stringify(name.slice(0, 100))}.`;
    }
  }
  return undefined;
}
