import { describe, expect, it } from 'vitest';
import { textOf } from '#shared/errors/sentence.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { cpuTime } from '../../../test/cpu-time.ts';
import { compileSchema } from './validate.ts';

const check = (schema: object, value: unknown): string | undefined => {
  const words = compileSchema(schema as JsonObject).check(value);
  return words && textOf(words);
};

/** Milliseconds of work, whatever else the machine does. */
const person = {
  type: 'object',
  properties: { name: { type: 'string', minLength: 2 }, age: { $ref: '#/$defs/age' } },
  required: ['name'],
  additionalProperties: false,
  $defs: { age: { type: 'integer', minimum: 0 } },
};

describe('compileSchema', () => {
  it('says nothing about a value that fits', () => {
    expect(check(person, { name: 'Ann', age: 3 })).toBeUndefined();
    expect(check({}, ['anything'])).toBeUndefined();
  });

  it.each([
    [person, { name: 'Ann', age: -1 }, 'age: must be at least 0'],
    [person, {}, '"name" is missing'],
    [person, { name: 'Ann', extra: 1 }, 'the property "extra" isn\'t allowed'],
    [person, [], 'must be an object'],
    [{ type: ['integer', 'null'] }, 'x', 'must be an integer or null'],
    [{ enum: ['a', 2, { b: 1 }] }, 'c', 'must be one of "a", 2, {"b":1}'],
    [{ const: null }, 0, 'must be null'],
    [{ items: { type: 'number' } }, [1, 'x'], '1: must be a number'],
    [{ prefixItems: [{ type: 'string' }], items: false }, ['a', 1], "1: isn't allowed"],
    [{ maxLength: 2 }, 'äöü', 'must be at most 2 characters long'],
    [{ minLength: 2 }, '😀', 'must be at least 2 characters long'],
    [
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      '1: is already in the list',
    ],
    [{ not: { type: 'string' } }, 'x', 'is of an excluded type'],
    [{ oneOf: [{ type: 'number' }, { type: 'integer' }] }, 1, 'matches 2 of the allowed forms'],
    [{ dependentRequired: { a: ['b'] } }, { a: 1 }, '"b" is missing'],
    [{ propertyNames: { pattern: '^[a-z]+$' } }, { A: 1 }, 'the name "A" must match'],
    [{ patternProperties: { '^x': { type: 'number' } } }, { x1: 'a' }, 'x1: must be a number'],
    [{ contains: { type: 'number' } }, ['a'], 'must contain at least 1'],
    [{ if: { type: 'string' }, else: { minimum: 3 } }, 2, 'must be at least 3'],
    [{ properties: { p: { pattern: '^[a-z]+$' } } }, { p: '1' }, 'p: must match the pattern'],
    [{ unevaluatedProperties: false, properties: { a: {} } }, { b: 1 }, 'b'],
  ])('by %j refuses %j', (schema, value, words) => {
    expect(check(schema, value)).toContain(words);
  });

  it('shows the problem of the alternative that came closest', () => {
    const circle = { properties: { kind: { const: 'circle' }, r: { type: 'number' } } };
    const place = { properties: { at: { properties: { x: { type: 'number' } } } } };
    const schema = {
      anyOf: [
        { ...circle, required: ['r'] },
        { ...place, required: ['at'] },
      ],
    };
    expect(check(schema, { at: { x: 'left' } })).toBe('at/x: must be a number');
  });

  it('does not change the schema it is given', () => {
    for (const schema of [structuredClone(person), { ...person, unevaluatedProperties: false }]) {
      const before = JSON.stringify(schema);
      check(schema, { name: 'Ann' });
      expect(JSON.stringify(schema)).toBe(before);
      expect(Object.getOwnPropertyNames(schema)).not.toContain('__absolute_uri__');
    }
  });

  it('follows references inside the schema, escaped ones and recursive ones too', () => {
    const tree = { properties: { next: { $ref: '#' }, value: { type: 'number' } } };
    expect(check(tree, { next: { next: { value: 1 } } })).toBeUndefined();
    expect(check(tree, { next: { next: { value: 'x' } } })).toBe(
      'next/next/value: must be a number',
    );
    const odd = { $ref: '#/$defs/a~1b%20c', $defs: { 'a/b c': { type: 'number' } } };
    expect(check(odd, 'x')).toBe('must be a number');
    const old = { $schema: 'http://json-schema.org/draft-07/schema#', $ref: '#/definitions/a' };
    const alone = { ...old, minimum: 5, definitions: { a: { type: 'number' } } };
    expect(check(alone, 3)).toBeUndefined();
    expect(check(alone, 'x')).toBe('must be a number');
  });

  it('ignores what is malformed and takes format for a remark', () => {
    const sloppy = { properties: { a: { type: 'date', required: true, minimum: '3', anyOf: [] } } };
    expect(check(sloppy, { a: 1 })).toBeUndefined();
    expect(check({ format: 'email' }, 'no address')).toBeUndefined();
    expect(check({ format: 'email', unevaluatedItems: false }, 'no address')).toBeUndefined();
  });

  it('T47 keeps two servers with the same $id apart, with plain and with rare keywords', () => {
    for (const rare of [{}, { unevaluatedProperties: false }]) {
      const one = { $id: 'http://x/s', properties: { a: { type: 'string' } }, ...rare };
      const two = { $id: 'http://x/s', properties: { a: { type: 'number' } }, ...rare };
      expect(check(one, { a: 'x' })).toBeUndefined();
      expect(check(two, { a: 1 })).toBeUndefined();
      expect(check(one, { a: 1 })).toBeDefined();
      expect(check(two, { a: 'x' })).toBeDefined();
    }
  });

  it('compiles equal schemas once, whoever sends them, and different ones apart', () => {
    const schema = { type: 'object', properties: { once: {} } };
    expect(compileSchema(structuredClone(schema))).toBe(compileSchema(structuredClone(schema)));
    expect(compileSchema({ ...schema, title: 'other' })).not.toBe(compileSchema(schema));
  });

  it('T47 is not stalled by hostile patterns', () => {
    const text = `${'a'.repeat(40)}!`;
    for (const pattern of ['(a+)+$', '(a|a)*$', '(.*)*x', '([a-z]+)*!?$', '(a{1,40}){1,40}$']) {
      for (const rare of [{}, { unevaluatedProperties: true }]) {
        const time = cpuTime(() => {
          expect(check({ properties: { p: { pattern } }, ...rare }, { p: text })).toBeUndefined();
          check({ patternProperties: { [pattern]: { type: 'string' } }, ...rare }, { [text]: 'x' });
        });
        expect(time).toBeLessThan(250);
      }
    }
  });

  it('T47 gives up on a check that takes too long, and in the end does not try again', () => {
    const tree = { anyOf: [{ properties: { a: { $ref: '#/$defs/all' } } }, { type: 'null' }] };
    const options = Array.from({ length: 40 }, () => ({ $ref: '#/$defs/tree' }));
    let value: JsonObject = { a: null };
    for (let level = 0; level < 12; level++) value = { a: value };
    for (const rare of [{}, { unevaluatedItems: false }]) {
      const schema = { $ref: '#/$defs/tree', $defs: { tree, all: { allOf: options } }, ...rare };
      const compiled = compileSchema(schema);
      for (let attempt = 0; attempt < 3; attempt++) {
        expect(
          cpuTime(() => expect(textOf(compiled.check(value) ?? '')).toContain('too long')),
        ).toBeLessThan(250);
      }
      expect(textOf(compiled.check(value) ?? '')).toContain('takes too long to evaluate');
    }
  });

  it('T47 survives endless references, dangling ones and long chains of them', () => {
    expect(check({ $ref: '#' }, {})).toContain("couldn't be checked");
    expect(check({ allOf: [{ $ref: '#' }, { $ref: '#' }] }, {})).toContain("couldn't be checked");
    expect(check({ $ref: '#/nowhere' }, {})).toContain('nothing at #/nowhere');
    expect(check({ $ref: '#/constructor' }, {})).toContain('nothing at #/constructor');
    const chain: Record<string, object> = { d1200: { type: 'number' } };
    for (let at = 0; at < 1200; at++) chain[`d${at}`] = { $ref: `#/$defs/d${at + 1}` };
    expect(check({ $ref: '#/$defs/d0', $defs: chain }, 1)).toContain('refers to itself');
    expect(check({ $ref: '#/$defs/d900', $defs: chain }, 'x')).toBe('must be a number');
  });

  it('refuses to check by a schema that is out of bounds', () => {
    const wide = { anyOf: Array.from({ length: 100_000 }, () => ({})) };
    expect(check(wide, {})).toContain("couldn't be checked: its schema has more than 5000");
  });

  it('T46 takes names of the prototype for ordinary names', () => {
    const names = ['toString', 'constructor', '__proto__', 'hasOwnProperty'];
    for (const name of names) {
      expect(check({ required: [name] }, {})).toContain(name);
      const value = JSON.parse(`{"${name}": 1}`) as JsonObject;
      expect(check({ required: [name] }, value)).toBeUndefined();
      const typed = JSON.parse(`{"properties": {"${name}": {"type": "string"}}}`) as JsonObject;
      expect(check(typed, {})).toBeUndefined();
      expect(check(typed, value)).toBe(`${name}: must be a string`);
      expect(check({ additionalProperties: false }, value)).toContain(name);
    }
    expect(check({ type: 'constructor' }, 1)).toBeUndefined();
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
