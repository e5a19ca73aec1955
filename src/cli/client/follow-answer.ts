import type { Client } from '#client/client.ts';
import { applyEvent } from '#client/conversation/apply-event.ts';
import { readTopicEvents } from '#client/stream/read-events.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import type { Event } from '#shared/vocabulary/event.ts';
import { type Conversation, isMessageRunning, type Message } from '#shared/vocabulary/message.ts';
import { askApproval } from '../terminal/ask-approval.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Who is shown an answer while it is made. */
export interface AnswerViewer {
  /** Approves every call unasked. */
  yes: boolean;
  event?(event: Event): void;
  show(answer: Message): void;
  /** Before a question is asked. */
  pause(): void;
}

/** Follows an answer to its end, and asks the person at the terminal about its calls. */
export async function followAnswer(
  { client, terminal }: { client: Client; terminal: Terminal },
  { topicId, answerId }: { topicId: string; answerId: string },
  viewer: AnswerViewer,
): Promise<Message> {
  const asked = new Set<string>();
  let conversation: Conversation | undefined;
  for await (const event of readTopicEvents(client.connection, topicId)) {
    if (conversation) conversation = applyEvent(conversation, event);
    else if (event.type === 'snapshot') ({ conversation } = event);
    viewer.event?.(event);
    const answer = conversation?.messages.find(({ id }) => id === answerId);
    if (!answer) continue;
    viewer.show(answer);
    for (const block of answer.blocks) {
      if (block.type !== 'tool' || !block.approval || asked.has(block.toolCallId)) continue;
      asked.add(block.toolCallId);
      viewer.pause();
      await decide(client, terminal, block, viewer.yes);
    }
    if (!isMessageRunning(answer)) return answer;
  }
  throw new CeriseError(
    'connection_lost',
    say('cli-stream-ended')`The connection closed before the answer was complete.`,
  );
}

async function decide(
  client: Client,
  terminal: Terminal,
  block: ToolBlock,
  yes: boolean,
): Promise<void> {
  const decision = yes
    ? { decision: 'approve' as const, scope: 'once' as const }
    : await askApproval(terminal, block, block.approval?.rule ?? '');
  try {
    await client.toolCalls.decide(block.toolCallId, {
      ...decision,
      argsHash: block.argsHash ?? '',
    });
  } catch (error) {
    // Somebody else decided, or the answer was stopped while the person read.
    if (!(error instanceof CeriseError) || error.code !== 'already_decided') throw error;
  }
}
