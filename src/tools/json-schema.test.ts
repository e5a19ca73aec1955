import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#shared/json.ts';
import { processJsonSchema, schemaProblem, validateArguments } from './json-schema.ts';

const person: JsonObject = {
  type: 'object',
  properties: { name: { type: 'string', minLength: 2 }, age: { $ref: '#/$defs/age' } },
  required: ['name'],
  additionalProperties: false,
  $defs: { age: { type: 'integer', minimum: 0 } },
};

function nested(depth: number): JsonObject {
  let value: JsonObject = { type: 'string' };
  for (let level = 0; level < depth; level++) value = { properties: { a: value } };
  return value;
}

describe('processJsonSchema', () => {
  it('turns empty and non-object schemas into an object schema', () => {
    const empty = { type: 'object', properties: {} };
    for (const schema of [{}, null, undefined, [], 'x', true, { type: 'string' }]) {
      expect(processJsonSchema(schema)).toEqual(empty);
    }
    expect(processJsonSchema({ type: 'object' })).toEqual(empty);
  });

  it('leaves everything else of a schema untouched', () => {
    expect(processJsonSchema(person)).toBe(person);
    const untyped = { $defs: { a: { enum: [1] } }, anyOf: [{ required: ['b'] }], description: 'd' };
    expect(processJsonSchema(untyped)).toEqual({ ...untyped, type: 'object', properties: {} });
  });
});

describe('schemaProblem', () => {
  it('accepts ordinary schemas', () => {
    expect(schemaProblem(person)).toBeUndefined();
    expect(schemaProblem(nested(31))).toBeUndefined();
  });

  it('refuses what is too deep, too wide, too large or points elsewhere', () => {
    expect(schemaProblem(nested(100_000))).toContain('deep');
    expect(schemaProblem({ enum: Array.from({ length: 6000 }, String) })).toContain('5000 values');
    expect(schemaProblem({ description: 'x'.repeat(300_000) })).toContain('larger');
    const remote = { properties: { a: { $ref: 'http://169.254.169.254/schema' } } };
    expect(schemaProblem(remote)).toContain('never loaded');
  });
});

describe('validateArguments', () => {
  it('says nothing about arguments that fit', () => {
    expect(validateArguments(person, { name: 'Ann', age: 3 })).toBeUndefined();
    expect(validateArguments({}, { anything: [1] })).toBeUndefined();
  });

  it('names the place and the problem', () => {
    expect(validateArguments(person, { name: 'Ann', age: -1 })).toMatch(/^age: -1 is less than 0/);
    expect(validateArguments(person, {})).toContain('"name"');
    expect(validateArguments(person, { name: 'Ann', extra: 1 })).toContain('extra');
  });

  it('does not change the schema it is given', () => {
    const before = JSON.stringify(person);
    validateArguments(person, { name: 'Ann' });
    expect(JSON.stringify(person)).toBe(before);
    expect(Object.getOwnPropertyNames(person)).not.toContain('__absolute_uri__');
  });

  it('keeps two servers with the same $id apart', () => {
    const one = { $id: 'http://x/s', properties: { a: { type: 'string' } } };
    const two = { $id: 'http://x/s', properties: { a: { type: 'number' } } };
    expect(validateArguments(one, { a: 'x' })).toBeUndefined();
    expect(validateArguments(two, { a: 1 })).toBeUndefined();
    expect(validateArguments(two, { a: 'x' })).toBeDefined();
  });

  it('is not stalled by hostile patterns', () => {
    const started = performance.now();
    const text = `${'a'.repeat(40)}!`;
    for (const pattern of ['(a+)+$', '(a|a)*$', '(.*)*x', '([a-z]+)*!?$', '(a{1,40}){1,40}$']) {
      const schema = { properties: { p: { type: 'string', pattern } } };
      expect(validateArguments(schema, { p: text })).toBeUndefined();
      const named = { patternProperties: { [pattern]: { type: 'string' } } };
      validateArguments(named, { [text]: 'x' });
    }
    expect(performance.now() - started).toBeLessThan(1500);
  });

  it('interrupts a check that takes too long', () => {
    const options = Array.from({ length: 40 }, () => ({ $ref: '#/$defs/tree' }));
    const tree = {
      anyOf: [{ properties: { a: { allOf: options } }, required: ['a'] }, { type: 'null' }],
    };
    const schema: JsonObject = JSON.parse(
      JSON.stringify({ $ref: '#/$defs/tree', $defs: { tree } }),
    );
    let args: JsonObject = { a: null };
    for (let level = 0; level < 12; level++) args = { a: args };
    const started = performance.now();
    expect(validateArguments(schema, args)).toContain('takes too long');
    expect(performance.now() - started).toBeLessThan(1000);
  });

  it('still applies ordinary patterns', () => {
    const schema = { properties: { p: { type: 'string', pattern: '^[a-z0-9-]+\\.(txt|md)$' } } };
    expect(validateArguments(schema, { p: 'notes.md' })).toBeUndefined();
    expect(validateArguments(schema, { p: 'notes.exe' })).toContain('pattern');
  });

  it('refuses schemas out of bounds, endless references and arguments that are too deep', () => {
    expect(validateArguments(nested(1000), {})).toContain('cannot be called');
    expect(validateArguments({ $ref: '#' }, {})).toContain('could not be checked');
    expect(validateArguments({ $ref: '#/nowhere' }, {})).toContain('could not be checked');
    let args: JsonObject = {};
    for (let level = 0; level < 100_000; level++) args = { a: args };
    expect(validateArguments({}, args)).toContain('deep');
  });

  it('takes names of the prototype for ordinary names', () => {
    const schema = { properties: { a: {} }, required: ['toString'], additionalProperties: false };
    expect(validateArguments(schema, { a: 1 })).toContain('toString');
    const args = JSON.parse('{"__proto__": {"polluted": true}}') as JsonObject;
    validateArguments({ properties: { a: {} } }, args);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
