import { CeriseError } from '#shared/errors/errors.ts';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { Decision as Sent } from '#shared/vocabulary/policy-api.ts';
import { api } from '../../../state/session/api.ts';

/** A call that waits for a decision, in a conversation or outside of any. */
export type AskingCall = Pick<
  ToolBlock,
  'toolCallId' | 'serverId' | 'serverName' | 'toolName' | 'arguments' | 'argsHash' | 'approval'
> & { messageId?: string };

/** What a person may say about a call; all but `deny` approve it, for so long. */
export type Decision = Sent['scope'] | 'deny';

/** Tells the host. The decision binds to the arguments that were shown, or to those
 * put in their place. False if somebody else was faster. */
export async function decide(
  block: AskingCall,
  decision: Decision,
  edited?: JsonObject,
): Promise<boolean> {
  try {
    await api.toolCalls.decide(block.toolCallId, toDecision(block, decision, edited));
    return true;
  } catch (error) {
    if (isSettled(error)) return false;
    throw error;
  }
}

/** The same for several calls at once. Throws the first failure, after all were told. */
export async function decideAll(blocks: readonly AskingCall[], decision: Decision): Promise<void> {
  const decisions = blocks.map((block) => ({
    toolCallId: block.toolCallId,
    ...toDecision(block, decision),
  }));
  const { results } = await api.toolCalls.decideAll(decisions);
  const failed = results.flatMap(({ error }) => error ?? []).find((error) => !isSettled(error));
  if (failed) throw new CeriseError(failed.code, failed.message, failed);
}

function toDecision(block: AskingCall, decision: Decision, edited?: JsonObject): Sent {
  return {
    decision: decision === 'deny' ? 'deny' : 'approve',
    argsHash: block.argsHash ?? '',
    scope: decision === 'deny' ? 'once' : decision,
    ...(edited && decision !== 'deny' && { arguments: edited }),
  };
}

/** Someone else was faster, in another tab: the stream brings what they said. */
function isSettled(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'already_decided';
}
