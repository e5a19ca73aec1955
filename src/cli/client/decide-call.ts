import type { Client } from '#client/client.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import { tellError } from '../messages/tell.ts';
import { askApproval } from '../terminal/ask-approval.ts';
import { terminalText } from '../terminal/terminal-text.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** A call that waits for a person. */
export interface AskingCall {
  id: string;
  argsHash: string;
  call: Pick<ToolBlock, 'serverName' | 'toolName' | 'arguments' | 'approval'>;
}

/**
 * Asks about a call and tells the host what was decided; asks again if changed arguments don't fit the tool. The signal
 * says that somebody else decided.
 */
export async function decideCall(
  { client, terminal, yes }: { client: Client; terminal: Terminal; yes: boolean },
  { id, argsHash, call }: AskingCall,
  signal?: AbortSignal,
): Promise<void> {
  for (;;) {
    const decision = yes
      ? { decision: 'approve' as const, scope: 'once' as const }
      : await askApproval(terminal, call, signal);
    if (signal?.aborted) return;
    try {
      await client.toolCalls.decide(id, { ...decision, argsHash });
      return;
    } catch (error) {
      const isCorrectable = 'arguments' in decision && error instanceof CeriseError;
      if (!isCorrectable || error.code !== 'invalid_arguments') throw error;
      terminal.write(`${terminalText(tellError(error))}\n`);
    }
  }
}
