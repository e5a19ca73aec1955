import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '#shared/vocabulary/json.ts';
import { impossibleSchemas, oddSchemas } from '../../../test/fixtures/odd-schemas.ts';
import { toAnthropicSchema } from './anthropic-schema.ts';
import { commonSchema } from './common-schema.ts';
import { toGeminiSchema } from './gemini-schema.ts';
import { leanSchema } from './lean-schema.ts';
import { toOpenAiSchema } from './openai-schema.ts';
import type { ConvertedSchema } from './rewrite-schema.ts';

interface Way {
  quick: (schema: JsonObject) => JsonObject | undefined;
  convert: (schema: unknown) => ConvertedSchema;
}

const ways: Record<string, Way> = {
  OpenAI: {
    quick: (schema) => commonSchema(schema, 'part'),
    convert: (schema) => toOpenAiSchema(schema),
  },
  Anthropic: { quick: (schema) => commonSchema(schema, 'whole'), convert: toAnthropicSchema },
  Gemini: { quick: leanSchema, convert: toGeminiSchema },
};

/** A keyword that no vendor knows: the short way refuses it, the full rewriting drops it. */
const closer = (schema: JsonObject): JsonObject => ({ ...schema, 'x-closer': true });

const names = fc.constantFrom('a', 'b', 'type', 'properties', '$ref', '__proto__', 'constructor');

/** What servers say of one argument, the first keyword always, now and then with a value that does not belong there. */
const anyNode = fc.letrec<{ node: JsonObject; map: JsonObject }>((tie) => {
  const node = tie('node');
  const noise = fc.constantFrom<Json[]>(true, false, null, -1, 0.5, 'x', '', [], {}, ['a', 'a']);
  const mostly = (arbitrary: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
    fc.oneof({ arbitrary, weight: 60 }, { arbitrary: noise, weight: 1 });
  const says = (said: Record<string, fc.Arbitrary<Json>>): fc.Arbitrary<JsonObject> =>
    fc.record(
      Object.fromEntries(Object.entries(said).map(([key, value]) => [key, mostly(value)])),
      { requiredKeys: Object.keys(said).slice(0, 1) as [] },
    ) as fc.Arbitrary<JsonObject>;
  const words = {
    description: fc.constantFrom<Json[]>('words', ''),
    title: fc.constant<Json>('Title'),
    default: fc.constantFrom<Json[]>('a', 1, true, null, ['a'], { a: 1 }),
  };
  const count = fc.constantFrom<Json[]>(0, 1, 20, 2 ** 40);
  const list = fc.array(node, { maxLength: 3 }) as fc.Arbitrary<Json>;
  const reference = fc.constantFrom<Json[]>(
    '#/$defs/a',
    '#/$defs/b',
    '#/definitions/a',
    '#/$defs/__proto__',
    '#/$defs/none',
    '#/properties/a',
    '#',
    '#/$defs/a%62',
  );
  const enumOf = fc.uniqueArray(fc.constantFrom<Json[]>('a', 'b', 'c', '', 1, null), {
    maxLength: 3,
  }) as fc.Arbitrary<Json>;
  return {
    node: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      says({
        type: fc.constant('string'),
        ...words,
        enum: enumOf,
        format: fc.constantFrom<Json[]>('uri', 'date-time', 'enum'),
        minLength: count,
        maxLength: count,
        pattern: fc.constantFrom<Json[]>('^a$', '(?=a)', '['),
      }),
      says({
        type: fc.constantFrom<Json[]>('integer', 'number'),
        ...words,
        minimum: count,
        maximum: count,
        exclusiveMinimum: count,
        format: fc.constantFrom<Json[]>('int32', 'double', 'x'),
      }),
      says({ type: fc.constantFrom<Json[]>('boolean', 'null', 'STRING', 'any'), ...words }),
      says({
        type: fc.constantFrom<Json[]>(
          ['string', 'null'],
          ['null', 'array'],
          ['string'],
          ['integer', 'string'],
        ),
        ...words,
        enum: enumOf,
        items: node,
      }),
      says({
        type: fc.constant('array'),
        ...words,
        items: node,
        minItems: count,
        uniqueItems: fc.boolean(),
      }),
      says({
        type: fc.constant('object'),
        ...words,
        properties: tie('map'),
        required: fc.uniqueArray(names, { maxLength: 3 }),
        additionalProperties: fc.oneof<fc.Arbitrary<Json>[]>(fc.boolean(), node, fc.constant({})),
        minProperties: count,
      }),
      says({ anyOf: list, ...words, nullable: fc.boolean() }),
      says({ oneOf: list, ...words, not: node }),
      says({
        anyOf: fc.tuple(node, fc.constant({ type: 'null' })),
        ...words,
      }),
      says({ $ref: reference, ...words }),
      says({ const: fc.constantFrom<Json[]>('a', '', 1, null, { a: 1 }), ...words, enum: enumOf }),
      says({ enum: enumOf, ...words }),
      fc.constantFrom<JsonObject[]>(
        {},
        { type: 'string', 'x-y': 1 },
        { allOf: [{ type: 'string' }] },
      ),
    ),
    map: fc.dictionary(names, node, { maxKeys: 4 }),
  };
});
/** Of one argument, so that most of them can go the short way, and of many. */
const anyRoot = fc.oneof(
  fc.record(
    {
      type: fc.constant('object'),
      properties: fc.record({ a: anyNode.node }),
      required: fc.constant(['a']),
      additionalProperties: fc.boolean(),
      $defs: fc.record({ a: anyNode.node, b: fc.constant({ type: 'string', default: 'b' }) }),
      $schema: fc.constant('https://json-schema.org/draft/2020-12/schema'),
    },
    { requiredKeys: ['type', 'properties'] },
  ) as fc.Arbitrary<JsonObject>,
  fc.record(
    {
      type: fc.constant('object'),
      properties: anyNode.map,
      required: fc.uniqueArray(names, { maxLength: 2 }),
      $defs: anyNode.map,
      definitions: anyNode.map,
      description: fc.constant('words'),
    },
    { requiredKeys: ['type', 'properties'] },
  ) as fc.Arbitrary<JsonObject>,
);

