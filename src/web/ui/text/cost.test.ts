import { describe, expect, it } from 'vitest';
import { formatCost } from './cost.ts';

describe('formatCost', () => {
  it('keeps the digits that a small sum needs', () => {
    expect(formatCost(0.5, 'en', true)).toBe('≈$0.50');
    const sums = [0, 12.345, 0.0123, 0.000_045_6].map((sum) => formatCost(sum, 'en'));
    expect(sums).toEqual(['$0.00', '$12.35', '$0.0123', '$0.0000456']);
  });
});
