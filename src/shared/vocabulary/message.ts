import type { z } from 'zod';
import type {
  assistantSchema,
  conversationSchema,
  messageSchema,
  topicSchema,
} from './message-schema.ts';
import type { Within } from './server-limit.ts';

export type Message = z.infer<typeof messageSchema>;
export type Waiting = NonNullable<Message['waiting']>;
export type Retry = NonNullable<Waiting['retry']>;
export type Topic = z.infer<typeof topicSchema>;
export type Conversation = z.infer<typeof conversationSchema>;
export type Assistant = z.infer<typeof assistantSchema>;
export type ToolSelection = Assistant['mcp'];

/** The tools of a turn: those selected that the key which asked for it may use. */
export interface TurnSelection extends ToolSelection {
  within?: Within;
  /** Without the servers that only show off the host, unless they are selected by name. */
  withoutShowcase?: boolean;
}

/** Whether an answer still runs. */
export function isMessageRunning(message: Pick<Message, 'status'>): boolean {
  return (
    message.status === 'pending' || message.status === 'processing' || message.status === 'waiting'
  );
}

/** Whether a message can still change: it runs, or a translation is added to it. */
export function isMessageOpen(message: Pick<Message, 'status' | 'translating'>): boolean {
  return isMessageRunning(message) || message.translating === true;
}

/** The shown branch, root first: from the active leaf up through its parents. */
export function activePath(conversation: Pick<Conversation, 'topic' | 'messages'>): Message[] {
  const byId = new Map(conversation.messages.map((message) => [message.id, message]));
  const path: Message[] = [];
  let next = conversation.topic.activeLeafId;
  while (next !== null) {
    const message = byId.get(next);
    if (!message) break;
    byId.delete(next);
    path.push(message);
    next = message.parentId;
  }
  return path.toReversed();
}
