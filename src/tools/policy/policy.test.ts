import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { PolicyRule } from '#shared/vocabulary/policy-api.ts';
import type { PolicyCall, PolicyVerdict } from '#shared/vocabulary/tool.ts';
import { cpuTime } from '../../../test/cpu-time.ts';
import { argumentsHash, evaluatePolicy, rankRules } from './policy.ts';

const call: PolicyCall = {
  serverId: 's',
  toolName: 'read',
  trusted: true,
  annotations: { readOnlyHint: true },
  arguments: {},
  argsHash: argumentsHash({}),
  topicId: 't1',
  owner: 'local',
};
const unknown: PolicyCall = { ...call, trusted: false, annotations: {} };

function judge(
  part: Partial<PolicyCall>,
  rules: PolicyRule[] = [],
  more: { tainted?: boolean; pin?: string } = {},
): PolicyVerdict {
  return evaluatePolicy({ ...call, ...part }, { rules: rankRules(rules), tainted: false, ...more });
}
const action = (...args: Parameters<typeof judge>) => judge(...args).action;

const remembered = (effect: 'allow' | 'deny', topicId?: string): PolicyRule => ({
  action: effect,
  serverId: 's',
  toolName: 'read',
  ...(topicId && { topicId }),
});

describe('without rules, evaluatePolicy', () => {
  it('runs read-only tools of trusted servers', () => {
    expect(action({})).toBe('allow');
  });

  it('asks about everything else and says why', () => {
    const asks: Partial<PolicyCall>[] = [
      { trusted: false },
      { annotations: {} },
      { annotations: { readOnlyHint: true, openWorldHint: true } },
      { annotations: { destructiveHint: true } },
    ];
    const verdicts = asks.map((part) => judge(part));
    expect(verdicts.map((verdict) => verdict.action)).toEqual(['ask', 'ask', 'ask', 'ask']);
    expect(new Set(verdicts.map(({ rule }) => rule)).size).toBe(4);
    expect(verdicts.map(({ reason }) => reason)).toEqual([
      'untrusted_server',
      'may_change',
      'reaches_out',
      'may_destroy',
    ]);
  });

  it('names the host that a call asks about, where there is one', () => {
    const annotations = { readOnlyHint: true, openWorldHint: true };
    const host = (args: JsonObject) => judge({ annotations, arguments: args }).host;
    expect(host({ url: 'https://example.com/a' })).toBe('example.com');
    expect(host({ url: 'https://example.com:8443/', depth: 1 })).toBe('example.com:8443');
    expect(host({ url: 'https://a.example/', next: 'https://b.example/' })).toBeUndefined();
    expect(host({ query: 'cherries' })).toBeUndefined();
  });

  it('refuses a tool that is no longer the one that was approved', () => {
    expect(judge({ definitionHash: 'new' }, [{ action: 'allow' }], { pin: 'old' })).toMatchObject({
      action: 'deny',
      code: 'tool_changed',
    });
    expect(action({ definitionHash: 'old' }, [], { pin: 'old' })).toBe('allow');
  });
});

