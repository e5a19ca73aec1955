import { errorInfo, CeriseError, type ErrorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { toolBlockStatus } from '#shared/vocabulary/block.ts';
import type { BlockPatch, EventBody } from '#shared/vocabulary/event.ts';
import type { Decision } from '#shared/vocabulary/policy-api.ts';
import { type ToolCallRecord, transitionToolCall } from '#store/calls/tool-calls.ts';
import { waitOfUnstarted } from '#store/conversations/waits.ts';
import { unparkAnswers } from '#store/conversations/leases.ts';
import type { Db } from '#store/database/store.ts';
import { insertAudit } from '#store/people/audit.ts';

/** What settles a call that waits: a person's word, or the policy's where it does not ask any more. */
export interface CallDecision {
  decision: 'approve' | 'deny';
  at: number;
  /** What a person wants remembered; absent where nobody was asked. */
  scope?: Decision['scope'];
  /** The rule that decided in the place of a person. */
  rule?: string;
  /** Why it is denied. */
  error?: ErrorInfo;
  /** The host that runs the call from now on, where that is not the one of its topic. */
  ownerInstance?: string;
}

/** What is said of a call that a person did not want. */
export const deniedByPerson: ErrorInfo = errorInfo(
  'denied',
  say('denied-by-person')`The user denied this call.`,
);

/** Writes a decision down. Throws `already_decided` if there was one before. */
export async function recordDecision(
  tx: Db,
  shown: ToolCallRecord,
  { id, owner, topicId, toolName, serverId, arguments: args, argsHash }: ToolCallRecord,
  { decision, at, scope, rule, error, ownerInstance }: CallDecision,
): Promise<void> {
  const isEdited = argsHash !== shown.argsHash;
  const to = decision === 'approve' ? 'approved' : 'denied';
  const moved = await transitionToolCall(tx, id, ['proposed'], to, {
    decidedAt: at,
    ...(rule !== undefined && { rule }),
    ...(decision === 'deny' && {
      error: error ?? deniedByPerson,
      reach: 'never-left' as const,
      endedAt: at,
      waitedMs: waitOfUnstarted(shown.createdAt, at),
    }),
    ...(isEdited && { arguments: args, argsHash }),
    ...(ownerInstance !== undefined && { ownerInstance }),
  });
  if (!moved) throw alreadyDecided();
  // A host that parked the answer at this very moment did not know of this: the answer has to be resumed.
  if (topicId !== undefined) await unparkAnswers(tx, topicId);
  const details = {
    toolName,
    serverId,
    argsHash,
    ...(isEdited && { shownHash: shown.argsHash }),
    ...(scope && { scope }),
    ...(rule !== undefined && { rule }),
    ...(error && { reason: error.message }),
  };
  await insertAudit(tx, { owner, action: `tool-call.${decision}`, subject: id, details });
}

/** The error for a decision that comes too late. */
export function alreadyDecided(): CeriseError {
  return new CeriseError(
    'already_decided',
    say('call-decided')`This call has already been decided.`,
  );
}

/** Whether a call was denied because a person did not want it. */
export function isByPerson({ messageSaid }: ErrorInfo): boolean {
  return messageSaid?.id === deniedByPerson.messageSaid?.id;
}

/** The same as the viewers of a conversation see it. */
export function decisionEvent(
  shown: ToolCallRecord,
  { arguments: args, argsHash, ...record }: ToolCallRecord,
  { decision, at, error = deniedByPerson }: CallDecision,
): EventBody {
  const ids = { messageId: record.answerId ?? '', blockId: record.blockId ?? '' };
  const status = toolBlockStatus.denied;
  const denied: BlockPatch<'tool'> = {
    state: 'denied',
    reach: 'never-left',
    approval: null,
    error,
  };
  if (decision === 'deny')
    return { type: 'block-end', ...ids, status, length: 0, at, patch: denied };
  const edits =
    argsHash === shown.argsHash
      ? {}
      : { arguments: args, argsHash, proposedArguments: shown.arguments };
  const approved: BlockPatch<'tool'> = { state: 'approved', approval: null, ...edits };
  return { type: 'block-update', ...ids, patch: approved };
}
