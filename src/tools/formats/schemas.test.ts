import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileSchema } from '#mcp/schema/validate.ts';
import { textOf } from '#shared/errors/sentence.ts';
import { isJsonObject, type Json, type JsonObject } from '#shared/vocabulary/json.ts';
import {
  anthropicProblems,
  geminiProblems,
  openAiProblems,
  openAiStrictProblems,
} from '../../../test/fixtures/dialects.ts';
import { impossibleSchemas, oddSchemas } from '../../../test/fixtures/odd-schemas.ts';
import { toAnthropicSchema } from './anthropic-schema.ts';
import { toGeminiSchema } from './gemini-schema.ts';
import { toOpenAiSchema } from './openai-schema.ts';
import type { ConvertedSchema } from './rewrite-schema.ts';

const vendors = {
  openAi: { convert: (schema: unknown) => toOpenAiSchema(schema), problems: openAiProblems },
  anthropic: { convert: toAnthropicSchema, problems: anthropicProblems },
  gemini: { convert: toGeminiSchema, problems: geminiProblems },
};

function schemaOf(converted: ConvertedSchema): JsonObject {
  if ('problem' in converted) throw new Error(textOf(converted.problem));
  return converted.schema;
}

const parameter = (schema: Json, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties: { p: schema },
  ...more,
});
const gemini = (schema: Json, more?: JsonObject): Json | undefined =>
  (schemaOf(toGeminiSchema(parameter(schema, more))).properties as JsonObject).p;
const openAi = (schema: Json, more?: JsonObject): Json | undefined =>
  (schemaOf(toOpenAiSchema(parameter(schema, more))).properties as JsonObject).p;

describe.each(Object.entries(vendors))('the dialect of %s', (vendor, { convert, problems }) => {
  it.each(Object.entries(oddSchemas))('takes a schema with %s', (_, schema) => {
    const before = JSON.stringify(schema);
    const converted = schemaOf(convert(schema));
    expect(problems(converted)).toEqual([]);
    expect(JSON.stringify(schema)).toBe(before);
    expect(JSON.stringify(convert(schema))).toBe(JSON.stringify(convert(JSON.parse(before))));
  });

  it.each(Object.entries(impossibleSchemas))('says what is wrong with %s', (_, entry) => {
    const reason = entry[vendor as keyof typeof vendors];
    const converted = convert(entry.schema);
    if (reason === undefined) expect(problems(schemaOf(converted))).toEqual([]);
    else
      expect(converted).toMatchObject({
        problem: { text: expect.stringContaining(reason) as string },
      });
  });

  it('is taken or refused with a reason, whatever the schema is', () => {
    fc.assert(
      fc.property(anyArguments, (schema) => {
        const converted = convert(schema);
        if ('schema' in converted) expect(problems(converted.schema)).toEqual([]);
        else expect(converted.problem).not.toBe('');
      }),
      { numRuns: 200 },
    );
  });

  it('does not copy what it takes as it is', () => {
    const schema = parameter({ type: 'string', description: 'd' }, { required: ['p'] });
    expect(schemaOf(convert(schema))).toBe(schema);
  });

  it('is taken once more without a change', () => {
    for (const schema of Object.values(oddSchemas)) {
      const once = schemaOf(convert(schema));
      expect(problems(schemaOf(convert(once)))).toEqual([]);
    }
  });
});

