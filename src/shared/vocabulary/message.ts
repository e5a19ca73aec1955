import type { z } from 'zod';
import type {
  assistantSchema,
  conversationSchema,
  messageSchema,
  modelRequestSchema,
  topicSchema,
} from './message-schema.ts';
import type { Within } from './server-limit.ts';

/** A question or an answer: its blocks, and where it stands in the tree of the topic. */
export type Message = z.infer<typeof messageSchema>;
/** A request to the model of an answer that has ended. */
export type ModelRequestRecord = z.infer<typeof modelRequestSchema>;
export type Waiting = NonNullable<Message['waiting']>;
export type Retry = NonNullable<Waiting['retry']>;
/** A conversation without its messages. */
export type Topic = z.infer<typeof topicSchema>;
/** A topic with its messages, as `reduce` moves it on. */
export type Conversation = z.infer<typeof conversationSchema>;
/** What topics start from: a system prompt, a model, its parameters, its servers. */
export type Assistant = z.infer<typeof assistantSchema>;
export type ToolSelection = Assistant['mcp'];

/** The tools of a turn: those selected that the key which asked for it may use. */
export interface TurnSelection extends ToolSelection {
  within?: Within;
  /** Without the servers that only show off the host, unless they are selected by name. */
  withoutShowcase?: boolean;
  /** Only those selected, without the session servers that a conversation always has. */
  exact?: true;
}

/** The tools of one server, wherever it is attached. */
export function onlyServer(id: string): TurnSelection {
  return { enabled: true, mode: 'manual', selectedServers: [id], exact: true };
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
