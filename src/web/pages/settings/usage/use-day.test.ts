import { describe, expect, it } from 'vitest';
import { dayAt, dayByKey } from './use-day.ts';

describe('charts without tooltips', () => {
  it('know the day under a pointer, at the edges too', () => {
    expect([-0.1, 0, 0.49, 0.5, 0.999, 1, 2].map((share) => dayAt(share, 10))).toEqual([
      0, 0, 4, 5, 9, 9, 9,
    ]);
  });

  it('are walked through by arrow keys, from the newest day on', () => {
    expect(dayByKey('ArrowLeft', undefined, 7)).toBe(6);
    expect(dayByKey('ArrowLeft', 6, 7)).toBe(5);
    expect(dayByKey('ArrowLeft', 0, 7)).toBe(0);
    expect(dayByKey('ArrowRight', 6, 7)).toBe(6);
    expect(dayByKey('Home', 3, 7)).toBe(0);
    expect(dayByKey('End', 3, 7)).toBe(6);
    expect(dayByKey('Escape', 3, 7)).toBeUndefined();
    expect(dayByKey('Tab', 3, 7)).toBeNull();
  });
});
