import { describe, expect, it } from 'vitest';
import { growthSamples, median, rotate, summarise } from './statistics.ts';

describe('median', () => {
  it('is the middle value whatever the order', () => {
    expect(median([30, 1, 2])).toBe(2);
  });

  it('is the mean of the two middle values of an even count', () => {
    expect(median([4, 1, 3, 100])).toBe(3.5);
  });

  it('sorts as numbers, not as text', () => {
    expect(median([100, 9, 20])).toBe(20);
  });

  it('is not a number when there is nothing to look at', () => {
    expect(median([])).toBeNaN();
  });
});

describe('summarise', () => {
  const rounds = [
    { cerise: 10, floor: 5, other: 20 },
    { cerise: 90, floor: 30, other: 180 },
    { cerise: 12, floor: 3, other: 6 },
  ];

  it('takes the median of each contestant', () => {
    const row = summarise({ what: 'start', unit: 'ms', rounds });
    expect(row).toMatchObject({ what: 'start', unit: 'ms', cerise: 12, floor: 5 });
    expect(row.peers).toEqual({ other: 20 });
  });

  it('takes the median of the ratios of each round, not the ratio of the medians', () => {
    expect(summarise({ what: 'start', unit: 'ms', rounds }).ratios).toEqual({
      floor: 3,
      other: 0.5,
    });
  });

  it('shows a missing measurement as not a number instead of leaving it out', () => {
    const row = summarise({
      what: 'x',
      unit: 'ms',
      rounds: [{ cerise: 1, floor: 1 }, { floor: 1 }],
    });
    expect(row.cerise).toBeNaN();
  });
});

describe('growthSamples', () => {
  const all = [
    {
      what: 'small',
      unit: 'µs',
      rounds: [
        { cerise: 2, floor: 1 },
        { cerise: 4, floor: 1 },
      ],
    },
    {
      what: 'large',
      unit: 'µs',
      rounds: [
        { cerise: 3, floor: 1 },
        { cerise: 4, floor: 2 },
      ],
    },
  ];

  it('divides contestant by contestant and round by round', () => {
    expect(growthSamples({ what: 'growth', from: 'small', to: 'large' }, all)).toEqual({
      what: 'growth',
      unit: '×',
      rounds: [
        { cerise: 1.5, floor: 1 },
        { cerise: 1, floor: 2 },
      ],
    });
  });

  it('names the row that is not there', () => {
    expect(() => growthSamples({ what: 'growth', from: 'tiny', to: 'large' }, all)).toThrow('tiny');
  });
});

describe('rotate', () => {
  it('lets every contestant go first in turn', () => {
    const first = [0, 1, 2, 3].map((round) => rotate(['a', 'b', 'c'], round)[0]);
    expect(first).toEqual(['a', 'b', 'c', 'a']);
  });

  it('keeps all of them', () => {
    expect(rotate(['a', 'b', 'c'], 2)).toEqual(['c', 'a', 'b']);
  });
});
