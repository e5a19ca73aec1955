import { createRequire } from 'node:module';
import { type Context, createContext, Script } from 'node:vm';
import type * as Library from '@cfworker/json-schema';
import { isJsonObject, type JsonObject } from '#shared/json.ts';
import { boundsProblem } from './json-bounds.ts';
import { isSafePattern } from './pattern-guard.ts';

const schemaBytes = 256 * 1024;
/** A level of a schema is two levels of JSON: the keyword and the schema below it. */
const schemaBounds = { depth: 2 * 32, nodes: 5000 };
const argumentBounds = { depth: 100, nodes: 100_000 };
const validationTime = 250;

type Check = (args: JsonObject) => string | undefined;
const checks = new WeakMap<JsonObject, Check>();
const require = createRequire(import.meta.url);
let watchdog: { script: Script; context: Context } | undefined;

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

/** Why a stranger's schema is not used, if it is not: too large, too deep, or it points elsewhere. */
export function schemaProblem(schema: JsonObject): string | undefined {
  const problem = boundsProblem(schema, schemaBounds);
  if (problem) return `its schema ${problem}.`;
  if (Buffer.byteLength(JSON.stringify(schema)) > schemaBytes) {
    return `its schema is larger than ${schemaBytes} bytes.`;
  }
  const foreign = foreignReference(schema);
  return foreign && `its schema points to ${foreign.slice(0, 200)}, which is never loaded.`;
}

/** What is wrong with a call's arguments, in words a model can act on; undefined if nothing is. */
export function validateArguments(schema: JsonObject, args: JsonObject): string | undefined {
  const problem = boundsProblem(args, argumentBounds);
  if (problem) return `The value ${problem}.`;
  let check = checks.get(schema);
  if (!check) {
    check = compile(schema);
    checks.set(schema, check);
  }
  return check(args);
}

/** The validator is loaded on first use. It works on a copy, because it marks what it reads. */
function compile(schema: JsonObject): Check {
  const problem = schemaProblem(schema);
  if (problem) return () => `The tool cannot be called: ${problem}`;
  const library = require('@cfworker/json-schema') as typeof Library;
  const copy = structuredClone(schema);
  const costly = prepare(copy);
  let validator: Library.Validator;
  try {
    validator = new library.Validator(copy, draftOf(schema), true);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return () => `The tool cannot be called: its schema is wrong (${reason}).`;
  }
  return (args) => judge(() => validator.validate(args), costly);
}

function judge(
  validate: () => { valid: boolean; errors: Library.OutputUnit[] },
  costly: boolean,
): string | undefined {
  try {
    const { valid, errors } = costly ? withinTime(validate) : validate();
    return valid ? undefined : describe(errors);
  } catch (error) {
    // An interrupted check throws an error of another realm.
    const { code, message } = error as NodeJS.ErrnoException;
    const late = code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
    return `The arguments could not be checked (${late ? 'it takes too long' : message}).`;
  }
}

/** The deepest error says most. */
function describe(errors: Library.OutputUnit[]): string {
  const found = errors.at(-1);
  if (!found) return 'The arguments do not fit the schema of the tool.';
  const place = found.instanceLocation.replace(/^#\/?/, '');
  return place === '' ? found.error : `${place}: ${found.error}`;
}

/** Runs with a watchdog that can interrupt even a pattern that matches for ever. */
function withinTime<T>(action: () => T): T {
  watchdog ??= { script: new Script('action()'), context: createContext({}) };
  watchdog.context.action = action;
  return watchdog.script.runInContext(watchdog.context, { timeout: validationTime }) as T;
}

/** Takes unsafe patterns out; true if what is left could still take long. */
function prepare(schema: JsonObject): boolean {
  let costly = false;
  for (const node of objectsIn(schema)) {
    if (typeof node.pattern === 'string' && !isSafePattern(node.pattern)) delete node.pattern;
    if (node.format === 'regex') delete node.format;
    if (isJsonObject(node.patternProperties)) dropUnsafe(node, node.patternProperties);
    costly ||= ['pattern', 'patternProperties', '$ref', 'anyOf', 'oneOf', 'uniqueItems'].some(
      (keyword) => keyword in node,
    );
  }
  return costly;
}

/** Without one of its patterns a schema cannot tell which properties are additional ones. */
function dropUnsafe(node: JsonObject, patterns: JsonObject): void {
  for (const pattern of Object.keys(patterns)) {
    if (isSafePattern(pattern)) continue;
    delete patterns[pattern];
    delete node.additionalProperties;
    delete node.unevaluatedProperties;
  }
}

function foreignReference(schema: JsonObject): string | undefined {
  for (const node of objectsIn(schema)) {
    for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef']) {
      const target = node[keyword];
      if (typeof target === 'string' && !target.startsWith('#')) return target;
    }
  }
  return undefined;
}

function* objectsIn(schema: JsonObject): Generator<JsonObject> {
  const open: unknown[] = [schema];
  while (open.length > 0) {
    const value = open.pop();
    if (isJsonObject(value)) yield value;
    if (typeof value === 'object' && value !== null) open.push(...Object.values(value));
  }
}

function draftOf({ $schema }: JsonObject): Library.SchemaDraft {
  const named = typeof $schema === 'string' ? $schema : '';
  if (named.includes('draft-04')) return '4';
  if (named.includes('draft-06') || named.includes('draft-07')) return '7';
  return named.includes('2019-09') ? '2019-09' : '2020-12';
}
