import { describe, expect, it } from 'vitest';
import { textOf } from '#shared/errors/sentence.ts';
import { boundsProblem as judge } from './json-bounds.ts';

/** The English of what is wrong. */
function boundsProblem(...given: Parameters<typeof judge>): string | undefined {
  const words = judge(...given);
  return words && textOf(words);
}

const bounds = { depth: 3, nodes: 10, characters: 20 };

function nested(depth: number): unknown {
  return JSON.parse('['.repeat(depth) + ']'.repeat(depth));
}

describe('boundsProblem', () => {
  it('says nothing about what is within bounds', () => {
    for (const value of [null, 1, 'text', [], { a: { b: {} } }, nested(3)]) {
      expect(boundsProblem(value, bounds)).toBeUndefined();
    }
    expect(boundsProblem('x'.repeat(1000), { depth: 1, nodes: 1 })).toBeUndefined();
  });

  it('names the bound that is broken', () => {
    expect(boundsProblem(nested(4), bounds)).toBe('is nested more than 3 levels deep');
    expect(
      boundsProblem(
        Array.from({ length: 10 }, () => 1),
        bounds,
      ),
    ).toContain('10 values');
    expect(boundsProblem({ a: 'x'.repeat(20) }, bounds)).toContain('20 characters');
    expect(boundsProblem({ ['k'.repeat(21)]: 1 }, bounds)).toContain('20 characters');
  });

  it('T45 survives a million levels', () => {
    expect(boundsProblem(nested(1_000_000), { depth: 200, nodes: 1e9 })).toContain('deep');
  });
});
