import { expect, it } from 'vitest';
import { findGap } from './text-gap.ts';

it('finds where a text was cut, and how much is missing there', () => {
  const text = 'head\n[… 1234 characters left out …]\ntail';
  const found = findGap(text);
  expect(found?.missing).toBe(1234);
  expect(text.slice(0, found?.at)).toBe('head');
  expect(text.slice((found?.at ?? 0) + (found?.length ?? 0))).toBe('tail');
});

it.each([
  '',
  'head\ntail',
  'says [… 5 characters left out …] itself',
  '\n[… x characters left out …]\n',
])('finds nothing in %j', (text) => {
  expect(findGap(text)).toBeUndefined();
});
