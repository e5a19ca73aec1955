import { isJsonObject, type Json, type JsonObject } from '#shared/vocabulary/json.ts';
import { choiceOf, flattenSchema, type Source, withoutChoice } from './flatten-schema.ts';
import { addHints } from './hints.ts';
import { distinct } from './keywords.ts';
import { typesOf, valuesOf } from './modern-schema.ts';

const maxLevels = 4;
const maxOptions = 100;

/**
 * The arguments as one object with properties: no vendor takes references or alternatives at the top.
 * Of alternatives, everything any of them knows may be given, and what all of them need must be; what
 * each needs beside that is told in words.
 */
export function openRoot(source: Source): JsonObject {
  const { root } = source;
  const { $ref, allOf, anyOf, oneOf } = root;
  if (($ref ?? allOf ?? anyOf ?? oneOf ?? null) === null) return root;
  const opened = openObject(root, source, maxLevels);
  return { ...opened, type: 'object', properties: mapOf(opened.properties) };
}

function openObject(node: JsonObject, source: Source, levels: number): JsonObject {
  const flat = flattenSchema(node, source);
  const choice = choiceOf(flat);
  const base = withoutChoice(flat);
  if (choice === undefined || levels === 0) return base;
  const options = choice
    .filter(isJsonObject)
    .slice(0, maxOptions)
    .map((option) => openObject(option, source, levels - 1))
    .filter((option) => typesOf(option).length === 0 || typesOf(option).includes('object'));
  return options.length === 0 ? base : addOptions(base, options);
}

function addOptions(base: JsonObject, options: readonly JsonObject[]): JsonObject {
  const properties = new Map(Object.entries(mapOf(base.properties)));
  for (const option of options) {
    for (const [name, value] of Object.entries(mapOf(option.properties))) {
      const known = properties.get(name);
      properties.set(name, known === undefined ? value : either(known, value));
    }
  }
  const always = options
    .map(namesOf)
    .reduce((common, required) => common.filter((name) => required.includes(name)));
  const required = distinct([...namesOf(base), ...always]);
  const closed = options.every(({ additionalProperties }) => additionalProperties === false);
  const opened: JsonObject = {
    ...base,
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    ...(closed && { additionalProperties: false }),
  };
  const others = options.map((option) => ({
    required: namesOf(option).filter((name) => !required.includes(name)),
  }));
  if (others.every((option) => option.required.length > 0)) {
    addHints(opened, { anyOf: distinct(others) }, ['anyOf']);
  }
  return opened;
}

/** A property that several alternatives have: what tells them apart becomes one list of values. */
function either(first: Json, second: Json): Json {
  if (JSON.stringify(first) === JSON.stringify(second)) return first;
  if (!isJsonObject(first) || !isJsonObject(second)) return first === false ? second : first;
  const [left, right] = [valuesOf(first), valuesOf(second)];
  if (left !== undefined && right !== undefined) {
    const { const: _, type: __, ...rest } = first;
    return { ...rest, enum: distinct([...left, ...right]) };
  }
  const known =
    Object.keys(first).length === 1 && Array.isArray(first.anyOf) ? first.anyOf : [first];
  return { anyOf: distinct([...known, second]) };
}

function namesOf({ required }: JsonObject): Json[] {
  return Array.isArray(required) ? required : [];
}

function mapOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
