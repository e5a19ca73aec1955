import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '#shared/vocabulary/json.ts';
import { checkForm } from './check-form.ts';
import { defaultsOf } from './form-defaults.ts';
import { readSchema } from './read-schema.ts';
import { toUnread, unreadText } from './unread.ts';

function object(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: 'object', properties, ...more };
}

function kinds(properties: JsonObject, more: JsonObject = {}): Record<string, string> {
  const node = readSchema(object(properties, more));
  if (node.kind !== 'object') throw new Error('no object');
  return Object.fromEntries(node.properties.map((each) => [each.name, each.node.kind]));
}

function problem(field: JsonObject, value: Json): string | undefined {
  return checkForm(object({ a: field }), { a: value })['/a']?.code;
}

describe('readSchema', () => {
  it('finds the control of each kind of field', () => {
    expect(
      kinds({
        text: { type: 'string' },
        count: { type: 'integer' },
        yes: { type: 'boolean' },
        one: { enum: ['a', 2, false] },
        titled: { oneOf: [{ const: 'a', title: 'A' }] },
        many: { type: 'array', items: { enum: ['a', 'b'] } },
        list: { type: 'array', items: { type: 'string' } },
        rows: { type: 'array', items: object({ a: { type: 'string' } }) },
        nested: object({ a: { type: 'string' } }),
        maybe: { anyOf: [{ type: 'number' }, { type: 'null' }] },
        both: { type: ['string', 'null'] },
      }),
    ).toEqual({
      text: 'text',
      count: 'number',
      yes: 'boolean',
      one: 'choice',
      titled: 'choice',
      many: 'choices',
      list: 'list',
      rows: 'list',
      nested: 'object',
      maybe: 'number',
      both: 'text',
    });
  });

  it('leaves to JSON what no control expresses', () => {
    const found = kinds({
      either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
      mixed: { type: ['string', 'number'] },
      any: {},
      yes: true,
      map: { type: 'object', additionalProperties: { type: 'string' } },
      pair: { type: 'array', prefixItems: [{ type: 'string' }] },
      elsewhere: { $ref: 'https://a.example/schema.json' },
      nowhere: { $ref: '#/$defs/none' },
      conditional: { type: 'string', if: {} },
    });
    expect(new Set(Object.values(found))).toEqual(new Set(['json']));
  });

  it('follows references of the same schema and ends where they go round', () => {
    const tree = object(
      { root: { $ref: '#/$defs/node' }, loop: { $ref: '#/$defs/loop' } },
      {
        $defs: {
          node: object({ children: { type: 'array', items: { $ref: '#/$defs/node' } } }),
          loop: { $ref: '#/$defs/loop' },
        },
      },
    );
    const node = readSchema(tree);
    expect(JSON.stringify(node).length).toBeLessThan(5000);
    expect(node).toMatchObject({
      properties: [{ node: { kind: 'object' } }, { node: { kind: 'json' } }],
    });
  });

  it('keeps plain fields beside one that could go on for ever', () => {
    const names = ['not', 'and', 'or', 'left', 'right', 'then'];
    const node = object(Object.fromEntries(names.map((name) => [name, { $ref: '#/$defs/node' }])));
    const found = kinds(
      { filter: { $ref: '#/$defs/node' }, name: { type: 'string' } },
      { $defs: { node } },
    );
    expect(found).toEqual({ filter: 'object', name: 'text' });
  });

  it('leaves the whole to JSON where a tool takes any names', () => {
    expect(readSchema({ type: 'object', additionalProperties: { type: 'string' } }).kind).toBe(
      'json',
    );
    expect(readSchema({ type: 'object', properties: {} }).kind).toBe('object');
  });

  it('makes a bounded form of any JSON', () => {
    const wide = Object.fromEntries(
      Array.from({ length: 5000 }, (_, index) => [`f${index}`, object({ a: { type: 'string' } })]),
    );
    expect(Object.keys(kinds(wide))).toHaveLength(5000);
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (schema) => {
        const fields = object(schema as JsonObject);
        expect(() => checkForm(fields, defaultsOf(fields))).not.toThrow();
        expect(() => readSchema(schema as JsonObject)).not.toThrow();
      }),
    );
  });
});

describe('defaultsOf', () => {
  it('gives defaults, and holders for what must be given', () => {
    const schema = object(
      {
        name: { type: 'string', default: 'Ann' },
        wrong: { type: 'number', default: 'not a number' },
        agree: { type: 'boolean' },
        maybe: { type: 'boolean' },
        tags: { type: 'array', items: { type: 'string' } },
        only: { const: 'v1' },
        place: object({ city: { type: 'string', default: 'Rome' } }),
      },
      { required: ['agree', 'tags', 'only', 'place', 'wrong'] },
    );
    expect(defaultsOf(schema)).toEqual({
      name: 'Ann',
      agree: false,
      tags: [],
      only: 'v1',
      place: { city: 'Rome' },
    });
    expect(defaultsOf({ type: 'string' })).toEqual({});
  });

  it('leaves out an optional null, so that its field can be typed into at once', () => {
    const maybe = { anyOf: [{ type: 'string' }, { type: 'null' }], default: null };
    expect(defaultsOf(object({ maybe }))).toEqual({});
    expect(defaultsOf(object({ maybe }, { required: ['maybe'] }))).toEqual({ maybe: null });
  });

  it('keeps a field with the name of a prototype to itself', () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"object","properties":{"x":{"default":1,"type":"number"}}}},"required":["__proto__"]}',
    ) as JsonObject;
    const value = defaultsOf(schema);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(JSON.stringify(value)).toBe('{"__proto__":{"x":1}}');
    expect(checkForm(schema, {})).toEqual({ '/__proto__': { code: 'required' } });
  });
});

