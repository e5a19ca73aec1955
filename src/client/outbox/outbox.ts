import type { Quote } from '#shared/api/api.ts';
import type { KeyedQueue } from '#shared/async/keyed-queue.ts';
import { type ErrorInfo, toErrorInfo } from '#shared/errors/errors.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import type { MessageBody } from '../api/messages.ts';
import { isUnreachable } from '../http/connection.ts';
import { newKey } from '../http/key.ts';

/** A message being sent: shown at the end until its event has arrived. */
export interface OutgoingMessage {
  key: string;
  /** Null until the conversation that it begins is created. */
  topicId: string | null;
  text: string;
  /** Ids of its files. */
  files?: string[];
  /** What it quotes. */
  quotes?: Quote[];
  /** Where it branches off; absent: at the end. */
  parentId?: string | null;
  /** The newest message when it was sent. */
  after?: string | undefined;
  state: 'sending' | 'accepted' | 'failed';
  userMessageId?: string;
  error?: ErrorInfo | undefined;
}

/** What an outbox of messages `M` needs. */
export interface OutboxDeps<M extends OutgoingMessage> {
  send: (topicId: string, body: MessageBody, key: string) => Promise<{ userMessageId: string }>;
  /** Creates the conversation that a message begins; once per key. */
  createTopic: (message: M, key: string) => Promise<string>;
  removeTopic: (topicId: string) => Promise<void>;
  /** Messages of a topic are sent one after the other, and after other changes of it. */
  queue: KeyedQueue;
  /** Stores undelivered messages as text; null if there are none. */
  storage: { read: () => string | null; write: (text: string | null) => void };
  line: { isUp: () => boolean; isBack: () => Promise<void> };
  sleep: (ms: number) => Promise<void>;
  onChange: (messages: M[]) => void;
}

const retryPausesMs = [400, 1200, 3000];

/** All messages being sent, of all topics. Undelivered ones survive a restart. */
export class Outbox<M extends OutgoingMessage> {
  readonly #deps: OutboxDeps<M>;
  #messages: M[];

  constructor(deps: OutboxDeps<M>) {
    this.#deps = deps;
    this.#messages = this.#readStored();
  }

  get messages(): M[] {
    return this.#messages;
  }

  /**
   * Sends a message; one without a topic begins a conversation, or joins the one that waits to be made.
   * While the host is away it waits here and goes by itself when the host is back; other failures stay
   * with a way to try again.
   */
  async send(message: Omit<M, 'key' | 'state'>): Promise<void> {
    const outgoing = { ...message, key: newKey(), state: 'sending' } as M;
    this.#set([...this.#messages, outgoing]);
    await this.#takeTurn(outgoing);
  }

  /** Tries a failed message again with the same key, so it cannot arrive twice. */
  async retry(message: M): Promise<void> {
    this.#change(message.key, { state: 'sending', error: undefined });
    await this.#takeTurn(message);
  }

  /** Removes a message that has arrived, or that its writer takes back. */
  drop(key: string): void {
    this.#set(this.#messages.filter((one) => one.key !== key));
  }

  /** Removes all. */
  clear(): void {
    this.#set([]);
  }

  /** Puts stored messages before newer ones, and returns them. */
  restore(): M[] {
    const stored = this.#readStored();
    this.#set([...stored, ...this.#messages]);
    return stored;
  }

  #takeTurn({ topicId, key }: M): Promise<void> {
    return this.#deps.queue.run(topicId ?? 'new', () => this.#deliver(key));
  }

  async #deliver(key: string): Promise<void> {
    const { line, sleep } = this.#deps;
    const pauses = retryPausesMs.values();
    // The writer may take it back while it waits.
    for (let message = this.#find(key); message; message = this.#find(key)) {
      try {
        if (message.topicId === null) await this.#begin(message);
        else {
          const { userMessageId } = await this.#deps.send(message.topicId, bodyOf(message), key);
          return this.#change(key, { state: 'accepted', userMessageId });
        }
      } catch (error) {
        const isAway = isUnreachable(error) && !line.isUp();
        const pause = isUnreachable(error) ? pauses.next().value : undefined;
        if (isAway) await line.isBack();
        else if (pause !== undefined) await sleep(pause);
        else return this.#change(key, { state: 'failed', error: toErrorInfo(error) });
      }
    }
  }

  /** Creates the conversation that a message begins; messages written after it go there, too. */
  async #begin(message: M): Promise<void> {
    const topicId = await this.#deps.createTopic(message, `${message.key}-topic`);
    // Everything was taken back while the topic was created.
    if (this.#messages.every((one) => one.topicId !== null)) return this.#deps.removeTopic(topicId);
    this.#set(this.#messages.map((one) => (one.topicId === null ? { ...one, topicId } : one)));
  }

  #find(key: string): M | undefined {
    return this.#messages.find((one) => one.key === key);
  }

  #change(key: string, patch: Partial<OutgoingMessage>): void {
    this.#set(this.#messages.map((one) => (one.key === key ? { ...one, ...patch } : one)));
  }

  #set(messages: M[]): void {
    this.#messages = messages;
    const open = messages.filter(({ state }) => state !== 'accepted');
    this.#deps.storage.write(open.length === 0 ? null : JSON.stringify(open));
    this.#deps.onChange(messages);
  }

  /** Messages that were being sent may have arrived or not: they can be sent again. */
  #readStored(): M[] {
    try {
      const stored = JSON.parse(this.#deps.storage.read() ?? '[]') as M[];
      return stored.map((message) => ({ ...message, state: 'failed' }));
    } catch (error) {
      console.warn('Skipped unsent messages that cannot be read.', error);
      return [];
    }
  }
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

function bodyOf({ text, files, quotes = [], parentId }: OutgoingMessage): MessageBody {
  return {
    text,
    ...(files && { files }),
    ...(quotes.length > 0 && { quotes }),
    ...(parentId !== undefined && { parentId }),
  };
}
