import { describe, expect, it } from 'vitest';
import type { PolicyDocument, PolicyRule } from '#shared/vocabulary/policy-api.ts';
import { ruleOf, withRepeat, withRule } from './tool-rule.ts';

const narrow: PolicyRule = {
  action: 'deny',
  serverId: 's',
  toolName: 'write',
  arguments: [{ pointer: '/path', prefix: 'secret/' }],
};
const other: PolicyRule = { action: 'allow', serverId: 's', toolName: 'read' };
const policy: PolicyDocument = {
  version: '1',
  rules: [narrow, other],
  trustedServers: [],
  safeToRepeat: [{ serverId: 's', toolName: 'read' }],
};

describe('the rule of a tool', () => {
  it('is the one without further conditions', () => {
    expect(ruleOf(policy, 's', 'write')).toBe('default');
    expect(ruleOf(policy, 's', 'read')).toBe('allow');
    expect(ruleOf(policy, 'other', 'read')).toBe('default');
  });

  it('is replaced and taken away without touching others', () => {
    const asked = { ...policy, ...withRule(policy, 's', ['read'], 'ask') };
    expect(asked.rules).toEqual([{ action: 'ask', serverId: 's', toolName: 'read' }, narrow]);
    expect(withRule(asked, 's', ['read'], 'default')).toEqual({ rules: [narrow] });
  });

  it('stumble: is set for several tools at once', () => {
    const denied = { ...policy, ...withRule(policy, 's', ['read', 'write', 'move'], 'deny') };
    for (const name of ['read', 'write', 'move']) expect(ruleOf(denied, 's', name)).toBe('deny');
    expect(denied.rules).toHaveLength(4);
    expect(denied.rules).toContain(narrow);
    expect(withRule(denied, 's', ['read', 'move'], 'default').rules).toEqual([
      { action: 'deny', serverId: 's', toolName: 'write' },
      narrow,
    ]);
  });

  it('marks a tool as safe to repeat once', () => {
    const twice = withRepeat(policy, 's', 'read', true);
    expect(twice).toEqual({ safeToRepeat: policy.safeToRepeat });
    expect(withRepeat(policy, 's', 'read', false)).toEqual({ safeToRepeat: [] });
  });
});
