import { boundsProblem } from '#mcp/schema/json-bounds.ts';
import { isJsonObject, type Json } from '#shared/vocabulary/json.ts';

/** What a keyword of JSON Schema 2020-12 has to hold. */
export type Shape =
  | 'text'
  | 'pattern'
  | 'number'
  | 'step'
  | 'count'
  | 'flag'
  | 'names'
  | 'namesMap'
  | 'type'
  | 'values'
  | 'value'
  | 'list'
  | 'schema'
  | 'schemas'
  | 'schemaMap';

const byShape: Record<Shape, string> = {
  text: 'title description format $ref',
  pattern: 'pattern',
  number: 'minimum maximum exclusiveMinimum exclusiveMaximum',
  step: 'multipleOf',
  count:
    'minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains',
  flag: 'uniqueItems deprecated readOnly writeOnly',
  names: 'required',
  namesMap: 'dependentRequired',
  type: 'type',
  values: 'enum',
  value: 'const default',
  list: 'examples',
  schema:
    'items additionalProperties unevaluatedItems unevaluatedProperties contains propertyNames not if then else',
  schemas: 'anyOf oneOf allOf prefixItems',
  schemaMap: 'properties patternProperties dependentSchemas $defs',
};

/** Every keyword that means something, with what it has to hold. What is not here is left out. */
export const shapes: ReadonlyMap<string, Shape> = new Map(
  (Object.keys(byShape) as Shape[]).flatMap((shape) =>
    byShape[shape].split(' ').map((keyword): [string, Shape] => [keyword, shape]),
  ),
);

/** The types there are. */
export const typeNames: ReadonlySet<Json> = new Set([
  'object',
  'array',
  'string',
  'number',
  'integer',
  'boolean',
  'null',
]);

/** Data inside a schema is only passed on; it must not be able to exhaust its writer. */
const dataBounds = { depth: 32, nodes: 2000, characters: 64 * 1024 };

/** Whether a keyword's value is what the keyword has to hold; schemas below it are not looked at. */
export function fits(shape: Shape, value: Json | undefined): boolean {
  switch (shape) {
    case 'text':
      return typeof value === 'string';
    case 'type':
      return typeof value === 'string' ? typeNames.has(value) : isTypeList(value);
    case 'schemaMap':
      return isJsonObject(value);
    case 'schema':
      return isJsonObject(value) || typeof value === 'boolean';
    case 'schemas':
      return Array.isArray(value) && value.length > 0;
    case 'names':
      return isNames(value);
    case 'values':
      return Array.isArray(value) && value.length > 0 && isData(value) && !hasTwins(value);
    case 'value':
      return isData(value);
    case 'list':
      return Array.isArray(value) && isData(value);
    default:
      return fitsScalar(shape, value);
  }
}

function fitsScalar(shape: Shape, value: Json | undefined): boolean {
  switch (shape) {
    case 'number':
      return Number.isFinite(value);
    case 'step':
      return Number.isFinite(value) && Number(value) > 0;
    case 'count':
      return Number.isSafeInteger(value) && Number(value) >= 0;
    case 'flag':
      return typeof value === 'boolean';
    case 'pattern':
      return typeof value === 'string' && isPortable(value);
    default:
      return isJsonObject(value) && Object.values(value).every(isNames);
  }
}

function isTypeList(value: Json | undefined): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((name) => typeNames.has(name)) &&
    !hasTwins(value)
  );
}

function isNames(value: Json | undefined): boolean {
  if (!Array.isArray(value)) return false;
  for (const name of value) if (typeof name !== 'string') return false;
  return !hasTwins(value);
}

function isData(value: Json | undefined): boolean {
  if (typeof value !== 'object' || value === null) return value !== undefined;
  return boundsProblem(value, dataBounds) === undefined;
}

/** Whether a value stands twice in a list. */
function hasTwins(values: readonly Json[]): boolean {
  if (values.length < 2) return false;
  if (values.length > 12 || values.some(isCompound)) return distinct(values).length < values.length;
  for (let index = 1; index < values.length; index++) {
    if (values.indexOf(values[index] as Json) < index) return true;
  }
  return false;
}

/** Each value once, in the order of the first. */
export function distinct<T extends Json>(values: readonly T[]): T[] {
  const seen = new Map<string, T>();
  for (const value of values) {
    const key = JSON.stringify(value);
    if (!seen.has(key)) seen.set(key, value);
  }
  return [...seen.values()];
}

function isCompound(value: Json): boolean {
  return typeof value === 'object' && value !== null;
}

/**
 * Whether every vendor's regular expressions know the pattern: no look-around, no Unicode classes, no
 * range from a class such as `[\w-.]`.
 */
function isPortable(pattern: string): boolean {
  if (pattern.length > 1000 || /\(\?(?!:)|\\[pPkuUxcbBAzZGQE1-9]/.test(pattern)) return false;
  if (/\[[^\]]*(\\[dDsSwW]-[^\]]|[^\\[]-\\[dDsSwW])/.test(pattern)) return false;
  try {
    RegExp(pattern);
    return true;
  } catch {
    return false;
  }
}
