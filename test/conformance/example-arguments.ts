import { isJsonObject, type Json, type JsonObject } from '#shared/vocabulary/json.ts';

/** Arguments that suit a simple schema: one value for each required property. */
export function exampleArguments(schema: JsonObject): JsonObject {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const names = required.filter((name): name is string => typeof name === 'string');
  return Object.fromEntries(names.map((name) => [name, exampleValue(properties[name])]));
}

function exampleValue(schema: Json | undefined): Json {
  if (!isJsonObject(schema)) return 'example';
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0] ?? null;
  switch (schema.type) {
    case 'number':
    case 'integer':
      return typeof schema.minimum === 'number' ? schema.minimum : 1;
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'object':
      return exampleArguments(schema);
    default:
      return 'example';
  }
}
