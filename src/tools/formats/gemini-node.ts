import { isJsonObject, type Json, type JsonObject } from '#shared/vocabulary/json.ts';
import { addHints } from './hints.ts';
import { typesOf, valuesOf } from './modern-schema.ts';
import { keepRequired, requiresOnlyOwn } from './rewrite-schema.ts';
import { tupleAsList } from './tuple.ts';

/** What Gemini takes beside each type; everything else there is refused. */
const byType: Record<string, ReadonlySet<string>> = {
  object: keys('properties required minProperties maxProperties'),
  array: keys('items minItems maxItems'),
  string: keys('enum format pattern minLength maxLength'),
  number: keys('format minimum maximum'),
  integer: keys('format minimum maximum'),
  boolean: keys(''),
};
/** What may stand in every node. */
const besideType = new Set(['type', 'title', 'description', 'nullable']);
const besideChoice: ReadonlySet<string> = new Set(['title', 'description', 'nullable', 'anyOf']);
const formats: Record<string, ReadonlySet<Json>> = {
  string: new Set(['date-time', 'enum']),
  number: new Set(['float', 'double']),
  integer: new Set(['int32', 'int64']),
};
const anything = ['string', 'number', 'boolean', 'object', 'array'];
/** Lists of lists of anything end somewhere. */
const anyItem: JsonObject = {
  anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'object' }],
  nullable: true,
};
/** What is told in words because there is no keyword for it. */
const hinted = [
  'default',
  'multipleOf',
  'uniqueItems',
  'not',
  'if',
  'then',
  'else',
  'patternProperties',
  'propertyNames',
  'dependentRequired',
  'contains',
];
/** Keywords that tell a type where none is named. */
const meaning: [string, RegExp][] = [
  ['object', /^(properties|required|additionalProperties|patternProperties|m..Properties)$/],
  ['array', /^(items|prefixItems|m..Items|uniqueItems|contains)$/],
  ['string', /^(pattern|m..Length|format)$/],
  ['number', /^(minimum|maximum|exclusiveM..imum|multipleOf)$/],
];

/** Whether Gemini takes a node, of known keywords, as it is. */
export function isGeminiNode(node: JsonObject): boolean {
  const { type, anyOf } = node;
  if (Array.isArray(anyOf)) {
    return has(node, besideChoice) && anyOf.length > 1 && !anyOf.some(needsMore);
  }
  const taken = typeof type === 'string' ? byType[type] : undefined;
  if (taken === undefined || !has(node, taken, besideType)) return false;
  if (node.format !== undefined && !isGeminiFormat(type, node.format)) return false;
  if (type === 'array') return isJsonObject(node.items);
  if (type === 'string') return !Array.isArray(node.enum) || node.enum.every(isWord);
  return type !== 'object' || (requiresOnlyOwn(node) && hasOnlySchemas(node.properties));
}

/** Whether Gemini knows a format of a type. */
export function isGeminiFormat(type: Json | undefined, format: Json): boolean {
  return formats[type as string]?.has(format) ?? false;
}

/** Alternatives that are better said otherwise: null, and single values that make one list. */
function needsMore(option: Json): boolean {
  return isNull(option) || (isJsonObject(option) && option.const !== undefined);
}

/** A node Gemini takes, of one that has neither references nor alternatives. */
export function geminiNode(node: JsonObject): JsonObject {
  const types = typesMeant(node);
  const allowsNull = types.includes('null') || valuesOf(node)?.includes(null) === true;
  const nullable = allowsNull || types.length === 0;
  const real = types.filter((type) => type !== 'null');
  const mark: JsonObject = nullable ? { nullable: true } : {};
  if (types.length > 0 && real.length === 0) return { ...words(node), type: 'string', ...mark };
  const [only] = real;
  if (real.length === 1 && only !== undefined) return { ...ofType(node, only), ...mark };
  const { title: _, description: __, default: ___, ...rest } = node;
  const options = real.length > 0 ? real : anything;
  const choice: JsonObject = {
    ...words(node),
    anyOf: options.map((type) => ofType(rest, type)),
    ...mark,
  };
  addHints(choice, node, ['default']);
  return choice;
}

/** Whether a schema allows nothing but null. */
export function isNull(node: Json): boolean {
  if (!isJsonObject(node)) return false;
  const said = valuesOf(node);
  return node.type === 'null' || (said !== undefined && said.every((value) => value === null));
}

/** What a person wrote about a node. */
export function words({ title, description }: JsonObject): JsonObject {
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
  };
}

