import { describe, expect, it } from 'vitest';
import { textOf } from '#shared/errors/sentence.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { processJsonSchema, validateArguments as judge } from './json-schema.ts';

/** The English of what is wrong. */
function validateArguments(...given: Parameters<typeof judge>): string | undefined {
  const words = judge(...given);
  return words && textOf(words);
}

const person: JsonObject = {
  type: 'object',
  properties: { name: { type: 'string', minLength: 2 }, age: { $ref: '#/$defs/age' } },
  required: ['name'],
  additionalProperties: false,
  $defs: { age: { type: 'integer', minimum: 0 } },
};

describe('processJsonSchema', () => {
  it('turns empty and non-object schemas into an object schema', () => {
    const empty = { type: 'object', properties: {} };
    for (const schema of [{}, null, undefined, [], 'x', true, { type: 'string' }]) {
      expect(processJsonSchema(schema)).toEqual(empty);
    }
    expect(processJsonSchema({ type: 'object' })).toEqual(empty);
    expect(processJsonSchema({ type: 'object', properties: [] })).toEqual(empty);
  });

  it('leaves everything else of a schema untouched', () => {
    expect(processJsonSchema(person)).toBe(person);
    const untyped = { $defs: { a: { enum: [1] } }, anyOf: [{ required: ['b'] }], description: 'd' };
    expect(processJsonSchema(untyped)).toEqual({ ...untyped, type: 'object', properties: {} });
  });

  it('takes an object that may also be null for an object', () => {
    const properties = { a: { type: 'string' } };
    const schema = processJsonSchema({ type: ['object', 'null'], properties });
    expect(schema).toEqual({ type: 'object', properties });
  });

  it('makes the same schema of the same schema', () => {
    const schema = { $defs: {} };
    expect(processJsonSchema(schema)).toBe(processJsonSchema(schema));
  });
});

describe('validateArguments', () => {
  it('says nothing about arguments that fit', () => {
    expect(validateArguments(person, { name: 'Ann', age: 3 })).toBeUndefined();
    expect(validateArguments({}, { anything: [1] })).toBeUndefined();
  });

  it('names the place and the problem', () => {
    expect(validateArguments(person, { name: 'Ann', age: -1 })).toBe('age: must be at least 0');
    expect(validateArguments(person, {})).toContain('"name"');
    expect(validateArguments(person, { name: 'Ann', extra: 1 })).toContain('extra');
  });

  it('refuses arguments that are too deep or too many, before anything walks them', () => {
    let args: JsonObject = {};
    for (let level = 0; level < 100_000; level++) args = { a: args };
    expect(validateArguments({}, args)).toContain('deep');
    const many = { list: Array.from({ length: 100_001 }, () => 1) };
    expect(validateArguments({}, many)).toContain('100000 values');
  });
});