/** Schemas of all keywords, some of them with values that do not belong there. */
const anySchema = fc.letrec<{ schema: Json; node: JsonObject }>((tie) => {
  const noise = fc.oneof(fc.constantFrom<Json[]>(true, null, 3, -1, 'x', '(', []), fc.constant({}));
  const schema = tie('schema');
  const map = fc.dictionary(fc.constantFrom('a', 'b', 'type', '__proto__'), schema, { maxKeys: 3 });
  const list = fc.array(schema, { maxLength: 3 });
  const either = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | Json> =>
    fc.oneof({ arbitrary, weight: 9 }, { arbitrary: noise, weight: 1 });
  const types = fc.constantFrom('object', 'array', 'string', 'integer', 'number', 'null', 'any');
  return {
    schema: fc.oneof({ maxDepth: 3 }, fc.boolean(), tie('node')),
    node: fc.record(
      {
        type: either(fc.oneof(types, fc.array(types, { maxLength: 3 }))),
        properties: either(map),
        required: either(fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 })),
        items: either(fc.oneof(schema, list)),
        prefixItems: either(list),
        anyOf: either(list),
        oneOf: either(list),
        allOf: either(list),
        $defs: either(map),
        $ref: either(fc.constantFrom('#', '#/$defs/a', '#/$defs/b', '#/properties/a', '#/x')),
        enum: either(fc.array(fc.constantFrom<Json[]>('a', '', 1, null, true), { maxLength: 4 })),
        const: fc.constantFrom<Json[]>('a', 1, null),
        additionalProperties: either(schema),
        exclusiveMinimum: either(fc.integer()),
        minimum: either(fc.integer()),
        minLength: either(fc.nat()),
        pattern: either(fc.constantFrom('^a$', '(?=a)', '[')),
        format: either(fc.constantFrom('uri', 'date-time', 'int32')),
        default: either(fc.constantFrom<Json[]>('a', 1, null)),
        nullable: fc.boolean(),
        not: either(schema),
        description: either(fc.constant('words')),
      },
      { requiredKeys: [] },
    ),
  };
}).node;

const anyValue = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom<Json[]>('a', '', 'b', 1, 0, -3, 1.5, null, true),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'p'), tie('value'), { maxKeys: 2 }),
  ),
})).value;

/** Correct schemas of one to three keywords, so that something fits them. */
const correctSchema = fc.letrec<{ node: JsonObject }>((tie) => {
  const node = tie('node');
  const map = fc.dictionary(fc.constantFrom('a', 'b'), node, { maxKeys: 2 });
  const list = fc.array(node, { minLength: 1, maxLength: 3 });
  const types = fc.constantFrom('object', 'array', 'string', 'integer', 'number', 'null');
  const values = fc.constantFrom<Json[]>('a', '', 1, null, true);
  const keyword = (name: string, value: fc.Arbitrary<Json>): fc.Arbitrary<[string, Json]> =>
    value.map((given) => [name, given]);
  const entry = fc.oneof(
    { maxDepth: 3 },
    keyword('type', fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 }))),
    keyword('const', values),
    keyword('enum', fc.uniqueArray(values, { minLength: 1, maxLength: 4 })),
    keyword('$ref', fc.constantFrom('#/$defs/a', '#/$defs/b', '#/definitions/c')),
    keyword('exclusiveMinimum', fc.integer({ min: -4, max: 2 })),
    keyword('minLength', fc.nat(1)),
    keyword('required', fc.constant(['a'])),
    keyword('additionalProperties', fc.boolean()),
    keyword('properties', map),
    keyword('items', node),
    keyword('anyOf', list),
    keyword('oneOf', list),
    keyword('allOf', list),
    keyword('not', node),
  );
  const entries = fc.array(entry, { minLength: 1, maxLength: 3 });
  return { node: entries.map((given) => Object.fromEntries(given)) };
}).node;

/** What our own check of arguments understands of Gemini's words. */
function withNull(value: Json): Json {
  if (Array.isArray(value)) return value.map(withNull);
  if (!isJsonObject(value)) return value;
  const { nullable, ...rest } = value;
  const plain = Object.fromEntries(
    Object.entries(rest).map(([key, inner]) => [key, key === 'enum' ? inner : withNull(inner)]),
  );
  return nullable === true ? { anyOf: [plain, { type: 'null' }] } : plain;
}

/** With the types that keywords mean, which Gemini has to be told. */
function withTypes(value: Json): Json {
  if (Array.isArray(value)) return value.map(withTypes);
  if (!isJsonObject(value)) return value;
  const node = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withTypes(inner)]),
  );
  const meant = Object.keys(node).map((keyword) => meaning[keyword]);
  const type = meant.find((name) => name !== undefined);
  return type === undefined ? node : { ...node, type };
}

