import { describe, expect, it } from 'vitest';
import { addUsage, withCost } from './add-usage.ts';

const price = { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75 };
const usage = { inputTokens: 1000, outputTokens: 200 };

describe('the cost of a request', () => {
  it('is by the price of each kind of token, each token counted once', () => {
    const cached = { ...usage, cachedInputTokens: 600, cacheWriteTokens: 100, reasoningTokens: 50 };
    expect(withCost(cached, price)?.cost).toBeCloseTo(
      (300 * 3 + 600 * 0.3 + 100 * 3.75 + 200 * 15) / 1e6,
      12,
    );
    expect(withCost(cached, price)?.costEstimated).toBe(true);
  });

  it('takes what is not said of the cache for plain input', () => {
    const cached = { ...usage, cachedInputTokens: 600, cacheWriteTokens: 100 };
    const plain = withCost(usage, { input: 3, output: 15 })?.cost;
    expect(withCost(cached, { input: 3, output: 15 })?.cost).toBeCloseTo(plain ?? NaN, 12);
  });

  it('is what the vendor says, where it says it', () => {
    expect(withCost({ ...usage, cost: 0.5 }, price)).toEqual({ ...usage, cost: 0.5 });
    expect(withCost({ ...usage, cost: 0 }, price)).toEqual({ ...usage, cost: 0 });
  });

  it('is not known without a price or without tokens', () => {
    expect(withCost(usage, undefined)).toEqual(usage);
    expect(withCost(undefined, price)).toBeUndefined();
  });

  it('is never less than nothing, whatever a vendor counts', () => {
    expect(withCost({ inputTokens: 5, cachedInputTokens: 10 }, price)?.cost).toBeGreaterThan(0);
  });

  it('is an estimate as a whole where a part of it is', () => {
    const told = { outputTokens: 1, cost: 1 };
    const reckoned = { outputTokens: 2, cost: 2, costEstimated: true } as const;
    expect(addUsage(told, reckoned)).toEqual({ outputTokens: 3, cost: 3, costEstimated: true });
    expect(addUsage(reckoned, told)).toEqual({ outputTokens: 3, cost: 3, costEstimated: true });
    expect(addUsage(told, told)).toEqual({ outputTokens: 2, cost: 2 });
  });
});
