import { describe, expect, it } from 'vitest';
import { policyRuleSchema } from '#shared/vocabulary/policy-api.ts';
import { conditionProblem, fromDraft, tidyRule, toDraft } from './rule-draft.ts';

describe('the conditions of a rule', () => {
  it.each([
    { pointer: '/url', host: '*.example.com' },
    { pointer: '/path', prefix: 'notes/' },
    { pointer: '/path', glob: '*.md' },
    { pointer: '', equals: { a: [1, null] } },
    { pointer: '/x', equals: null },
  ])('come back from what is typed as %j', (condition) => {
    expect(conditionProblem(toDraft(condition))).toBeUndefined();
    expect(fromDraft(toDraft(condition))).toEqual(condition);
  });

  it('say what keeps them from being conditions', () => {
    expect(conditionProblem({ pointer: 'url', kind: 'host', value: 'a' })).toBe('pointer');
    expect(conditionProblem({ pointer: '', kind: 'host', value: '' })).toBe('empty');
    expect(conditionProblem({ pointer: '', kind: 'equals', value: '{' })).toBe('json');
    expect(conditionProblem({ pointer: '', kind: 'equals', value: 'null' })).toBeUndefined();
  });
});

describe('tidyRule', () => {
  it('drops what says nothing and keeps the rest, the id and the source included', () => {
    const rule = tidyRule({
      id: 'r',
      action: 'deny',
      serverId: '',
      toolName: 'write_*',
      annotations: { readOnly: undefined },
      arguments: [],
      note: '  ',
      source: 'written',
    });
    expect(rule).toEqual({ id: 'r', action: 'deny', toolName: 'write_*', source: 'written' });
    expect(policyRuleSchema.safeParse(rule).success).toBe(true);
  });
});
