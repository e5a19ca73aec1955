import { describe, expect, it } from 'vitest';
import { textOf } from '#shared/errors/sentence.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { inspectSchema } from './schema-problem.ts';

/** The English of what is wrong. */
function schemaProblem(schema: JsonObject): string | undefined {
  const { problem } = inspectSchema(schema);
  return problem && textOf(problem);
}

function nested(depth: number): JsonObject {
  let value: JsonObject = { type: 'string' };
  for (let level = 0; level < depth; level++) value = { properties: { a: value } };
  return value;
}

describe('inspectSchema', () => {
  it('accepts ordinary schemas', () => {
    expect(schemaProblem({ properties: { a: { $ref: '#/$defs/a' } } })).toBeUndefined();
    expect(schemaProblem(nested(31))).toBeUndefined();
    for (const draft of ['draft-07/schema#', 'draft/2020-12/schema']) {
      expect(schemaProblem({ $schema: `http://json-schema.org/${draft}` })).toBeUndefined();
    }
  });

  it('accepts thousands of values to choose from', () => {
    expect(schemaProblem({ enum: Array.from({ length: 10_000 }, (_, n) => `icon-${n}`) })).toBe(
      undefined,
    );
  });

  it('refuses what is too deep, too wide or too large', () => {
    expect(schemaProblem(nested(100_000))).toContain('deep');
    expect(schemaProblem({ enum: Array.from({ length: 6000 }, () => [1]) })).toContain('5000');
    expect(schemaProblem({ enum: Array.from({ length: 60_000 }, (_, n) => n) })).toContain(
      'characters',
    );
    expect(schemaProblem({ anyOf: Array.from({ length: 100_000 }, () => ({})) })).toContain('5000');
    expect(schemaProblem({ description: 'x'.repeat(300_000) })).toContain('characters');
  });

  it('refuses what points elsewhere, at any depth, and dialects nobody here knows', () => {
    for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef']) {
      const schema = { properties: { a: { items: { [keyword]: 'http://169.254.169.254/x' } } } };
      expect(schemaProblem(schema)).toContain("169.254.169.254/x, which isn't loaded");
    }
    expect(schemaProblem({ properties: { default: { $ref: 'other.json' } } })).toContain(
      "isn't loaded",
    );
    expect(schemaProblem({ $id: 'a.json', $ref: 'b.json' })).toContain("b.json, which isn't");
    expect(schemaProblem({ $ref: 'other.json#/a' })).toContain("isn't loaded");
    expect(schemaProblem({ $schema: 'https://example.com/dialect' })).toContain("isn't supported");
  });

  it('takes data that looks like a reference for data', () => {
    const data = { $ref: 'http://x/' };
    expect(schemaProblem({ default: data, enum: [data], const: data })).toBeUndefined();
    expect(schemaProblem({ properties: { $ref: { type: 'string' } } })).toBeUndefined();
  });

  it('tells whether a key occurs', () => {
    const schema = { properties: { a: { 'x-mark': 1 } } };
    expect(inspectSchema(schema, 'x-mark')).toEqual({ schema, hasKey: true });
    expect(inspectSchema(schema, 'x-other')).toEqual({ schema, hasKey: false });
  });
});
