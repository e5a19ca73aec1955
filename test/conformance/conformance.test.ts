import { describe, expect, it } from 'vitest';
import { authorizationScenarios, runAuthorizationPart } from './authorization-suite.ts';
import { runServerPart, serverParts } from './server-suite.ts';
import { runPart, suiteParts } from './suite.ts';

describe('the official conformance suite', { timeout: 240_000 }, () => {
  it.for(suiteParts)('has nothing against us in its part $name', async (part, { skip }) => {
    const outcome = await runPart(part);
    if (!outcome) return skip('The suite could not be installed.');
    const failed = outcome.scenarios.filter(({ complaints }) => complaints.length > 0);
    expect(failed).toEqual([]);
    expect(outcome.required).toBe(part.required);
  });

  it.for(serverParts)('has nothing against /mcp/SERVER for $name', async (part, { skip }) => {
    const outcome = await runServerPart(part);
    if (!outcome) return skip('The suite could not be installed.');
    expect(outcome.scenarios.filter(({ complaints }) => complaints.length > 0)).toEqual([]);
    expect(outcome.required).toBe(part.required);
  });

  it('has nothing against us as the authorization server of /mcp', async ({ skip }) => {
    const outcome = await runAuthorizationPart();
    if (!outcome) return skip('The suite could not be installed.');
    expect(outcome.scenarios.filter(({ complaints }) => complaints.length > 0)).toEqual([]);
    expect(outcome.required).toBe(authorizationScenarios);
  });
});
