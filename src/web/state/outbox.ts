import { create } from 'zustand';
import { type ErrorInfo, toErrorInfo } from '#shared/errors.ts';
import type { Message } from '#shared/message.ts';
import { Turns } from '#shared/turns.ts';
import { messagesApi } from '../api/messages-api.ts';
import { newKey } from '../api/key.ts';
import { isUnreachable } from '../api/request.ts';
import { lineIsBack, useLine } from './line.ts';
import { isUnsure, keepForPerson } from './person.ts';

/** A message on its way: shown at the end until its event has arrived. */
export interface OutgoingMessage {
  key: string;
  topicId: string;
  text: string;
  /** Ids of what goes with it. */
  files?: string[];
  /** Where it branches off; absent: at the end. */
  parentId?: string | null;
  /** The newest message when it was sent. */
  after?: string;
  state: 'sending' | 'accepted' | 'failed';
  userMessageId?: string;
  error?: ErrorInfo;
}

const storageKey = 'cerise.outbox';

/** What is written one after the other arrives in that order, however long the first has to wait. */
const turns = new Turns();

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
 * Sends a message. While the host is away it waits here and goes by itself when the host is back; other
 * failures stay in the outbox with a way to try again.
 */
export async function sendMessage(
  message: Pick<OutgoingMessage, 'topicId' | 'text' | 'files' | 'parentId' | 'after'>,
): Promise<void> {
  const outgoing: OutgoingMessage = { ...message, key: newKey(), state: 'sending' };
  useOutbox.setState(({ messages }) => ({ messages: [...messages, outgoing] }));
  await turns.take(message.topicId, () => deliver(outgoing));
}

/** Tries a failed message again with the same key, so it cannot arrive twice. */
export async function retryMessage(message: OutgoingMessage): Promise<void> {
  change(message.key, { state: 'sending', error: undefined });
  await turns.take(message.topicId, () => deliver(message));
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
  return messages.slice(start).some(({ role, blocks }) => {
    const text = blocks.find(({ type }) => type === 'main_text')?.content ?? '';
    const files = blocks.filter(({ type }) => type !== 'main_text').length;
    return role === 'user' && text === outgoing.text && files === (outgoing.files?.length ?? 0);
  });
}

async function deliver(message: OutgoingMessage): Promise<void> {
  const { key, topicId, text, files, parentId } = message;
  const body = { text, ...(files && { files }), ...(parentId !== undefined && { parentId }) };
  const pauses = [400, 1200, 3000];
  // The writer may give it up while it waits.
  while (isKept(key)) {
    try {
      const { userMessageId } = await messagesApi.send(topicId, body, key);
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

function isKept(key: string): boolean {
  return useOutbox.getState().messages.some((one) => one.key === key);
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
    return kept.map((message) => ({ ...message, state: 'failed' }));
  } catch (error) {
    console.warn('The unsent messages are unreadable and are left out.', error);
    return [];
  }
}
