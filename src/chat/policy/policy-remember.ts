import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { Decision, PolicyRule } from '#shared/vocabulary/policy-api.ts';
import type { ToolCallRecord } from '#store/calls/tool-calls.ts';
import { hostOf } from '#tools/policy/policy-arguments.ts';

/**
 * The rule that remembers a decision; undefined where it is for this call alone. For a host it is about
 * all tools of the server that only read, where this one is known to be such.
 */
export function ruleOf(
  { serverId, toolName, topicId, arguments: args, argsHash }: ToolCallRecord,
  { decision, scope }: Pick<Decision, 'decision' | 'scope'>,
  isReader: boolean,
): Omit<PolicyRule, 'id' | 'source'> | undefined {
  // A direct call belongs to no topic, so a decision for its topic is one for the call.
  if (scope === 'once' || (scope === 'topic' && topicId === undefined)) return undefined;
  if (toolName.includes('*'))
    throw new CeriseError(
      'invalid_request',
      say('tool-name-no-rule')`This tool's name can't be used in a rule.`,
      {
        hint: say('decide-each')`Decide on each call separately.`,
      },
    );
  const action = decision === 'approve' ? 'allow' : 'deny';
  const withoutName = { action, serverId } as const;
  const tool = { ...withoutName, toolName };
  switch (scope) {
    case 'topic':
      return { ...tool, ...(topicId !== undefined && { topicId }) };
    case 'arguments':
      return { ...tool, argsHash };
    case 'host':
      return isReader
        ? { ...withoutName, annotations: { readOnly: true }, arguments: hostConditions(args) }
        : { ...tool, arguments: hostConditions(args) };
    case 'always':
      return tool;
  }
}

/** The address itself, and every other one beside it, must be on the host. */
function hostConditions(args: ToolCallRecord['arguments']): NonNullable<PolicyRule['arguments']> {
  const named = hostOf(args);
  if (named)
    return [
      { pointer: named.pointer, host: named.host },
      { pointer: '', host: named.host },
    ];
  throw new CeriseError(
    'invalid_request',
    say('no-one-host')`The arguments don't name a single host.`,
    {
      hint: say('decide-otherwise')`Choose these arguments, this chat or always instead.`,
    },
  );
}
