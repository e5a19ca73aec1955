import type { Json, JsonObject } from '#shared/vocabulary/json.ts';
import { fitsNode } from './fits-node.ts';
import type { FormNode, FormProperty, Schema } from './form-node.ts';
import { readSchema } from './read-schema.ts';

/** What a form for a schema begins with: its defaults, and empty holders for what must be given. */
export function defaultsOf(schema: Schema): JsonObject {
  const node = readSchema(schema);
  return node.kind === 'object' ? objectDefaults(node.properties) : {};
}

/** What a value begins with when a person adds it. */
export function startOf(node: FormNode): Json | undefined {
  if (node.default !== undefined && fitsNode(node, node.default)) return node.default;
  switch (node.kind) {
    case 'boolean':
      return false;
    case 'choice':
      return node.options.length === 1 ? node.options[0]?.value : undefined;
    case 'choices':
    case 'list':
      return [];
    case 'object':
      return objectDefaults(node.properties);
    case 'text':
    case 'number':
    case 'json':
      return undefined;
  }
}

function objectDefaults(properties: FormProperty[]): JsonObject {
  const entries = properties.flatMap(({ name, required, node }): [string, Json][] => {
    // An optional null is what leaving it out says, and would only stand in the way of typing.
    const isGiven = node.default !== undefined && node.default !== null;
    const value = required || isGiven ? startOf(node) : undefined;
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}
