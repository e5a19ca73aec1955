import { describe, expect, it } from 'vitest';
import { cutToWidth, screenRows, widthOf } from './text-width.ts';

describe('the width of a text', () => {
  it.each([
    ['abc', 3],
    ['你好', 4],
    ['e\u0301', 1],
    ['ที่นี่', 2],
    ['שָׁלוֹם', 4],
    ['नमस्ते', 4],
    ['\u1112\u1161\u11ab', 2],
    ['a\u200bb', 2],
    ['👩‍👩‍👧', 2],
    ['🇨🇭', 2],
    ['☕…', 3],
  ])('%s takes the places that a terminal gives it', (text, width) => {
    expect(widthOf(text)).toBe(width);
  });

  it('is cut between letters, never within one', () => {
    expect(screenRows('ที่นี่', 1)).toEqual(['ที่', 'นี่']);
    expect(cutToWidth('a👩‍👩‍👧b', 3)).toBe('a👩‍👩‍👧');
    expect(cutToWidth('a👩‍👩‍👧b', 2)).toBe('a');
  });
});
