import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { type PolicyRule, policyRuleSchema } from '#shared/vocabulary/policy-api.ts';
import type { PolicyCall } from '#shared/vocabulary/tool.ts';
import { evaluatePolicy, type PolicyContext, rankRules } from './policy.ts';

const few = (...values: string[]) => fc.constantFrom(...values);
const hint = fc.constantFrom(true, false, undefined);
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const pointer = few('', '/url', '/a', '/a/0', '/~1', '/__proto__');
const address = few('https://a.example/x', 'https://b.example', '//a.example', 'x', '/a/../b');

const rules = fc.array(
  fc.record({
    action: fc.constantFrom('allow' as const, 'ask' as const, 'deny' as const),
    serverId: optional(few('s', '*', 'o*', 's2')),
    toolName: optional(few('read', 're*', '*', 'write')),
    topicId: optional(few('t1', 't2')),
    argsHash: optional(few('h1', 'h2')),
    trusted: hint,
    annotations: optional(
      fc.record({ readOnly: hint, destructive: hint, idempotent: hint, openWorld: hint }),
    ),
    arguments: optional(
      fc.array(
        fc.oneof(
          fc.record({ pointer, equals: fc.jsonValue() }),
          fc.record({ pointer, prefix: few('/a', 'https://a', 'x') }),
          fc.record({ pointer, glob: few('*', '/*/b', 'https://*') }),
          fc.record({ pointer, host: few('a.example', '*.example', '*') }),
        ),
        { maxLength: 3 },
      ),
    ),
  }),
  { maxLength: 8 },
) as fc.Arbitrary<PolicyRule[]>;

const calls = fc.record({
  serverId: few('s', 's2', 'other', ''),
  toolName: few('read', 'write', 're*d', ''),
  trusted: fc.boolean(),
  autoApproved: fc.boolean(),
  annotations: fc.record({
    readOnlyHint: hint,
    destructiveHint: hint,
    idempotentHint: hint,
    openWorldHint: hint,
  }),
  arguments: fc.oneof(
    fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<JsonObject>,
    fc.record({ url: address, a: fc.array(address, { maxLength: 2 }) }),
  ),
  argsHash: few('h1', 'h2', 'h3'),
  definitionHash: optional(few('d1', 'd2')),
  topicId: few('t1', 't3'),
  owner: fc.constant('local'),
}) as fc.Arbitrary<PolicyCall>;

const contexts = fc.record({
  rules: rules.map((list) => rankRules(list)),
  pin: optional(few('d1')),
  tainted: fc.boolean(),
}) as fc.Arbitrary<PolicyContext>;

const strictness = { allow: 0, ask: 1, deny: 2 };
const runs = { numRuns: 2000 };

describe('the policy, for any call and any rules,', () => {
  it('has a verdict with words, always the same', () => {
    fc.assert(
      fc.property(calls, contexts, (call, context) => {
        const verdict = evaluatePolicy(call, context);
        expect(['allow', 'ask', 'deny']).toContain(verdict.action);
        expect(verdict.rule).not.toBe('');
        expect(evaluatePolicy(structuredClone(call), context)).toEqual(verdict);
      }),
      runs,
    );
  });

  it('takes what the schema takes, and only that is tested here', () => {
    fc.assert(
      fc.property(rules, (list) => {
        for (const rule of list) expect(policyRuleSchema.safeParse(rule).error).toBeUndefined();
      }),
      runs,
    );
  });

  it('decides alike in whatever order the rules stand', () => {
    fc.assert(
      fc.property(calls, rules, fc.boolean(), (call, list, tainted) => {
        const [one, other] = [list, list.toReversed()].map((each) =>
          evaluatePolicy(call, { rules: rankRules(each), tainted }),
        );
        expect(one?.action).toBe(other?.action);
      }),
      runs,
    );
  });

  it('is not moved by any hint of a server that is not trusted', () => {
    fc.assert(
      fc.property(calls, contexts, (call, context) => {
        const untrusted = { ...call, trusted: false };
        const silent = evaluatePolicy({ ...untrusted, annotations: {} }, context);
        expect(evaluatePolicy(untrusted, context).action).toBe(silent.action);
      }),
      runs,
    );
  });

  it('is not loosened by taint, nor by a changed definition', () => {
    fc.assert(
      fc.property(calls, contexts, (call, context) => {
        const clean = evaluatePolicy(call, { ...context, tainted: false });
        const tainted = evaluatePolicy(call, { ...context, tainted: true });
        expect(strictness[tainted.action]).toBeGreaterThanOrEqual(strictness[clean.action]);
        const changed = evaluatePolicy({ ...call, definitionHash: 'x' }, { ...context, pin: 'y' });
        expect(changed).toMatchObject({ action: 'deny', code: 'tool_changed' });
      }),
      runs,
    );
  });

  it('never runs a call after taint that is not known to be harmless, but for exact arguments', () => {
    fc.assert(
      fc.property(calls, rules, (call, list) => {
        const found = evaluatePolicy(call, { rules: rankRules(list), tainted: true });
        const { readOnlyHint, destructiveHint } = call.annotations;
        const harmless = call.trusted && (readOnlyHint === true || destructiveHint === false);
        const exact = list.some(({ argsHash, action }) => argsHash && action === 'allow');
        if (!harmless && !exact) expect(found.action).not.toBe('allow');
      }),
      runs,
    );
  });
});
