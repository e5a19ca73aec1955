import { expect, it } from 'vitest';
import { axisTop } from './axis-top.ts';

it('is a round number that no value passes', () => {
  const tops = [0, 1, 2, 3, 9, 10, 11, 49, 51, 1234, 5_000_001].map(axisTop);
  expect(tops).toEqual([1, 1, 2, 5, 10, 10, 20, 50, 100, 2000, 10_000_000]);
});

it('is 1 where there is nothing', () => {
  expect(axisTop(Number.NEGATIVE_INFINITY)).toBe(1);
});
