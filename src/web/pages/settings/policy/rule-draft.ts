import type { Json } from '#shared/vocabulary/json.ts';
import type { ArgumentCondition, PolicyRule } from '#shared/vocabulary/policy-api.ts';

/** The ways an argument can be looked at. */
export const conditionKinds = ['host', 'prefix', 'glob', 'equals'] as const;
type ConditionKind = (typeof conditionKinds)[number];

/** A condition as it is typed. */
export interface ConditionDraft {
  pointer: string;
  kind: ConditionKind;
  value: string;
}

/** What is wrong with a condition; the page has words for each. */
export type ConditionProblem = 'pointer' | 'empty' | 'json';

/** A condition of a rule as it is typed. */
export function toDraft(condition: ArgumentCondition): ConditionDraft {
  const { pointer } = condition;
  if ('host' in condition) return { pointer, kind: 'host', value: condition.host };
  if ('prefix' in condition) return { pointer, kind: 'prefix', value: condition.prefix };
  if ('glob' in condition) return { pointer, kind: 'glob', value: condition.glob };
  return { pointer, kind: 'equals', value: JSON.stringify(condition.equals) };
}

/** What keeps a typed condition from being one; undefined if nothing does. */
export function conditionProblem(draft: ConditionDraft): ConditionProblem | undefined {
  const { pointer, kind, value } = draft;
  if (pointer !== '' && !pointer.startsWith('/')) return 'pointer';
  if (value === '') return 'empty';
  return kind === 'equals' && readJson(value) === undefined ? 'json' : undefined;
}

/** A typed condition as a rule has it; call it only where there is no problem. */
export function fromDraft({ pointer, kind, value }: ConditionDraft): ArgumentCondition {
  switch (kind) {
    case 'host':
      return { pointer, host: value };
    case 'prefix':
      return { pointer, prefix: value };
    case 'glob':
      return { pointer, glob: value };
    case 'equals':
      return { pointer, equals: readJson(value) ?? null };
  }
}

function readJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A rule without the fields that say nothing. */
export function tidyRule(rule: PolicyRule): PolicyRule {
  const { annotations, arguments: args, note, serverId, toolName, ...rest } = rule;
  const hints = Object.entries(annotations ?? {}).filter(([, wanted]) => wanted !== undefined);
  return {
    ...rest,
    ...(serverId && { serverId }),
    ...(toolName && { toolName }),
    ...(note?.trim() && { note: note.trim() }),
    ...(hints.length > 0 && { annotations: Object.fromEntries(hints) }),
    ...(args && args.length > 0 && { arguments: args }),
  };
}