describe('with rules, evaluatePolicy', () => {
  it('follows remembered decisions of this tool only', () => {
    expect(action(unknown, [remembered('allow')])).toBe('allow');
    expect(action(unknown, [remembered('allow', 't1')])).toBe('allow');
    expect(action(unknown, [remembered('allow', 't2')])).toBe('ask');
    expect(action({ ...unknown, toolName: 'write' }, [remembered('allow')])).toBe('ask');
    expect(action({ ...unknown, serverId: 'x' }, [remembered('allow')])).toBe('ask');
  });

  it('runs what the settings of the server allow, unless it was denied or asks', () => {
    const chosen = { ...unknown, autoApproved: true };
    expect(action(chosen)).toBe('allow');
    expect(action({ ...chosen, autoApproved: false })).toBe('ask');
    expect(action(chosen, [remembered('deny')])).toBe('deny');
    expect(action(chosen, [{ action: 'ask', serverId: 's', toolName: 'read' }])).toBe('ask');
    expect(action(chosen, [{ action: 'ask', serverId: 's' }])).toBe('allow');
  });

  it('says in words which rule decided, by its note where it has one', () => {
    expect(judge({}, [remembered('allow'), remembered('deny', 't1')]).rule).toBe(
      'read was denied for this conversation',
    );
    const rule: PolicyRule = { id: 'r', action: 'deny', note: 'nobody reads on Sundays' };
    expect(judge({}, [rule])).toMatchObject({ rule: 'nobody reads on Sundays', ruleId: 'r' });
    expect(judge({}, [rule])).toMatchObject({ byRule: rule });
    expect(judge({}, [rule])).not.toHaveProperty('reason');
  });

  it('lets the more specific rule decide, and at the same the stricter, in any order', () => {
    const deny: PolicyRule = { action: 'deny' };
    const allow: PolicyRule = { action: 'allow', toolName: 'read' };
    const allowMany: PolicyRule = { action: 'allow', toolName: 're*' };
    const ask: PolicyRule = { action: 'ask', toolName: 'read' };
    const exact: PolicyRule = { action: 'allow', argsHash: call.argsHash };
    for (const [rules, expected] of [
      [[deny, allow], 'allow'],
      [[allow, ask], 'ask'],
      [[allow, ask, { ...deny, toolName: 'read' }], 'deny'],
      [[allowMany, ask], 'ask'],
      [[{ ...deny, topicId: 't1' }, allow], 'deny'],
      [[{ ...deny, topicId: 't1' }, exact], 'allow'],
    ] as const) {
      expect(action(unknown, [...rules])).toBe(expected);
      expect(action(unknown, rules.toReversed())).toBe(expected);
    }
  });

  it('believes hints of untrusted servers only where they warn', () => {
    const allow: PolicyRule = { action: 'allow', annotations: { readOnly: true } };
    const deny: PolicyRule = { action: 'deny', annotations: { destructive: true } };
    const hints = { readOnlyHint: true, destructiveHint: false };
    expect(action({ annotations: hints, trusted: false }, [allow])).toBe('ask');
    expect(action({ annotations: hints, trusted: true }, [allow])).toBe('allow');
    expect(action({ annotations: hints, trusted: false }, [deny])).toBe('deny');
    expect(action({ annotations: hints, trusted: true }, [deny])).toBe('allow');
    expect(action({ annotations: { destructiveHint: true }, trusted: false }, [deny])).toBe('deny');
  });

  it('lets odd arguments meet rules that deny, and none that allow', () => {
    const below = (effect: PolicyRule['action']): PolicyRule => ({
      action: effect,
      arguments: [{ pointer: '/path', prefix: '/home/me/' }],
    });
    const on = (path: string) => ({ ...unknown, arguments: { path } });
    expect(action(on('/home/me/a'), [below('allow')])).toBe('allow');
    expect(action(on('/home/me/../you'), [below('allow')])).toBe('ask');
    expect(action(on('/home/you/../me/a'), [below('deny')])).toBe('deny');
    expect(action(on('/home/you'), [below('deny')])).toBe('ask');
  });

  it('tells trusted servers from others', () => {
    const rule: PolicyRule = { action: 'deny', trusted: false };
    expect(action({ trusted: false }, [rule])).toBe('deny');
    expect(action({ trusted: true }, [rule])).toBe('allow');
  });
});

describe('after a result of an untrusted source, evaluatePolicy', () => {
  const tainted = { tainted: true };

  it('asks about what may destroy something, even where a rule or a setting allows it', () => {
    expect(action(unknown, [remembered('allow')], tainted)).toBe('ask');
    expect(action({ ...unknown, autoApproved: true }, [], tainted)).toBe('ask');
    const destructive = { annotations: { destructiveHint: true } };
    expect(action(destructive, [{ action: 'allow' }], tainted)).toBe('ask');
    expect(action({ annotations: {} }, [{ action: 'allow' }], tainted)).toBe('ask');
  });

  it('lets run what trusted servers know to be harmless, and exactly what a person allowed', () => {
    expect(action({}, [], tainted)).toBe('allow');
    const adds = { annotations: { readOnlyHint: false, destructiveHint: false } };
    expect(action(adds, [{ action: 'allow' }], tainted)).toBe('allow');
    const exact: PolicyRule = { ...remembered('allow'), argsHash: call.argsHash };
    expect(action(unknown, [exact], tainted)).toBe('allow');
    expect(action({ ...unknown, argsHash: 'other' }, [exact], tainted)).toBe('ask');
  });

  it('says of which calls that is true', () => {
    expect(judge({}).untrusted).toBeUndefined();
    expect(judge(unknown).untrusted).toBe(true);
    expect(judge({ annotations: { readOnlyHint: true, openWorldHint: true } }).untrusted).toBe(
      true,
    );
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

describe('T81: many rules about large arguments', () => {
  const urls = Array.from({ length: 3000 }, (_, n) => `https://a.example/${n}`);
  const many = (condition: (n: number) => NonNullable<PolicyRule['arguments']>[number]) =>
    Array.from({ length: 1000 }, (_, n): PolicyRule => ({
      action: 'deny',
      arguments: [condition(n)],
    }));
  const text = 'a/'.repeat(30_000);

  it.each([
    ['hosts', many((n) => ({ pointer: '', host: `h${n}.example` })), { urls }],
    ['values', many((n) => ({ pointer: '/urls', equals: [n] })), { urls }],
    ['patterns', many((n) => ({ pointer: '/text', glob: `${n}*b` })), { text }],
  ])('take no longer than a few: %s', (_, rules, args) => {
    expect(cpuTime(() => expect(action({ arguments: args }, rules)).toBe('allow'))).toBeLessThan(
      500,
    );
  });

  it('are in doubt over more hosts than anybody looks at', () => {
    const hosts = Array.from({ length: 33 }, (_, n) => `https://h${n}.example/`);
    const allow: PolicyRule = { action: 'allow', arguments: [{ pointer: '', host: '*.example' }] };
    const asked = { annotations: {}, arguments: { hosts } };
    expect(action(asked, [allow])).toBe('ask');
    expect(action({ ...asked, arguments: { hosts: hosts.slice(1) } }, [allow])).toBe('allow');
  });
});
