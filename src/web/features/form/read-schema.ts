import { isFormat } from '#shared/api/form.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  resolvePointer,
} from '#shared/vocabulary/json.ts';
import type {
  ChoiceOption,
  FormNode,
  FormProperty,
  NodeShape,
  NumberNode,
  Schema,
  TextNode,
} from './form-node.ts';

const mostDepth = 8;
const mostNodes = 600;
/** A text that may be this long is one of several lines. */
const longTextChars = 5000;

interface Reading {
  root: Schema;
  /** Nodes that may still be made; a stranger's schema must not make a page of thousands. */
  left: number;
}

/** What a form shows for a schema. Never throws: what it does not understand becomes JSON. */
export function readSchema(schema: Schema): FormNode {
  return readNode(schema, { root: schema, left: mostNodes }, 0);
}

function readNode(given: Json | undefined, reading: Reading, depth: number): FormNode {
  reading.left -= 1;
  const found = isJsonObject(given) ? resolve(given, reading.root) : undefined;
  if (!found || depth > mostDepth || reading.left < 0) return asJson(found?.schema ?? {}, true);
  const { schema, nullable } = found;
  const base = { ...words(schema), nullable };
  if (hasAlternatives(schema)) return { ...base, kind: 'json', types: typesOf(schema) };
  const options = readOptions(schema);
  if (options) return { ...base, kind: 'choice', options };
  switch (typeOf(schema)) {
    case 'string':
      return { ...base, ...textNode(schema) };
    case 'number':
    case 'integer':
      return { ...base, ...numberNode(schema) };
    case 'boolean':
      return { ...base, kind: 'boolean' };
    case 'array':
      return { ...base, ...listNode(schema, reading, depth) };
    case 'object':
      return { ...base, ...objectNode(schema, reading, depth) };
    default:
      return { ...base, kind: 'json', types: typesOf(schema) };
  }
}

/** A schema without its `$ref` and without the alternative that it may be null. */
function resolve(given: Schema, root: Schema): { schema: Schema; nullable: boolean } | undefined {
  let schema = given;
  let nullable = false;
  for (let step = 0; step < 20; step += 1) {
    const target = typeof schema.$ref === 'string' ? follow(schema.$ref, root) : undefined;
    if (schema.$ref !== undefined) {
      if (!target) return undefined;
      const { $ref: _, ...rest } = schema;
      schema = { ...target, ...rest };
      continue;
    }
    const only = soleAlternative(schema);
    if (!only) return { schema, nullable: nullable || allowsNull(schema) };
    const { anyOf: _, oneOf: __, allOf: ___, ...rest } = schema;
    schema = { ...only.schema, ...rest };
    nullable ||= only.nullable;
  }
  return undefined;
}

/** `#/$defs/name` and its like; addresses elsewhere are never followed. */
function follow(reference: string, root: Schema): Schema | undefined {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  const target = resolvePointer(root, reference);
  return isJsonObject(target) ? target : undefined;
}

/** `anyOf` or `oneOf` with one alternative besides null, or an `allOf` of one. */
function soleAlternative(schema: Schema): { schema: Schema; nullable: boolean } | undefined {
  const list = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (!Array.isArray(list) || (list.length !== 1 && schema.allOf !== undefined)) return undefined;
  const others = list.filter((each) => !(isJsonObject(each) && each.type === 'null'));
  const [only] = others;
  if (others.length !== 1 || !isJsonObject(only) || only.const !== undefined) return undefined;
  return { schema: only, nullable: others.length < list.length };
}

function allowsNull({ type, enum: values, const: only, nullable }: Schema): boolean {
  if (nullable === true || only === null || (Array.isArray(type) && type.includes('null')))
    return true;
  return Array.isArray(values) && values.includes(null);
}

/** Whether parts of a schema say more than a plain field can show. */
function hasAlternatives(schema: Schema): boolean {
  const { anyOf, oneOf, allOf, if: condition, not, patternProperties, dependentSchemas } = schema;
  if (condition ?? allOf ?? not ?? patternProperties ?? dependentSchemas) return true;
  return (anyOf ?? oneOf) !== undefined && readOptions(schema) === undefined;
}

