import { expect, it } from 'vitest';
import { listed } from './listing.ts';

it('takes names in and out, and leaves those that are not said', () => {
  expect(listed(['a', 'b'], { c: true, a: false, b: true, d: false })).toEqual(['b', 'c']);
  expect(listed(['a'], {})).toEqual(['a']);
  expect(listed([], JSON.parse('{"__proto__": true}'))).toEqual(['__proto__']);
});

it('takes a whole list for what it is', () => {
  expect(listed(['a', 'b'], ['c'])).toEqual(['c']);
  expect(listed(['a'], [])).toEqual([]);
});
