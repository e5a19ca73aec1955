import type { PolicyReason, PolicyRule } from '#shared/vocabulary/policy-api.ts';
import type { PolicyCall } from '#shared/vocabulary/tool.ts';

/** Why a verdict is what it is, where no rule of a person gave it. */
export const reasonWords: Record<PolicyReason, string> = {
  tool_changed: 'the server changed this tool after it was approved',
  untrusted_words: 'the conversation contains untrusted content',
  server_settings: "the server's settings allow it",
  read_only: 'read-only tools of trusted servers run without asking',
  may_destroy: 'the tool may delete or overwrite data',
  untrusted_server: 'tools of untrusted servers ask first',
  reaches_out: 'the tool reaches outside this machine',
  may_change: 'the tool may make changes',
  replay: 'every call of this replay asks first',
};

/** Which general reason some words are; undefined for those of a rule. */
export function reasonOf(words: string | undefined): PolicyReason | undefined {
  const reasons = Object.keys(reasonWords) as PolicyReason[];
  return reasons.find((reason) => reasonWords[reason] === words);
}

const verbs = { allow: 'allowed', ask: 'set to ask', deny: 'denied' };

/** A rule as a person reads it where it decided; its own note, if it has one. */
export function ruleWords(rule: PolicyRule, call: Pick<PolicyCall, 'toolName'>): string {
  if (rule.note) return rule.note;
  const scopes = [
    rule.argsHash !== undefined && 'with these arguments',
    ...(rule.arguments ?? []).map(conditionWords),
    rule.topicId !== undefined && 'for this conversation',
  ].filter((part) => part !== false);
  const when = [...new Set(scopes)].join(', ') || 'always';
  const what = rule.toolName ?? (rule.serverId ? 'every tool of this server' : 'every tool');
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
    [openWorld, 'open-world'],
    [trusted, 'from a trusted server'],
  ];
  return words
    .flatMap(([wanted, word]) => (wanted === undefined ? [] : [wanted ? word : `not ${word}`]))
    .join(', ');
}

function conditionWords(condition: NonNullable<PolicyRule['arguments']>[number]): string {
  if ('host' in condition) return `for ${condition.host}`;
  const where = condition.pointer === '' ? 'the arguments' : condition.pointer;
  if ('equals' in condition) return `where ${where} is ${JSON.stringify(condition.equals)}`;
  if ('prefix' in condition) return `where ${where} starts with ${condition.prefix}`;
  return `where ${where} matches ${condition.glob}`;
}
