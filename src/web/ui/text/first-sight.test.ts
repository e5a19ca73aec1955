import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstSight } from './first-sight.ts';

describe('firstSight', () => {
  it('shows short texts whole', () => {
    expect(firstSight(['a', 'b\nc'])).toEqual({ texts: ['a', 'b\nc'], rest: undefined });
    expect(firstSight([])).toEqual({ texts: [], rest: undefined });
  });

  it('counts the lines that are left', () => {
    const lines = Array.from({ length: 224 }, (_, at) => `line ${at}`);
    const { texts, rest } = firstSight([lines.join('\n')]);
    const seen = texts[0]?.split('\n').length ?? 0;
    expect(seen).toBeGreaterThan(5);
    expect(rest?.lines).toBe(224 - seen);
  });

  it('counts the characters of one long line, and values that are not begun', () => {
    const { texts, rest } = firstSight(['x'.repeat(100_000), 'y']);
    expect(texts).toHaveLength(1);
    expect(rest).toEqual({ lines: 2, characters: 100_001 - (texts[0]?.length ?? 0) });
    expect(firstSight(Array.from({ length: 10_000 }, () => 'v')).rest?.lines).toBeGreaterThan(9900);
  });

  it('shows a beginning of the texts, and all of it or says what is left', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 3000, size: 'max' }),
      fc.nat(60).map((count) => '\n'.repeat(count)),
      fc.nat(90).map((count) => 'a\n'.repeat(count)),
    );
    fc.assert(
      fc.property(fc.array(text, { maxLength: 5 }), (given) => {
        const { texts, rest } = firstSight(given);
        const left = given.map((each, at) => each.slice(texts[at]?.length ?? 0).length);
        for (const [at, each] of texts.entries()) expect(given[at]?.startsWith(each)).toBe(true);
        const missing = left.reduce((total, each) => total + each, 0);
        expect(rest?.characters ?? 0).toBe(missing);
        expect(rest === undefined).toBe(missing === 0 && texts.length === given.length);
      }),
    );
  });
});
