import type { PolicyDocument, PolicyRule } from '#shared/vocabulary/policy-api.ts';
import type { PolicyPatch } from './use-quick-policy.ts';

/** What is written for one tool as a whole; `default` leaves it to the other rules. */
export type ToolRule = PolicyRule['action'] | 'default';

/** The rule for exactly this tool, without further conditions. */
export function ruleOf(policy: PolicyDocument, serverId: string, toolName: string): ToolRule {
  return policy.rules.find((rule) => isFor(rule, serverId, toolName))?.action ?? 'default';
}

/** The policy with another rule for each of these tools; rules with conditions stay as they are. */
export function withRule(
  policy: PolicyDocument,
  serverId: string,
  toolNames: readonly string[],
  action: ToolRule,
): PolicyPatch {
  const others = policy.rules.filter(
    (rule) => !toolNames.some((toolName) => isFor(rule, serverId, toolName)),
  );
  if (action === 'default') return { rules: others };
  return { rules: [...toolNames.map((toolName) => ({ action, serverId, toolName })), ...others] };
}

/** The policy with this tool marked as safe to repeat, or not. */
export function withRepeat(
  { safeToRepeat }: PolicyDocument,
  serverId: string,
  toolName: string,
  on: boolean,
): PolicyPatch {
  const others = safeToRepeat.filter(
    (one) => one.serverId !== serverId || one.toolName !== toolName,
  );
  return { safeToRepeat: on ? [...others, { serverId, toolName }] : others };
}

const conditions = ['annotations', 'arguments', 'argsHash', 'topicId', 'trusted'] as const;

/** Whether a rule is for exactly this tool, without further conditions. */
export function isFor(rule: PolicyRule, serverId: string, toolName: string): boolean {
  return (
    rule.serverId === serverId &&
    rule.toolName === toolName &&
    conditions.every((name) => rule[name] === undefined)
  );
}
