import { say, type Words } from '#shared/errors/sentence.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { commonSchema } from './common-schema.ts';
import { processJsonSchema } from './json-schema.ts';
import { shapes } from './keywords.ts';
import {
  type ConvertedSchema,
  type Dialect,
  isPortableReference,
  keepReference,
  keepRequired,
  requiresOnlyOwn,
  rewriteSchema,
} from './rewrite-schema.ts';

/** Up to 64 characters: a counted repeat is slow to compile. */
const legalName = /^[a-zA-Z0-9_.-]+$/;

/** JSON Schema 2020-12 as it is; references lead to the `$defs` of the root. */
const dialect: Dialect = {
  keywords: shapes,
  booleans: true,
  bounds: { depth: 64, nodes: 5000 },

  accepts(node, { root }, { depth }) {
    if (node.$defs !== undefined && depth > 0) return false;
    if (typeof node.$ref === 'string' && !isPortableReference(node.$ref, root)) return false;
    return depth > 0 || requiresOnlyOwn(node);
  },

  repair(node, walk, { depth }) {
    const repaired = { ...node };
    if (depth > 0) delete repaired.$defs;
    else keepRequired(repaired);
    if (typeof node.$ref === 'string') {
      const reference = keepReference(node.$ref, walk);
      if (reference === undefined) delete repaired.$ref;
      else repaired.$ref = reference;
    }
    return { node: repaired };
  },
};

/** The schema of a tool's arguments as Anthropic takes it. */
export function toAnthropicSchema(schema: unknown): ConvertedSchema {
  const given = processJsonSchema(schema);
  const common = commonSchema(given, 'whole');
  const converted = common === undefined ? rewriteSchema(given, dialect) : { schema: common };
  if ('problem' in converted) return converted;
  const problem = nameProblem(converted.schema);
  return problem === undefined ? converted : { problem };
}

/** One illegal name makes Anthropic refuse the whole request. Names further down are free. */
function nameProblem({ properties }: JsonObject): Words | undefined {
  for (const name in properties as JsonObject) {
    if (name.length > 64 || !legalName.test(name)) {
      return say(
        'anthropic-parameter',
      )`Anthropic doesn't accept a parameter named ${JSON.stringify(name.slice(0, 100))}.`;
    }
  }
  return undefined;
}
