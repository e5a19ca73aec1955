import { counted, say } from '#shared/errors/sentence.ts';
import type { Json, JsonObject } from '#shared/vocabulary/json.ts';
import { canonicalJson } from './canonical-json.ts';
import { below, type Check, type Compile, misfit, type Run, spend } from './check.ts';

type ArrayCheck = (value: unknown[], run: Run) => ReturnType<Check>;

/** The checks of a schema that look at the items of a list. What is malformed asks nothing. */
export function arrayChecks(schema: JsonObject, compile: Compile): Check[] {
  const checks = [
    lengthCheck(schema),
    itemsCheck(schema, compile),
    containsCheck(schema, compile),
    uniqueCheck(schema),
  ];
  return checks
    .filter((check) => check !== undefined)
    .map((check) => (value, run) => (Array.isArray(value) ? check(value, run) : undefined));
}

function lengthCheck({ minItems, maxItems }: JsonObject): ArrayCheck | undefined {
  const least = typeof minItems === 'number' ? minItems : 0;
  const most = typeof maxItems === 'number' ? maxItems : Infinity;
  if (least <= 0 && most === Infinity) return undefined;
  return ({ length }) => {
    if (length < least)
      return misfit(say('items-least')`must have at least ${counted(least, 'item')}`);
    return length > most
      ? misfit(say('items-most')`must have at most ${counted(most, 'item')}`)
      : undefined;
  };
}

/** Drafts before 2020-12 write `items` and `additionalItems` for `prefixItems` and `items`. */
function itemsCheck(schema: JsonObject, compile: Compile): ArrayCheck | undefined {
  const old = Array.isArray(schema.items);
  const firstSchemas = old ? schema.items : schema.prefixItems;
  const restSchema = old ? schema.additionalItems : schema.items;
  const first = Array.isArray(firstSchemas) ? firstSchemas.map(compile) : [];
  const rest = restSchema === undefined ? undefined : compile(restSchema);
  if (first.length === 0 && !rest) return undefined;
  return (value, run) => {
    for (const [index, item] of value.entries()) {
      const check = first[index] ?? rest;
      if (!check) return undefined;
      const found = check(item, run);
      if (found) return below(index, found);
    }
    return undefined;
  };
}

function containsCheck(schema: JsonObject, compile: Compile): ArrayCheck | undefined {
  const { contains, minContains, maxContains } = schema;
  if (contains === undefined) return undefined;
  const check = compile(contains);
  const least = typeof minContains === 'number' ? minContains : 1;
  const most = typeof maxContains === 'number' ? maxContains : Infinity;
  return (value, run) => {
    let count = 0;
    for (const item of value) if (!check(item, run)) count += 1;
    if (count < least)
      return misfit(
        say('contains-least')`must contain at least ${counted(least, 'matching item')}`,
      );
    return count > most
      ? misfit(say('contains-most')`must contain at most ${counted(most, 'matching item')}`)
      : undefined;
  };
}

function uniqueCheck({ uniqueItems }: JsonObject): ArrayCheck | undefined {
  if (uniqueItems !== true) return undefined;
  return (value, run) => {
    const seen = new Set<string>();
    for (const [index, item] of value.entries()) {
      const canonical = canonicalJson(item as Json);
      spend(run, 1 + canonical.length / 8);
      if (seen.has(canonical))
        return below(index, misfit(say('item-twice')`is already in the list`));
      seen.add(canonical);
    }
    return undefined;
  };
}
