import { createHash } from 'node:crypto';
import { say, type Words } from '#shared/errors/sentence.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { type Check, newRun, Unchecked } from './check.ts';
import { compileChecks } from './compile.ts';
import { fullCheck } from './full-validator.ts';
import { inspectSchema } from './schema-problem.ts';

/** A schema that was too slow so often is not tried again. */
const maxLateChecks = 3;
const maxCached = 1000;

/** A schema that values can be checked against. */
export interface CompiledSchema {
  /** What is wrong with a value, in words a model can act on; undefined if nothing is. Never throws. */
  check(value: unknown): Words | undefined;
}

const bySchema = new WeakMap<JsonObject, CompiledSchema>();
const byHash = new Map<string, CompiledSchema>();

/**
 * Compiles a stranger's schema; one that was seen before, by its content and never by its `$id`, is
 * not compiled again. Time and memory of a check are bounded, nothing is loaded from anywhere.
 */
export function compileSchema(schema: JsonObject): CompiledSchema {
  const known = bySchema.get(schema);
  if (known) return known;
  const compiled = fromHash(schema);
  bySchema.set(schema, compiled);
  return compiled;
}

/** The least recently compiled one makes room. */
function fromHash(given: JsonObject): CompiledSchema {
  const { schema, problem } = inspectSchema(given);
  if (problem) return { check: () => say('unchecked')`couldn't be checked: ${problem}` };
  const hash = createHash('sha256').update(JSON.stringify(schema)).digest('base64');
  const compiled = byHash.get(hash) ?? compile(schema);
  byHash.delete(hash);
  byHash.set(hash, compiled);
  const [oldest] = byHash.keys();
  if (byHash.size > maxCached && oldest !== undefined) byHash.delete(oldest);
  return compiled;
}

function compile(schema: JsonObject): CompiledSchema {
  let check: Check;
  try {
    check = compileChecks(schema) ?? fullCheck(schema);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      check: () => say('unchecked-wrong')`couldn't be checked: its schema is invalid (${reason})`,
    };
  }
  let late = 0;
  return {
    check(value) {
      if (late >= maxLateChecks)
        return say('unchecked-late')`couldn't be checked: its schema takes too long to evaluate`;
      try {
        return judge(check, value);
      } catch (error) {
        if (error instanceof Unchecked && error.late) late += 1;
        return say('unchecked')`couldn't be checked: ${reasonOf(error)}`;
      }
    },
  };
}

function reasonOf(error: unknown): Words {
  if (error instanceof Unchecked) return error.reason;
  return error instanceof Error ? error.message : String(error);
}

function judge(check: Check, value: unknown): Words | undefined {
  const found = check(value, newRun());
  if (!found) return undefined;
  const place = found.path.join('/');
  return place === '' ? found.text : say('misfit-at')`${place}: ${found.text}`;
}
