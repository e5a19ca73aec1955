import { createRequire } from 'node:module';
import type * as Library from '@cfworker/json-schema';
import { say } from '#shared/errors/sentence.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import { type Check, type Misfit, misfit, Unchecked } from './check.ts';
import { guardPattern, withinTime } from './pattern-guard.ts';

const validationMs = 150;
const require = createRequire(import.meta.url);

/**
 * The check of a schema with keywords or of a draft that our own compiler does not know, by a whole
 * validator under a watchdog. The library is loaded on first use and works on a copy, because it
 * marks what it reads.
 */
export function fullCheck(schema: JsonObject): Check {
  const library = require('@cfworker/json-schema') as typeof Library;
  const copy = structuredClone(schema);
  for (const node of objectsIn(copy)) prepare(node);
  const validator = new library.Validator(copy, draftOf(schema), true);
  return (value) => {
    try {
      const { valid, errors } = withinTime(() => validator.validate(value), validationMs);
      return valid ? undefined : describe(errors);
    } catch (error) {
      if (error instanceof Unchecked) throw error;
      throw new Unchecked(error instanceof Error ? error.message : String(error));
    }
  };
}

/** The deepest error says most. */
function describe(errors: Library.OutputUnit[]): Misfit {
  const error = errors.at(-1);
  if (!error) return misfit(say('not-the-schema')`doesn't match the schema`);
  const path = error.instanceLocation.replace(/^#\/?/, '').split('/').filter(Boolean);
  return { path, text: error.error };
}

/** Takes out formats, which assert nothing, and patterns that are not safe; knows OpenAPI's null. */
function prepare(node: JsonObject): void {
  if (node.nullable === true && typeof node.type === 'string') node.type = [node.type, 'null'];
  if (typeof node.format === 'string') delete node.format;
  if (typeof node.pattern === 'string' && !guardPattern(node.pattern)) delete node.pattern;
  if (!isJsonObject(node.patternProperties)) return;
  for (const pattern of Object.keys(node.patternProperties)) {
    if (guardPattern(pattern)) continue;
    // Without one of its patterns a schema cannot tell which properties are additional ones.
    delete node.patternProperties[pattern];
    delete node.additionalProperties;
    delete node.unevaluatedProperties;
  }
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
