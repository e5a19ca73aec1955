import { create } from 'zustand';
import type { Quote } from '#shared/api/api.ts';
import { type ErrorInfo, toErrorInfo } from '#shared/errors/errors.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import { newKey } from '../../api/key.ts';
import { messagesApi } from '../../api/messages-api.ts';
import { isUnreachable } from '../../api/request.ts';
import { topicsApi } from '../../api/topics-api.ts';
import { lineIsBack, useLine } from '../page/line.ts';
import { isUnsure, keepForPerson } from '../session/person.ts';
import { createTopic, type NewChat, useNewChat } from './new-chat.ts';
import type { DraftAttachment } from './stored-draft.ts';
import { dropTopic, topicTurns } from './topics.ts';

/** A message on its way: shown at the end until its event has arrived. */
export interface OutgoingMessage {
  key: string;
  /** Null while the conversation that it begins is not made. */
  topicId: string | null;
  text: string;
  /** Ids of what goes with it. */
  files?: string[];
  /** The same as it stood in the draft, for the writer who takes it back. */
  attachments?: DraftAttachment[];
  /** Whose words it repeats. */
  quotes?: Quote[];
  /** What was chosen for the conversation that it begins. */
  choice?: NewChat;
  /** Where it branches off; absent: at the end. */
  parentId?: string | null;
  /** The newest message when it was sent. */
  after?: string | undefined;
  state: 'sending' | 'accepted' | 'failed';
  userMessageId?: string;
  error?: ErrorInfo | undefined;
}

const storageKey = 'cerise.outbox';

/** Everything that is on its way, of all topics. */
export const useOutbox = create<{ messages: OutgoingMessage[] }>(() => ({ messages: readKept() }));

// A tab that is loaded anew still has what it could not deliver; its key keeps it from arriving twice.
useOutbox.subscribe(({ messages }) => {
  if (isUnsure(sessionStorage)) return;
  const open = messages.filter(({ state }) => state !== 'accepted');
  if (open.length === 0) sessionStorage.removeItem(storageKey);
  else sessionStorage.setItem(storageKey, JSON.stringify(open));
});

keepForPerson(sessionStorage, {
  hide: () => useOutbox.setState({ messages: [] }),
  show: () => useOutbox.setState(({ messages }) => ({ messages: [...readKept(), ...messages] })),
  forget: () => sessionStorage.removeItem(storageKey),
});

/**
 * Sends a message; one without a topic begins a conversation, or joins the one that waits to be made.
 * While the host is away it waits here and goes by itself when the host is back; other failures stay in
 * the outbox with a way to try again.
 */
export async function sendMessage(
  message: Pick<
    OutgoingMessage,
    'topicId' | 'text' | 'files' | 'attachments' | 'quotes' | 'parentId' | 'after'
  >,
): Promise<void> {
  const { topicId } = message;
  const outgoing: OutgoingMessage = {
    ...message,
    ...(topicId === null && { choice: useNewChat.getState().choice }),
    key: newKey(),
    state: 'sending',
  };
  useOutbox.setState(({ messages }) => ({ messages: [...messages, outgoing] }));
  await topicTurns.take(topicId ?? 'new', () => deliver(outgoing.key));
}

/** Tries a failed message again with the same key, so it cannot arrive twice. */
export async function retryMessage(message: OutgoingMessage): Promise<void> {
  change(message.key, { state: 'sending', error: undefined });
  await topicTurns.take(message.topicId ?? 'new', () => deliver(message.key));
}

/** Takes a message out: it has arrived, or the writer takes it back. */
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
  return messages.slice(start).some(({ role, blocks }) => {
    const text = blocks.find(({ type }) => type === 'main_text')?.content ?? '';
    const files = blocks.filter(({ type }) => type !== 'main_text').length;
    return role === 'user' && text === outgoing.text && files === (outgoing.files?.length ?? 0);
  });
}

async function deliver(key: string): Promise<void> {
  const pauses = [400, 1200, 3000];
  // The writer may take it back while it waits.
  for (let message = find(key); message; message = find(key)) {
    try {
      if (message.topicId === null) {
        await begin(message);
        continue;
      }
      const { userMessageId } = await messagesApi.send(message.topicId, bodyOf(message), key);
      return change(key, { state: 'accepted', userMessageId });
    } catch (error) {
      const isAway = isUnreachable(error) && !useLine.getState().live;
      const pause = isUnreachable(error) ? pauses.shift() : undefined;
      if (isAway) await lineIsBack();
      else if (pause !== undefined) await new Promise((resolve) => setTimeout(resolve, pause));
      else return change(key, { state: 'failed', error: toErrorInfo(error) });
    }
  }
}

/** Makes the conversation that a message begins; whatever was written after it goes there too. */
async function begin({ key, choice = {} }: OutgoingMessage): Promise<void> {
  const topicId = await createTopic(choice, `${key}-topic`);
  // All of it was taken back while the topic was made.
  if (!useOutbox.getState().messages.some((one) => one.topicId === null)) {
    dropTopic(topicId);
    return topicsApi.remove(topicId);
  }
  useOutbox.setState(({ messages }) => ({
    messages: messages.map((one) => (one.topicId === null ? { ...one, topicId } : one)),
  }));
}

function bodyOf({ text, files, quotes = [], parentId }: OutgoingMessage) {
  return {
    text,
    ...(files && { files }),
    ...(quotes.length > 0 && { quotes }),
    ...(parentId !== undefined && { parentId }),
  };
}

function find(key: string): OutgoingMessage | undefined {
  return useOutbox.getState().messages.find((one) => one.key === key);
}

function change(key: string, patch: Partial<OutgoingMessage>): void {
  useOutbox.setState(({ messages }) => ({
    messages: messages.map((one) => (one.key === key ? { ...one, ...patch } : one)),
  }));
}

/** What was on its way when the page was left may have arrived or not: it is offered again. */
function readKept(): OutgoingMessage[] {
  if (isUnsure(sessionStorage)) return [];
  try {
    const kept = JSON.parse(sessionStorage.getItem(storageKey) ?? '[]') as OutgoingMessage[];
    const { choice } = kept.find(({ topicId }) => topicId === null) ?? {};
    if (choice) useNewChat.setState({ choice });
    return kept.map((message) => ({ ...message, state: 'failed' }));
  } catch (error) {
    console.warn('The unsent messages are unreadable and are left out.', error);
    return [];
  }
}