/** `enum` (with `enumNames`), or `oneOf` and `anyOf` of titled constants; undefined if it is no choice. */
function readOptions(schema: Schema): ChoiceOption[] | undefined {
  const titled = schema.oneOf ?? schema.anyOf;
  if (Array.isArray(titled)) {
    const options = titled.map(constant);
    return options.every((option) => option !== undefined) ? options : undefined;
  }
  if (schema.const !== undefined) return [named(schema.const)];
  if (!Array.isArray(schema.enum)) return undefined;
  const names = Array.isArray(schema.enumNames) ? schema.enumNames : [];
  return schema.enum.flatMap((value, index) =>
    value === null ? [] : [named(value, names[index])],
  );
}

function constant(option: Json): ChoiceOption | undefined {
  if (!isJsonObject(option) || option.const === undefined) return undefined;
  return named(option.const, option.title);
}

function named(value: Json, title?: Json): ChoiceOption {
  if (typeof title === 'string' && title !== '') return { value, title };
  return { value, title: typeof value === 'string' ? value : JSON.stringify(value) };
}

function typesOf({ type }: Schema): string[] {
  const types = Array.isArray(type) ? type : [type];
  return types.filter((each): each is string => typeof each === 'string');
}

/** The one type besides null; told from its parts where a schema does not name it. */
function typeOf(schema: Schema): string | undefined {
  const types = typesOf(schema).filter((type) => type !== 'null');
  if (types.length === 1) return types[0];
  if (types.length > 1) return undefined;
  if (isJsonObject(schema.properties)) return 'object';
  return schema.items === undefined ? undefined : 'array';
}

function textNode(schema: Schema): TextNode {
  const { format, maxLength, pattern, writeOnly } = schema;
  const plain = !isFormat(format) && format !== 'password';
  return {
    kind: 'text',
    ...(isFormat(format) && { format }),
    ...bound('least', schema.minLength),
    ...bound('most', maxLength),
    ...(typeof pattern === 'string' && { pattern }),
    lines: plain && typeof maxLength === 'number' && maxLength > longTextChars,
    secret: format === 'password' || writeOnly === true,
  };
}

function numberNode(schema: Schema): NumberNode {
  return {
    kind: 'number',
    integer: typeOf(schema) === 'integer',
    ...bound('least', schema.minimum),
    ...bound('most', schema.maximum),
    ...bound('above', schema.exclusiveMinimum),
    ...bound('below', schema.exclusiveMaximum),
    ...bound('step', schema.multipleOf),
  };
}

function listNode(schema: Schema, reading: Reading, depth: number): NodeShape {
  const { items, prefixItems, uniqueItems } = schema;
  if (!isJsonObject(items) || prefixItems !== undefined) return { kind: 'json', types: ['array'] };
  const item = readNode(items, reading, depth + 1);
  const bounds = { ...bound('least', schema.minItems), ...bound('most', schema.maxItems) };
  if (item.kind === 'choice' && !item.nullable)
    return { kind: 'choices', options: item.options, ...bounds };
  return { kind: 'list', item, unique: uniqueItems === true, ...bounds };
}

function objectNode(schema: Schema, reading: Reading, depth: number): NodeShape {
  const { properties, required, additionalProperties } = schema;
  const entries = isJsonObject(properties) ? Object.entries(properties) : [];
  const open = additionalProperties !== false;
  // Many servers mean none where they say nothing about the arguments of a tool.
  const isMap = open && (depth > 0 || additionalProperties !== undefined);
  if (entries.length === 0 && isMap) return { kind: 'json', types: ['object'] };
  const needed = new Set<Json>(Array.isArray(required) ? required : []);
  const read = ([name, field]: [string, Json], index: number): FormProperty => {
    // Each gets a fair part: a deep field must not make JSON of the plain ones after it.
    const fair = Math.max(1, Math.floor(reading.left / (entries.length - index)));
    const part = Math.min(fair, reading.left);
    const own = { ...reading, left: part };
    const node = readNode(field, own, depth + 1);
    reading.left -= part - own.left;
    return { name, required: needed.has(name), node };
  };
  return { kind: 'object', properties: entries.map(read), closed: !open };
}

function bound<K extends string>(name: K, value: Json | undefined): { [key in K]?: number } {
  return (typeof value === 'number' ? { [name]: value } : {}) as { [key in K]?: number };
}

function words(schema: JsonObject): Pick<FormNode, 'title' | 'description' | 'default'> {
  const { title, description, default: given } = schema;
  return {
    ...(typeof title === 'string' && title !== '' && { title }),
    ...(typeof description === 'string' && description !== '' && { description }),
    ...(given !== undefined && { default: given }),
  };
}

function asJson(schema: Schema, nullable: boolean): FormNode {
  return { ...words(schema), nullable, kind: 'json', types: [] };
}
