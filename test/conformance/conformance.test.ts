import { describe, expect, it } from 'vitest';
import { runPart, suiteParts } from './suite.ts';

describe('the official conformance suite', { timeout: 240_000 }, () => {
  it.for(suiteParts)('has nothing against us in its part $name', async (part, { skip }) => {
    const outcome = await runPart(part);
    if (!outcome) return skip('The suite could not be installed.');
    const failed = outcome.scenarios.filter(({ complaints }) => complaints.length > 0);
    expect(failed).toEqual([]);
    expect(outcome.required).toBe(part.required);
  });
});