const meaning: Record<string, string> = {
  items: 'array',
  properties: 'object',
  required: 'object',
  additionalProperties: 'object',
  minLength: 'string',
  exclusiveMinimum: 'number',
  minimum: 'number',
};

describe('what a schema allows', () => {
  it.each(Object.entries(vendors))('is allowed in the dialect of %s', (vendor, { convert }) => {
    let allowed = 0;
    const definitions = { a: { type: 'string' }, b: { minimum: 1 } };
    const property = fc.property(correctSchema, anyValue, (p, value) => {
      const definition = { c: { type: ['array', 'null'] } };
      const known = { $defs: definitions, definitions: definition };
      const given = parameter(p, known);
      const schema = (vendor === 'gemini' ? withTypes(given) : given) as JsonObject;
      const args = { p: value };
      if (compileSchema(schema).check(args) !== undefined) return;
      // Of anything, Gemini is told of lists, but not of lists in lists without an end.
      if (vendor === 'gemini' && /\[.*\[/.test(JSON.stringify(value))) return;
      const converted = convert(schema);
      if ('problem' in converted) return;
      allowed += 1;
      const told = vendor === 'gemini' ? withNull(converted.schema) : converted.schema;
      expect(compileSchema(told as JsonObject).check(args)).toBeUndefined();
    });
    fc.assert(property, { numRuns: 1000 });
    expect(allowed).toBeGreaterThan(20);
  });
});

const anyArguments = fc.oneof(
  anySchema,
  anySchema.map((schema): JsonObject => ({ ...schema, type: 'object' })),
  anySchema.map((schema) => parameter(schema, { $defs: { a: schema, b: { type: 'string' } } })),
);

describe('toOpenAiSchema', () => {
  it('keeps definitions, and moves others to them', () => {
    const schema = parameter(
      { $ref: '#/definitions/Name', description: 'a name' },
      { definitions: { Name: { type: 'string' } }, $defs: { Name: { type: 'integer' } } },
    );
    expect(schemaOf(toOpenAiSchema(schema))).toEqual({
      type: 'object',
      properties: { p: { $ref: '#/$defs/Name_2', description: 'a name' } },
      $defs: { Name: { type: 'integer' }, Name_2: { type: 'string' } },
    });
  });

  it('says alternatives, tuples and constants in the words it has', () => {
    expect(openAi({ oneOf: [{ const: 'a' }, { type: 'null' }] })).toEqual({
      anyOf: [{ enum: ['a'] }, { type: 'null' }],
    });
    expect(
      openAi({ type: 'array', items: [{ type: 'string' }, { type: 'number' }], minItems: 2 }),
    ).toEqual({
      type: 'array',
      items: { anyOf: [{ type: 'string' }, { type: 'number' }] },
      minItems: 2,
    });
    expect(openAi({ type: 'object', patternProperties: { '^x': {} } })).toEqual({
      type: 'object',
      description: '(patternProperties: {"^x":{}})',
    });
  });

  it('makes one object of alternatives at the top', () => {
    const converted = schemaOf(toOpenAiSchema(oddSchemas['the root told apart by a value']));
    expect(converted).toEqual({
      type: 'object',
      properties: { op: { enum: ['get', 'set'] }, key: { type: 'string' }, value: {} },
      required: ['op', 'key'],
    });
    const kind = (value: Json, type: string): JsonObject => parameter({ type, const: value });
    expect(schemaOf(toOpenAiSchema({ anyOf: [kind('a', 'string'), kind(1, 'integer')] }))).toEqual(
      parameter({ enum: ['a', 1] }),
    );
  });

  it('is enforced where that can be said, and not where it cannot', () => {
    const schema = parameter(
      { type: 'string', minLength: 1, default: 'a' },
      { $defs: { A: parameter({ type: 'string', format: 'uri' }) } },
    );
    const converted = toOpenAiSchema(
      {
        ...schema,
        properties: { ...(schema.properties as JsonObject), q: { $ref: '#/$defs/A' } },
        required: ['q'],
      },
      { strict: true },
    );
    expect(converted).toEqual({
      strict: true,
      schema: {
        type: 'object',
        properties: { p: { type: ['string', 'null'] }, q: { $ref: '#/$defs/A' } },
        required: ['p', 'q'],
        additionalProperties: false,
        $defs: {
          A: {
            type: 'object',
            properties: { p: { type: ['string', 'null'] } },
            required: ['p'],
            additionalProperties: false,
          },
        },
      },
    });
    const unclear: JsonObject[] = [
      {},
      { type: 'object' },
      { type: 'object', additionalProperties: {} },
    ];
    for (const open of unclear) {
      expect(toOpenAiSchema(parameter(open), { strict: true })).not.toHaveProperty('strict');
    }
  });

  it('is enforced only if OpenAI takes it so, for every odd schema', () => {
    let enforced = 0;
    for (const schema of Object.values(oddSchemas)) {
      const converted = toOpenAiSchema(schema, { strict: true });
      const { strict } = converted;
      expect((strict ? openAiStrictProblems : openAiProblems)(schemaOf(converted))).toEqual([]);
      enforced += Number(strict ?? false);
    }
    expect(enforced).toBeGreaterThan(20);
  });
});

describe('toAnthropicSchema', () => {
  it('keeps what JSON Schema can say, in the words of its newest draft', () => {
    const p: JsonObject = {
      oneOf: [{ const: 1 }, { not: { type: 'string' } }],
      $comment: 'x',
      if: true,
    };
    const { $comment: _, ...kept } = p;
    expect(schemaOf(toAnthropicSchema(parameter(p))).properties).toEqual({ p: kept });
    const old = { type: 'array', items: [{ type: 'string' }], additionalItems: false };
    expect(schemaOf(toAnthropicSchema(parameter(old))).properties).toEqual({
      p: { type: 'array', prefixItems: [{ type: 'string' }], items: false },
    });
  });
});

describe('toGeminiSchema', () => {
  it('writes references out, a few times where they lead to themselves', () => {
    const again = { type: 'object', description: 'Again Node, as above.' };
    const node = (children: JsonObject): JsonObject => ({
      type: 'object',
      properties: { value: { type: 'string' }, children: { type: 'array', items: children } },
    });
    expect(schemaOf(toGeminiSchema(oddSchemas['a tree']))).toEqual(parameter(node(node(again))));
  });

  it('says null, types and values in the words it has', () => {
    expect(gemini({ type: ['string', 'null'] })).toEqual({ type: 'string', nullable: true });
    expect(gemini({ anyOf: [{ type: 'integer' }, { type: 'null' }], default: 3 })).toEqual({
      type: 'integer',
      nullable: true,
      description: '(default: 3)',
    });
    expect(gemini({ type: ['string', 'integer'], minLength: 2, minimum: 1 })).toEqual({
      anyOf: [
        { type: 'string', minLength: 2 },
        { type: 'integer', minimum: 1 },
      ],
    });
    expect(gemini({ enum: [1, 2], description: 'd' })).toEqual({
      type: 'integer',
      description: 'd (one of: [1,2])',
    });
    expect(gemini(oddSchemas['values with titles']!)).toBeDefined();
    expect(gemini({ oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }] })).toEqual({
      type: 'string',
      enum: ['a', 'b'],
    });
    expect(gemini({ type: 'integer', exclusiveMinimum: 0 })).toEqual({
      type: 'integer',
      minimum: 1,
    });
  });

  it('says in each alternative what is said beside them', () => {
    const { anyOf } = gemini({
      description: 'd',
      properties: { a: { type: 'string' } },
      oneOf: [{ properties: { b: { type: 'boolean' } } }, { properties: { a: { minLength: 2 } } }],
    }) as JsonObject;
    expect(anyOf).toEqual([
      { type: 'object', properties: { b: { type: 'boolean' }, a: { type: 'string' } } },
      { type: 'object', properties: { a: { type: 'string', minLength: 2 } } },
    ]);
  });
});