function typesMeant(node: JsonObject): string[] {
  const named = typesOf(node).map(String);
  if (named.length > 0)
    return named.filter((type) => type !== 'integer' || !named.includes('number'));
  const listed = valuesOf(node);
  if (listed !== undefined) return [...new Set(listed.map(typeOfValue))];
  const keywords = Object.keys(node);
  return meaning
    .filter(([, tells]) => keywords.some((key) => tells.test(key)))
    .map(([type]) => type);
}

function ofType(node: JsonObject, type: string): JsonObject {
  const typed: JsonObject = { ...words(node), type };
  for (const keyword of byType[type] ?? []) {
    const value = node[keyword];
    if (value !== undefined) typed[keyword] = value;
  }
  const unsaid: JsonObject = {};
  for (const keyword of hinted) if (node[keyword] !== undefined) unsaid[keyword] = node[keyword];
  setFormat(typed, unsaid, type);
  setValues(typed, unsaid, node, type);
  if (type === 'number' || type === 'integer') setLimits(typed, unsaid, node, type);
  if (type === 'array') setItems(typed, node);
  if (type === 'object') setProperties(typed, unsaid, node);
  addHints(typed, unsaid, Object.keys(unsaid));
  return typed;
}

function setFormat(typed: JsonObject, unsaid: JsonObject, type: string): void {
  if (typed.format === undefined || isGeminiFormat(type, typed.format)) return;
  unsaid.format = typed.format;
  delete typed.format;
}

/** Only texts can be listed, and none of them may be empty. */
function setValues(typed: JsonObject, unsaid: JsonObject, node: JsonObject, type: string): void {
  delete typed.enum;
  const listed = valuesOf(node)?.filter((value) => matches(value, type)) ?? [];
  if (listed.length === 0) return;
  if (type === 'string' && listed.every(isWord)) typed.enum = listed;
  else unsaid['one of'] = listed;
}

function setLimits(typed: JsonObject, unsaid: JsonObject, node: JsonObject, type: string): void {
  const { exclusiveMinimum: low, exclusiveMaximum: high, minimum, maximum } = node;
  if (typeof low === 'number') {
    const least = type === 'integer' ? Math.floor(low) + 1 : low;
    typed.minimum = Math.max(least, typeof minimum === 'number' ? minimum : least);
    if (type === 'number') unsaid.exclusiveMinimum = low;
  }
  if (typeof high !== 'number') return;
  const greatest = type === 'integer' ? Math.ceil(high) - 1 : high;
  typed.maximum = Math.min(greatest, typeof maximum === 'number' ? maximum : greatest);
  if (type === 'number') unsaid.exclusiveMaximum = high;
}

function setItems(typed: JsonObject, node: JsonObject): void {
  if (Array.isArray(node.prefixItems)) Object.assign(typed, tupleAsList(node.prefixItems, node));
  if (!isJsonObject(typed.items)) typed.items = anyItem;
}

function setProperties(typed: JsonObject, unsaid: JsonObject, node: JsonObject): void {
  if (!hasOnlySchemas(typed.properties)) {
    const { properties } = typed;
    const told = Object.entries(isJsonObject(properties) ? properties : {});
    const possible = told.filter(([, schema]) => schema !== false);
    delete typed.properties;
    if (possible.length > 0) typed.properties = Object.fromEntries(possible);
  }
  keepRequired(typed);
  if (!requiresOnlyOwn(typed)) delete typed.required;
  if (isJsonObject(node.additionalProperties) && !isEmpty(node.additionalProperties)) {
    unsaid.additionalProperties = node.additionalProperties;
  }
}

function matches(value: Json, type: string): boolean {
  const own = typeOfValue(value);
  return own === type || (own === 'integer' && type === 'number');
}

function typeOfValue(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function isWord(value: Json): boolean {
  return typeof value === 'string' && value !== '';
}

/** An empty map is refused, and a property that may never be there is not told. */
function hasOnlySchemas(properties: Json | undefined): boolean {
  if (!isJsonObject(properties)) return properties === undefined;
  return !isEmpty(properties) && !Object.values(properties).includes(false);
}

function isEmpty(value: Json | undefined): boolean {
  for (const _ in value as JsonObject | undefined) return false;
  return value !== undefined;
}

function keys(names: string): ReadonlySet<string> {
  return new Set(names.split(' '));
}

function has(node: JsonObject, own: ReadonlySet<string>, common?: ReadonlySet<string>): boolean {
  for (const keyword in node) if (!own.has(keyword) && !common?.has(keyword)) return false;
  return true;
}