describe('checkForm', () => {
  it('says what is missing, wherever it is', () => {
    const schema = object(
      {
        a: { type: 'string' },
        rows: {
          type: 'array',
          items: object({ 'x/y': { type: 'number' } }, { required: ['x/y'] }),
        },
      },
      { required: ['a'] },
    );
    expect(checkForm(schema, { rows: [{ 'x/y': 1 }, {}] })).toEqual({
      '/a': { code: 'required' },
      '/rows/1/x~1y': { code: 'required' },
    });
    expect(checkForm(schema, { a: '' })).toEqual({});
  });

  it.each<[string | undefined, JsonObject, Json]>([
    ['short', { type: 'string', minLength: 2 }, 'a'],
    ['long', { type: 'string', maxLength: 1 }, 'ab'],
    [undefined, { type: 'string', maxLength: 1 }, '🍒'],
    ['email', { type: 'string', format: 'email' }, 'a@'],
    ['uri', { type: 'string', format: 'uri' }, 'example.com'],
    ['date', { type: 'string', format: 'date' }, '2026-02-30'],
    ['date-time', { type: 'string', format: 'date-time' }, '2026-02-03T10:00'],
    ['text', { type: 'string' }, 1],
    ['least', { type: 'number', minimum: 1 }, 0],
    ['most', { type: 'number', maximum: 1 }, 2],
    ['above', { type: 'number', exclusiveMinimum: 1 }, 1],
    ['below', { type: 'number', exclusiveMaximum: 1 }, 1],
    ['integer', { type: 'integer' }, 1.5],
    ['step', { type: 'number', multipleOf: 0.1 }, 0.35],
    [undefined, { type: 'number', multipleOf: 0.1 }, 0.3],
    ['choice', { enum: ['a'] }, 'b'],
    [undefined, { enum: [{ a: 1, b: 2 }] }, { b: 2, a: 1 }],
    ['few', { type: 'array', items: { type: 'string' }, minItems: 1 }, []],
    ['many', { type: 'array', items: { type: 'string' }, maxItems: 1 }, ['a', 'b']],
    ['twice', { type: 'array', items: { type: 'string' }, uniqueItems: true }, ['a', 'a']],
    ['twice', { type: 'array', items: { enum: ['a'] } }, ['a', 'a']],
    ['kind', { type: ['string', 'number'] }, true],
    [undefined, { type: ['string', 'null'] }, null],
    ['text', { type: 'string' }, null],
    [undefined, { const: null }, null],
  ])('says %s for %j with %j', (code, field, value) => {
    expect(problem(field, value)).toBe(code);
  });

  it('refuses what was typed and could not be read, wherever it stands', () => {
    expect(problem({ type: 'number' }, toUnread('12a'))).toBe('number');
    expect(problem({ type: 'string' }, toUnread('{'))).toBe('json');
    expect(problem({}, toUnread('{'))).toBe('json');
    expect(problem({ type: 'array', items: { type: 'number' } }, [1])).toBeUndefined();
    const rows = object({ a: { type: 'array', items: { type: 'number' } } });
    expect(checkForm(rows, { a: [toUnread('')] })).toEqual({ '/a/0': { code: 'required' } });
    expect(checkForm(object({}), { other: toUnread('[') })).toEqual({ '/other': { code: 'json' } });
    expect(unreadText(toUnread('x'))).toBe('x');
    expect(unreadText('x')).toBeUndefined();
  });

  it('refuses a number whose digits would be lost on the way', () => {
    expect(problem({ type: 'integer' }, toUnread('9007199254740993'))).toBe('exact');
    expect(problem({}, toUnread('{"id": [12345678901234567890]}'))).toBe('exact');
    expect(problem({}, toUnread('1e999'))).toBe('exact');
  });

  it('allows more than the fields unless the schema forbids it', () => {
    expect(checkForm(object({}), { more: 1 })).toEqual({});
    expect(checkForm(object({}, { additionalProperties: false }), { more: 1 })).toEqual({
      '/more': { code: 'unknown' },
    });
  });

  it('never runs a pattern of a stranger', () => {
    const slow = { type: 'string', pattern: '^(a+)+$' };
    expect(problem(slow, `${'a'.repeat(60)}!`)).toBeUndefined();
  });
});
