import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLogNews } from './log-news.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('tells of the first line at once and of many more once a pause, the last included', () => {
  const told: [string, number][] = [];
  const news = createLogNews<number>((id, about) => told.push([id, about]), 1000);
  for (let line = 0; line < 500; line += 1) news('a', line);
  news('b', 0);
  expect(told).toEqual([
    ['a', 0],
    ['b', 0],
  ]);
  vi.advanceTimersByTime(1000);
  expect(told.slice(2)).toEqual([['a', 499]]);
  vi.advanceTimersByTime(10_000);
  expect(told).toHaveLength(3);
  news('a', 500);
  expect(told.at(-1)).toEqual(['a', 500]);
});
