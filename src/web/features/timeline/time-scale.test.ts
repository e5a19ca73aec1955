import { describe, expect, it } from 'vitest';
import { createTimeScale } from './time-scale.ts';

const span = (startedAt: number, endedAt: number) => ({ startedAt, endedAt });

describe('the scale of a timeline', () => {
  it('is even where nobody waits long', () => {
    const scale = createTimeScale(span(0, 1000), [span(0, 500), span(400, 1000)]);
    expect([0, 250, 500, 1000].map((at) => scale.place(at))).toEqual([0, 0.25, 0.5, 1]);
    expect(scale.isShortened).toBe(false);
  });

  it('gives hours in which nothing happens no more room than a part of what happens', () => {
    const hour = 3_600_000;
    const scale = createTimeScale(span(0, hour), [span(0, 1000), span(hour - 1000, hour)]);
    expect(scale.isShortened).toBe(true);
    expect(scale.place(1000)).toBeGreaterThan(0.4);
    expect(scale.place(hour / 2)).toBeCloseTo(0.5);
    expect(scale.place(hour - 1000)).toBeLessThan(0.6);
    expect(scale.place(hour)).toBe(1);
  });

  it('has a place for every moment, also where nothing is known', () => {
    expect(createTimeScale(span(5, 5), []).place(5)).toBe(0);
    expect(createTimeScale(span(0, 100), []).place(50)).toBe(0.5);
  });
});