describe.each(Object.entries(ways))(
  'the short way to the dialect of %s',
  (_, { quick, convert }) => {
    it('ends where the full rewriting ends, for any schema', () => {
      let taken = 0;
      const property = fc.property(anyRoot, (given) => {
        const schema = JSON.parse(JSON.stringify(given)) as JsonObject;
        const text = JSON.stringify(schema);
        if (quick(schema) !== undefined) taken += 1;
        expect(convert(schema)).toEqual(convert(closer(schema)));
        expect(JSON.stringify(schema)).toBe(text);
      });
      fc.assert(property, { numRuns: 2000 });
      expect(taken).toBeGreaterThan(100);
    });

    it('ends where the full rewriting ends, for odd and impossible schemas', () => {
      const impossible = Object.values(impossibleSchemas).map(({ schema }) => schema);
      for (const schema of [...Object.values(oddSchemas), ...impossible]) {
        if (isJsonObject(schema)) expect(convert(schema)).toEqual(convert(closer(schema)));
      }
    });

    it('keeps the bounds of depth and of size', () => {
      let deep: JsonObject = { type: 'string' };
      for (let level = 0; level < 100_000; level++) deep = { type: 'array', items: deep };
      const wide = Object.fromEntries(
        Array.from({ length: 6000 }, (__, index) => [`p${index}`, { type: 'string' }]),
      );
      const bomb: JsonObject = { a0: { type: 'string' } };
      for (let index = 1; index < 40; index++) {
        const $ref = `#/$defs/a${index - 1}`;
        bomb[`a${index}`] = { type: 'object', properties: { x: { $ref }, y: { $ref } } };
      }
      const open = { type: 'object', additionalProperties: deep };
      const hostile: JsonObject[] = [
        { type: 'object', properties: { deep } },
        { type: 'object', properties: { open } },
        { type: 'object', properties: wide },
        { type: 'object', properties: { p: { $ref: '#/$defs/a39' } }, $defs: bomb },
      ];
      for (const schema of hostile) expect(convert(schema)).toEqual(convert(closer(schema)));
      expect(convert(hostile[2])).toHaveProperty('problem');
    });

    it('reads getters as it reads values', () => {
      const p = { type: 'string', default: 'a', description: 'words' };
      const live = Object.defineProperty({}, 'p', { enumerable: true, get: () => ({ ...p }) });
      const schema = { type: 'object', properties: live as JsonObject };
      expect(convert(schema)).toEqual(convert({ type: 'object', properties: { p } }));
    });

    it('takes schemas with definitions, alternatives and values', () => {
      const schema: JsonObject = {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: {
          from: { $ref: '#/$defs/node', description: 'where' },
          kind: { const: 'edge' },
          target: {
            oneOf: [
              { type: 'integer' },
              { type: 'object', additionalProperties: { type: 'string' } },
            ],
          },
          timeout: { type: ['integer', 'null'], default: null },
          nothing: { type: 'object', properties: {} },
        },
        required: ['from'],
        $defs: {
          node: { type: 'object', properties: { name: { type: 'string', format: 'uri' } } },
        },
      };
      expect(quick(schema)).toBeDefined();
      expect(convert(schema)).toEqual(convert(closer(schema)));
    });
  },
);
