import type { ToolBlock } from '#shared/block.ts';
import { CeriseError } from '#shared/errors.ts';
import { messagesApi } from '../../api/endpoints.ts';

/** What a person may say about a call; all but `deny` approve it, for so long. */
export type Decision = 'once' | 'topic' | 'always' | 'deny';

/** Tells the host. The decision binds to the arguments that were shown. */
export async function decide(block: ToolBlock, decision: Decision): Promise<void> {
  try {
    await messagesApi.decide(block.toolCallId, {
      decision: decision === 'deny' ? 'deny' : 'approve',
      argsHash: block.argsHash ?? '',
      scope: decision === 'deny' ? 'once' : decision,
    });
  } catch (error) {
    // Someone else was faster, in another tab: the stream brings what they said.
    if (error instanceof CeriseError && error.code === 'already_decided') return;
    throw error;
  }
}
