import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findGap } from '#shared/text/text-gap.ts';
import { headAndTail, shareOf } from './cut-text.ts';

const texts = fc.string({ unit: 'grapheme', minLength: 200, maxLength: 3000 });

it('cuts within the bytes and counts what is missing of the whole, however often it is cut', () => {
  fc.assert(
    fc.property(texts, fc.nat({ max: 2000 }), fc.nat({ max: 2000 }), (text, first, second) => {
      let cut = text;
      for (const most of [Math.max(first, second), Math.min(first, second)].map((n) => n + 60)) {
        cut = headAndTail(cut, most);
        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(most);
        const gap = findGap(cut);
        if (!gap) {
          expect(cut).toBe(text);
          continue;
        }
        const tail = cut.slice(gap.at + gap.length);
        expect(gap.at + tail.length + gap.missing).toBe(text.length);
        expect(text.startsWith(cut.slice(0, gap.at))).toBe(true);
        expect(text.endsWith(tail)).toBe(true);
        expect(cut.isWellFormed()).toBe(true);
      }
    }),
  );
});

it('gives every text the same share, and what small ones leave to the others', () => {
  expect(shareOf(['a'.repeat(10), 'b'.repeat(100), 'c'.repeat(100)], 110)).toBe(50);
  expect(shareOf(['a'.repeat(10), 'b'.repeat(100)], 110)).toBeUndefined();
});
