import { boundsProblem } from '#mcp/schema/json-bounds.ts';
import { compileSchema } from '#mcp/schema/validate.ts';
import { say, type Words } from '#shared/errors/sentence.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';

const argumentBounds = { depth: 100, nodes: 100_000 };

const processed = new WeakMap<JsonObject, JsonObject>();

/**
 * A schema every provider takes as parameters: what is no object schema becomes an empty one, all else
 * stays. The same schema comes back for the same schema, so that what is made of it can be kept.
 */
export function processJsonSchema(schema: unknown): JsonObject {
  if (!isJsonObject(schema)) return { type: 'object', properties: {} };
  if (schema.type === 'object' && isJsonObject(schema.properties) && !('nullable' in schema))
    return schema;
  const known = processed.get(schema);
  if (known !== undefined) return known;
  const made = toObjectSchema(schema);
  processed.set(schema, made);
  return made;
}

function toObjectSchema(schema: JsonObject): JsonObject {
  // Arguments are an object always, whatever OpenAPI says of it.
  const { nullable: _, ...told } = schema;
  const { type, properties } = told;
  const types = Array.isArray(type) ? type : [type ?? 'object'];
  if (!types.includes('object')) return { type: 'object', properties: {} };
  return { ...told, type: 'object', properties: isJsonObject(properties) ? properties : {} };
}

/** What is wrong with a call's arguments, in words a model can act on; undefined if nothing is. */
export function validateArguments(schema: JsonObject, args: JsonObject): Words | undefined {
  const problem = boundsProblem(args, argumentBounds);
  if (problem) return say('the-value')`The value ${problem}.`;
  return compileSchema(schema).check(args);
}
