import type { PolicyRule } from '#shared/policy-api.ts';
import type { PolicyCall } from '#shared/tool.ts';

const verbs = { allow: 'allowed', ask: 'to be asked about', deny: 'denied' };

/** A rule as a person reads it where it decided; its own note, if it has one. */
export function ruleWords(rule: PolicyRule, call: Pick<PolicyCall, 'toolName'>): string {
  if (rule.note) return rule.note;
  const scopes = [
    rule.argsHash !== undefined && 'with these arguments',
    ...(rule.arguments ?? []).map(conditionWords),
    rule.topicId !== undefined && 'for this topic',
  ].filter((part) => part !== false);
  const when = [...new Set(scopes)].join(', ') || 'always';
  const what = rule.toolName ?? (rule.serverId ? 'every tool of its server' : 'every tool');
  const subject = rule.toolName?.includes('*') ? `${call.toolName} (${rule.toolName})` : what;
  const hints = hintWords(rule);
  return `${subject}${hints && ` that is ${hints}`} was ${verbs[rule.action]} ${when}`;
}

function hintWords({ annotations = {}, trusted }: PolicyRule): string {
  const { readOnly, destructive, idempotent, openWorld } = annotations;
  const words: [boolean | undefined, string][] = [
    [readOnly, 'read-only'],
    [destructive, 'destructive'],
    [idempotent, 'idempotent'],
    [openWorld, 'open to the world'],
    [trusted, 'of a trusted server'],
  ];
  return words
    .flatMap(([wanted, word]) => (wanted === undefined ? [] : [wanted ? word : `not ${word}`]))
    .join(', ');
}

function conditionWords(condition: NonNullable<PolicyRule['arguments']>[number]): string {
  if ('host' in condition) return `for ${condition.host}`;
  const where = condition.pointer === '' ? 'the arguments' : condition.pointer;
  if ('equals' in condition) return `where ${where} is ${JSON.stringify(condition.equals)}`;
  if ('prefix' in condition) return `where ${where} begins with ${condition.prefix}`;
  return `where ${where} fits ${condition.glob}`;
}
