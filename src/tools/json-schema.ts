import { boundsProblem } from '#mcp/schema/json-bounds.ts';
import { compileSchema } from '#mcp/schema/validate.ts';
import { isJsonObject, type JsonObject } from '#shared/json.ts';

const argumentBounds = { depth: 100, nodes: 100_000 };

/** A schema every provider takes as parameters: what is no object schema becomes an empty one. */
export function processJsonSchema(schema: unknown): JsonObject {
  if (!isJsonObject(schema)) return { type: 'object', properties: {} };
  if (schema.type !== undefined && schema.type !== 'object') {
    return { type: 'object', properties: {} };
  }
  const { properties } = schema;
  if (schema.type === 'object' && isJsonObject(properties)) return schema;
  return { ...schema, type: 'object', properties: isJsonObject(properties) ? properties : {} };
}

/** What is wrong with a call's arguments, in words a model can act on; undefined if nothing is. */
export function validateArguments(schema: JsonObject, args: JsonObject): string | undefined {
  const problem = boundsProblem(args, argumentBounds);
  if (problem) return `The value ${problem}.`;
  return compileSchema(schema).check(args);
}
