import { say } from '#shared/errors/sentence.ts';
import { isJsonObject, type JsonObject, resolvePointer } from '#shared/vocabulary/json.ts';
import { arrayChecks } from './array-checks.ts';
import { type Check, type Compile, type Misfit, misfit, spend, Unchecked } from './check.ts';
import { objectChecks } from './object-checks.ts';
import { valueChecks } from './scalar-checks.ts';

const maxReferences = 400;
/** Keywords that need more than the schema they stand in; schemas with them go elsewhere. */
const rareKeywords = [
  '$anchor',
  '$dynamicAnchor',
  '$dynamicRef',
  '$recursiveAnchor',
  '$recursiveRef',
  'dependencies',
  'unevaluatedItems',
  'unevaluatedProperties',
];

interface Compilation {
  root: JsonObject;
  /** Before 2019-09 nothing beside a `$ref` counts. */
  refStandsAlone: boolean;
  rare: boolean;
  targets: Map<unknown, { check: Check }>;
  open: unknown[];
}

const fits: Check = () => undefined;

/**
 * A schema as functions, made without generating code. `format` is a remark and asserts nothing, as
 * 2020-12 has it. Undefined where the schema uses one of the rare keywords.
 */
export function compileChecks(schema: JsonObject): Check | undefined {
  const dialect = typeof schema.$schema === 'string' ? schema.$schema : '';
  if (dialect.includes('draft-03') || dialect.includes('draft-04')) return undefined;
  const compilation: Compilation = {
    root: schema,
    refStandsAlone: /draft-0[67]/.test(dialect),
    rare: false,
    targets: new Map(),
    open: [],
  };
  const compile: Compile = (inner) => compileSchema(inner, compilation, compile);
  const check = compile(schema);
  while (compilation.open.length > 0 && !compilation.rare) {
    const target = compilation.open.pop();
    const holder = compilation.targets.get(target);
    if (holder) holder.check = compile(target);
  }
  return compilation.rare ? undefined : check;
}

function compileSchema(schema: unknown, compilation: Compilation, compile: Compile): Check {
  if (schema === false) return () => misfit(say('not-allowed-here')`isn't allowed`);
  if (!isJsonObject(schema)) return fits;
  const nested = typeof schema.$id === 'string' && schema !== compilation.root;
  if (nested || rareKeywords.some((keyword) => Object.hasOwn(schema, keyword))) {
    compilation.rare = true;
    return fits;
  }
  const { $ref } = schema;
  const reference = typeof $ref === 'string' ? followReference($ref, compilation) : undefined;
  if (reference && compilation.refStandsAlone) return reference;
  const judged = every([
    ...valueChecks(schema),
    ...(reference ? [reference] : []),
    ...objectChecks(schema, compile),
    ...arrayChecks(schema, compile),
    ...logicChecks(schema, compile),
  ]);
  // OpenAPI's word for a type that may be null; models are told so, too.
  return schema.nullable === true
    ? (value, run) => (value === null ? undefined : judged(value, run))
    : judged;
}

function every(checks: Check[]): Check {
  const [only, ...others] = checks;
  if (!only) return fits;
  if (others.length === 0) {
    return (value, run) => {
      spend(run, 1);
      return only(value, run);
    };
  }
  return (value, run) => {
    spend(run, checks.length);
    for (const check of checks) {
      const found = check(value, run);
      if (found) return found;
    }
    return undefined;
  };
}

/** Targets are compiled one after the other, so that long chains of references need no stack. */
function followReference(reference: string, compilation: Compilation): Check {
  if (!/^#(?:\/|$)/.test(reference)) {
    compilation.rare = true;
    return fits;
  }
  const target = resolvePointer(compilation.root, reference);
  if (target === undefined) {
    return () => {
      throw new Unchecked(
        say('schema-nothing-at')`its schema has nothing at ${reference.slice(0, 200)}`,
      );
    };
  }
  let holder = compilation.targets.get(target);
  if (!holder) {
    holder = { check: fits };
    compilation.targets.set(target, holder);
    compilation.open.push(target);
  }
  const found = holder;
  return (value, run) => {
    if (run.references >= maxReferences)
      throw new Unchecked(say('schema-of-itself')`its schema refers to itself`);
    run.references += 1;
    const judged = found.check(value, run);
    run.references -= 1;
    return judged;
  };
}

function logicChecks(schema: JsonObject, compile: Compile): Check[] {
  const checks: Check[] = [];
  const { allOf, anyOf, oneOf } = schema;
  if (Array.isArray(allOf)) checks.push(every(allOf.map(compile)));
  if (Array.isArray(anyOf) && anyOf.length > 0) checks.push(anyCheck(anyOf.map(compile)));
  if (Array.isArray(oneOf) && oneOf.length > 0) checks.push(oneCheck(oneOf.map(compile)));
  if (schema.not !== undefined) checks.push(notCheck(compile(schema.not)));
  if (schema.if !== undefined) {
    const otherwise = schema.else === undefined ? fits : compile(schema.else);
    const then = schema.then === undefined ? fits : compile(schema.then);
    checks.push(conditionCheck(compile(schema.if), then, otherwise));
  }
  return checks;
}

function anyCheck(branches: Check[]): Check {
  return (value, run) => {
    let closest: Misfit | undefined;
    for (const branch of branches) {
      const found = branch(value, run);
      if (!found) return undefined;
      if (!closest || found.path.length > closest.path.length) closest = found;
    }
    return closest ?? misfit(say('fits-none')`doesn't match any of the allowed forms`);
  };
}

function oneCheck(branches: Check[]): Check {
  return (value, run) => {
    let closest: Misfit | undefined;
    let count = 0;
    for (const branch of branches) {
      const found = branch(value, run);
      if (!found) count += 1;
      else if (!closest || found.path.length > closest.path.length) closest = found;
    }
    if (count === 1) return undefined;
    if (count > 1)
      return misfit(
        say('fits-several')`matches ${count} of the allowed forms, but must match exactly one`,
      );
    return closest ?? misfit(say('fits-none')`doesn't match any of the allowed forms`);
  };
}

function notCheck(check: Check): Check {
  return (value, run) =>
    check(value, run) ? undefined : misfit(say('excluded-kind')`is of an excluded type`);
}

function conditionCheck(condition: Check, then: Check, otherwise: Check): Check {
  return (value, run) => (condition(value, run) ? otherwise(value, run) : then(value, run));
}
