import { describe, expect, it } from 'vitest';
import { deltaLength, Delays, delaysOf, stamp } from './stamp.ts';

describe('the time in a delta', () => {
  it('has the length of every delta and gives the delay back', () => {
    const sent = 1_763_208_429_123;
    expect(stamp(sent)).toHaveLength(deltaLength);
    expect(delaysOf(stamp(sent) + stamp(sent + 20), sent + 50)).toEqual([50, 30]);
  });

  it('gives the delay back where the time comes round', () => {
    const round = 36 ** 4 * 1000;
    expect(stamp(round)).toBe(' 0000');
    expect(delaysOf(stamp(round - 3), round + 4)).toEqual([7]);
  });
});

describe('delays', () => {
  it('give the delay that a share of them is at or below', () => {
    const delays = new Delays();
    for (let delay = 1; delay <= 100; delay += 1) delays.add(delay);
    delays.add(1_000_000);
    expect(delays.percentile(0.5)).toBe(51);
    expect(delays.percentile(0.99)).toBe(100);
    expect(delays.percentile(1)).toBe(19_999);
    delays.clear();
    expect(delays.percentile(0.5)).toBeNaN();
  });
});
