import { CeriseError } from '#shared/errors/errors.ts';
import type { Approvals } from '../calls/approvals.ts';
import type { Visitor } from '../people/visitor.ts';
import { callNotFound } from '../policy/call-not-found.ts';
import { assertMayDecide } from '../servers/key-rights.ts';

/** A program's decision on a call that it was asked about. */
export interface CallWord {
  toolCallId: string;
  approve: boolean;
}

/**
 * Decides on calls of one answer as a person would, each just once; an earlier decision stays. Throws
 * `tool_call_not_found` for any other call.
 */
export async function decideCalls(
  approvals: Pick<Approvals, 'get' | 'decide'>,
  visitor: Visitor,
  answerId: string,
  words: readonly CallWord[],
): Promise<void> {
  for (const { toolCallId, approve } of words) {
    const call = await approvals.get(visitor.owner, toolCallId);
    if (call.answerId !== answerId) throw callNotFound();
    assertMayDecide(visitor, call);
    if (call.state !== 'proposed') continue;
    const decision = approve ? 'approve' : 'deny';
    const { argsHash } = call;
    const word = { decision, scope: 'once', argsHash } as const;
    await approvals.decide(visitor.owner, toolCallId, word).catch((error: unknown) => {
      if (!(error instanceof CeriseError) || error.code !== 'already_decided') throw error;
    });
  }
}
