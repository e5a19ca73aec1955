import { counted, say, type Sentence } from '#shared/errors/sentence.ts';
import { typeWords } from '#shared/errors/type-words.ts';
import { countCharacters } from '#shared/text/text.ts';
import type { Json, JsonObject } from '#shared/vocabulary/json.ts';
import { canonicalJson } from './canonical-json.ts';
import { type Check, misfit, spend } from './check.ts';
import { guardPattern } from './pattern-guard.ts';

const types: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

/** The checks of a schema that look at a value as a whole. What is malformed asks nothing. */
export function valueChecks(schema: JsonObject): Check[] {
  const checks: Check[] = [];
  const type = typeCheck(schema.type);
  if (type) checks.push(type);
  if (schema.const !== undefined) checks.push(enumCheck([schema.const]));
  if (Array.isArray(schema.enum)) checks.push(enumCheck(schema.enum));
  return [...checks, ...textChecks(schema), ...numberChecks(schema)];
}

/** Names of types that no draft has are not asked for. */
function typeCheck(type: Json | undefined): Check | undefined {
  const names = (Array.isArray(type) ? type : [type]).filter((name) => typeof name === 'string');
  const tests = names.flatMap((name) => (Object.hasOwn(types, name) ? [types[name]] : []));
  const [test, ...others] = tests;
  if (!test || tests.length < names.length) return undefined;
  const text = typeWords(names);
  if (others.length === 0) return (value) => (test(value) ? undefined : misfit(text));
  return (value) => (tests.some((each) => each?.(value)) ? undefined : misfit(text));
}

function enumCheck(values: Json[]): Check {
  const isPlain = (value: Json) => typeof value !== 'object' || value === null;
  const plain: ReadonlySet<unknown> = new Set(values.filter(isPlain));
  const others = new Set(values.filter((value) => !isPlain(value)).map(canonicalJson));
  const shown = values.slice(0, 20).map((value) => JSON.stringify(value).slice(0, 100));
  const more = values.length > shown.length ? ', …' : '';
  const given = `${shown.join(', ')}${more}`;
  const text =
    values.length > 1
      ? say('must-be-one-of')`must be one of ${given}`
      : say('must-be')`must be ${given}`;
  return (value, run) => {
    if (plain.has(value)) return undefined;
    if (others.size === 0 || typeof value !== 'object' || value === null) return misfit(text);
    const canonical = canonicalJson(value as Json);
    spend(run, canonical.length / 8);
    return others.has(canonical) ? undefined : misfit(text);
  };
}

function textChecks({ minLength, maxLength, pattern }: JsonObject): Check[] {
  const checks: Check[] = [];
  if (typeof minLength === 'number') {
    const text = say('text-least')`must be at least ${counted(minLength, 'character')} long`;
    checks.push(
      forText((value, run) => {
        if (value.length >= 2 * minLength) return undefined;
        spend(run, value.length / 16);
        return countCharacters(value) >= minLength ? undefined : misfit(text);
      }),
    );
  }
  if (typeof maxLength === 'number') {
    const text = say('text-most')`must be at most ${counted(maxLength, 'character')} long`;
    checks.push(
      forText((value, run) => {
        if (value.length <= maxLength) return undefined;
        if (value.length > 2 * maxLength) return misfit(text);
        spend(run, value.length / 16);
        return countCharacters(value) <= maxLength ? undefined : misfit(text);
      }),
    );
  }
  const matches = typeof pattern === 'string' ? guardPattern(pattern) : undefined;
  if (matches) {
    const text = say('text-pattern')`must match the pattern ${JSON.stringify(pattern)}`;
    checks.push(forText((value, run) => (matches(value, run) ? undefined : misfit(text))));
  }
  return checks;
}

function forText(check: (value: string, run: Parameters<Check>[1]) => ReturnType<Check>): Check {
  return (value, run) => (typeof value === 'string' ? check(value, run) : undefined);
}

const comparisons: [
  string,
  (value: number, bound: number) => boolean,
  (bound: number) => Sentence,
][] = [
  [
    'minimum',
    (value, bound) => value >= bound,
    (bound) => say('at-least')`must be at least ${bound}`,
  ],
  [
    'maximum',
    (value, bound) => value <= bound,
    (bound) => say('at-most')`must be at most ${bound}`,
  ],
  [
    'exclusiveMinimum',
    (value, bound) => value > bound,
    (bound) => say('more-than')`must be more than ${bound}`,
  ],
  [
    'exclusiveMaximum',
    (value, bound) => value < bound,
    (bound) => say('less-than')`must be less than ${bound}`,
  ],
  ['multipleOf', isMultiple, (bound) => say('multiple-of')`must be a multiple of ${bound}`],
];

function numberChecks(schema: JsonObject): Check[] {
  return comparisons.flatMap(([keyword, holds, words]): Check[] => {
    const bound = schema[keyword];
    if (typeof bound !== 'number') return [];
    const text = words(bound);
    return [
      (value) => (typeof value !== 'number' || holds(value, bound) ? undefined : misfit(text)),
    ];
  });
}

/** Up to the rounding of decimal fractions. */
function isMultiple(value: number, step: number): boolean {
  if (step <= 0) return true;
  const rest = Math.abs(value % step);
  const slack = 1e-9 * Math.min(1, step);
  return rest <= slack || step - rest <= slack || Number.isInteger(value / step);
}
