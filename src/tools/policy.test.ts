import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#shared/json.ts';
import type { PolicyCall } from '#shared/tool.ts';
import { argumentsHash, evaluatePolicy, type PolicyRule } from './policy.ts';

const call: PolicyCall = {
  serverId: 's',
  toolName: 'read',
  trusted: true,
  annotations: { readOnlyHint: true },
  arguments: {},
  topicId: 't1',
  owner: 'local',
};
const rule = (effect: PolicyRule['effect'], topicId?: string): PolicyRule => ({
  effect,
  serverId: 's',
  toolName: 'read',
  ...(topicId && { topicId }),
});

describe('evaluatePolicy', () => {
  it('runs read-only tools of trusted servers', () => {
    expect(evaluatePolicy(call, []).action).toBe('allow');
  });

  it('asks about everything else and says why', () => {
    const asks: Partial<PolicyCall>[] = [
      { trusted: false },
      { annotations: {} },
      { annotations: { readOnlyHint: true, openWorldHint: true } },
      { annotations: { destructiveHint: true } },
    ];
    const verdicts = asks.map((part) => evaluatePolicy({ ...call, ...part }, []));
    expect(verdicts.map(({ action }) => action)).toEqual(['ask', 'ask', 'ask', 'ask']);
    expect(new Set(verdicts.map(({ rule: words }) => words)).size).toBe(4);
  });

  it('follows remembered decisions of this tool only', () => {
    const asked = { ...call, trusted: false };
    expect(evaluatePolicy(asked, [rule('allow')]).action).toBe('allow');
    expect(evaluatePolicy(asked, [rule('allow', 't1')]).action).toBe('allow');
    expect(evaluatePolicy(asked, [rule('allow', 't2')]).action).toBe('ask');
    expect(evaluatePolicy({ ...asked, toolName: 'write' }, [rule('allow')]).action).toBe('ask');
    expect(evaluatePolicy({ ...asked, serverId: 'x' }, [rule('allow')]).action).toBe('ask');
  });

  it('runs what the settings of the server allow, unless it was denied', () => {
    const chosen = { ...call, trusted: false, autoApproved: true };
    expect(evaluatePolicy(chosen, []).action).toBe('allow');
    expect(evaluatePolicy({ ...chosen, autoApproved: false }, []).action).toBe('ask');
    expect(evaluatePolicy(chosen, [rule('deny')]).action).toBe('deny');
  });

  it('lets a deny rule win, also over what would run anyway', () => {
    expect(evaluatePolicy(call, [rule('allow'), rule('deny', 't1')])).toEqual({
      action: 'deny',
      rule: 'read was denied for this topic',
    });
  });
});

describe('argumentsHash', () => {
  it('is the same for the same JSON in any order of keys', () => {
    expect(argumentsHash({ a: 1, b: { c: [1, null], d: 'x' } })).toBe(
      argumentsHash({ b: { d: 'x', c: [1, null] }, a: 1 }),
    );
  });

  it('differs for any other value', () => {
    const hashes: JsonObject[] = [
      {},
      { a: 1 },
      { a: '1' },
      { a: [1] },
      { a: null },
      { 'a":1,"b': 1 },
      { a: 1, b: 1 },
    ];
    expect(new Set(hashes.map((args) => argumentsHash(args))).size).toBe(hashes.length);
  });

  it('refuses arguments too deep to be hashed', () => {
    let args = {};
    for (let level = 0; level < 100_000; level++) args = { a: args };
    expect(() => argumentsHash(args)).toThrow('deep');
  });
});
