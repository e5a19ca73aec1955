import { Validator } from '@cfworker/json-schema';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textOf } from '#shared/errors/sentence.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { newRun } from './check.ts';
import { compileChecks } from './compile.ts';

const names = ['a', 'b', 'toString', 'x1'];
const name = fc.constantFrom(...names);
const small = fc.integer({ min: 0, max: 4 });

/** Values that are likely to meet the schemas below. */
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom(null, true, false, 0, 1, 2, 3.5, -1, '', 'a', 'ab', '😀', 'x1', '12'),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4 }),
  ),
}));

const types = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'];
const type = fc.constantFrom(...types);

const { schema } = fc.letrec<{ schema: unknown }>((tie) => {
  const inner = tie('schema');
  const list = fc.array(inner, { minLength: 1, maxLength: 3 });
  const byName = fc.dictionary(name, inner, { maxKeys: 3 });
  const anyOf = (keywords: Record<string, fc.Arbitrary<unknown>>, needed: string[] = []) =>
    fc.record(keywords, { requiredKeys: needed });
  /** Keywords that work together come together. */
  const groups = [
    anyOf({ type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })) }),
    anyOf({ enum: fc.array(value, { minLength: 1, maxLength: 4 }) }, ['enum']),
    anyOf({ const: value }, ['const']),
    anyOf({ minimum: small, maximum: small, multipleOf: fc.integer({ min: 1, max: 3 }) }),
    anyOf({ exclusiveMinimum: small, exclusiveMaximum: small }),
    anyOf({ minLength: small, maxLength: small }),
    anyOf({ pattern: fc.constantFrom('^a', '^[0-9]+$', 'b$', '^x\\d?$') }, ['pattern']),
    anyOf({
      properties: byName,
      patternProperties: fc.dictionary(fc.constantFrom('^a', '\\d$'), inner, { maxKeys: 2 }),
      additionalProperties: fc.oneof(inner, fc.constant(false)),
    }),
    anyOf({ required: fc.uniqueArray(name, { maxLength: 2 }), properties: byName }),
    anyOf({ propertyNames: inner, minProperties: small, maxProperties: small }),
    anyOf({
      dependentRequired: fc.dictionary(name, fc.uniqueArray(name, { maxLength: 2 })),
      dependentSchemas: byName,
    }),
    anyOf({ prefixItems: list, items: inner }),
    anyOf({ minItems: small, maxItems: small, uniqueItems: fc.boolean() }),
    anyOf({ contains: inner, minContains: small, maxContains: small }, ['contains']),
    anyOf({ allOf: list, not: inner }),
    anyOf({ anyOf: list }, ['anyOf']),
    anyOf({ oneOf: list }, ['oneOf']),
    anyOf(Object.fromEntries(['if', 'then', 'else'].map((key) => [key, inner])), ['if']),
    anyOf({ $ref: fc.constantFrom('#/$defs/one', '#/$defs/two') }, ['$ref']),
  ];
  const chosen = fc
    .subarray(groups, { minLength: 1, maxLength: 3 })
    .chain((few) => fc.tuple(...few))
    .map((parts) => Object.assign({}, ...parts) as object);
  return { schema: fc.oneof({ maxDepth: 3, depthSize: 'small' }, fc.boolean(), chosen) };
});

/** References lead to `$defs`, whose own schemas lead nowhere else. */
const leaf = fc.oneof(
  fc.record({ type }),
  fc.record({ enum: fc.array(value, { minLength: 1, maxLength: 3 }) }),
  fc.record({ properties: fc.record({ a: fc.record({ type }) }), required: fc.constant(['a']) }),
);
const root = fc
  .tuple(schema, leaf, leaf)
  .filter(([body]) => typeof body === 'object')
  .map(([body, one, two]) => ({ ...(body as object), $defs: { one, two } }) as JsonObject);

describe('compileChecks', () => {
  it('judges as a whole validator does', () => {
    let fitting = 0;
    fc.assert(
      fc.property(root, fc.array(value, { minLength: 5, maxLength: 5 }), (rootSchema, values) => {
        const plain = JSON.parse(JSON.stringify(rootSchema)) as JsonObject;
        const check = compileChecks(plain);
        const oracle = new Validator(structuredClone(plain), '2020-12', true);
        for (const each of values) {
          const { valid } = oracle.validate(each);
          if (valid) fitting += 1;
          const found = check?.(each, newRun());
          if ((found === undefined) !== valid) {
            throw new Error(
              `${JSON.stringify(each)} fits: ${valid}, but: ${textOf(found?.text ?? 'nothing')}`,
            );
          }
        }
      }),
      { numRuns: 5000 },
    );
    expect(fitting).toBeGreaterThan(500);
  });

  it.each([
    { unevaluatedProperties: false },
    { properties: { a: { unevaluatedItems: false } } },
    { $defs: { a: { $anchor: 'x', type: 'string' } }, $ref: '#x' },
    { $dynamicRef: '#node' },
    { properties: { a: { $id: 'http://x/other' } } },
    { dependencies: { a: ['b'] } },
    { $schema: 'http://json-schema.org/draft-04/schema#', minimum: 1, exclusiveMinimum: true },
  ])('leaves %j to a whole validator', (rare) => {
    expect(compileChecks(rare as unknown as JsonObject)).toBeUndefined();
  });

  it('does not take names of properties for keywords', () => {
    const schema = { properties: { $anchor: { type: 'string' }, dependencies: true, $id: {} } };
    expect(compileChecks(schema as JsonObject)?.({ $anchor: 1 }, newRun())).toMatchObject({
      path: ['$anchor'],
      text: { text: 'must be a string' },
    });
  });
});
