import { create } from 'zustand';
import { type ErrorInfo, toErrorInfo } from '#shared/errors.ts';
import type { Message } from '#shared/message.ts';
import { messagesApi } from '../api/messages-api.ts';
import { newKey } from '../api/key.ts';

/** A message on its way: shown at the end until its event has arrived. */
export interface OutgoingMessage {
  key: string;
  topicId: string;
  text: string;
  /** Where it branches off; absent: at the end. */
  parentId?: string | null;
  /** The newest message when it was sent. */
  after?: string;
  state: 'sending' | 'accepted' | 'failed';
  userMessageId?: string;
  error?: ErrorInfo;
}

/** Everything that is on its way, of all topics. */
export const useOutbox = create<{ messages: OutgoingMessage[] }>(() => ({ messages: [] }));

/** Sends a message; failures stay in the outbox with a way to try again. */
export async function sendMessage(
  message: Pick<OutgoingMessage, 'topicId' | 'text' | 'parentId' | 'after'>,
): Promise<void> {
  const outgoing: OutgoingMessage = { ...message, key: newKey(), state: 'sending' };
  useOutbox.setState(({ messages }) => ({ messages: [...messages, outgoing] }));
  await deliver(outgoing);
}

/** Tries a failed message again with the same key, so it cannot arrive twice. */
export async function retryMessage(message: OutgoingMessage): Promise<void> {
  change(message.key, { state: 'sending', error: undefined });
  await deliver(message);
}

/** Takes a message out: it has arrived, or the writer gave it up. */
export function dropOutgoing(key: string): void {
  useOutbox.setState(({ messages }) => ({ messages: messages.filter((one) => one.key !== key) }));
}

/**
 * Whether the conversation already shows it. The event may come before the answer to the request,
 * so a newer message of the same text counts while the id is not known.
 */
export function hasArrived(outgoing: OutgoingMessage, messages: Message[]): boolean {
  if (outgoing.userMessageId !== undefined) {
    return messages.some(({ id }) => id === outgoing.userMessageId);
  }
  const start = messages.findIndex(({ id }) => id === outgoing.after) + 1;
  return messages
    .slice(start)
    .some(({ role, blocks }) => role === 'user' && blocks[0]?.content === outgoing.text);
}

async function deliver({ key, topicId, text, parentId }: OutgoingMessage): Promise<void> {
  try {
    const body = { text, ...(parentId !== undefined && { parentId }) };
    const { userMessageId } = await messagesApi.send(topicId, body, key);
    change(key, { state: 'accepted', userMessageId });
  } catch (error) {
    change(key, { state: 'failed', error: toErrorInfo(error) });
  }
}

function change(key: string, patch: Partial<OutgoingMessage>): void {
  useOutbox.setState(({ messages }) => ({
    messages: messages.map((one) => (one.key === key ? { ...one, ...patch } : one)),
  }));
}
