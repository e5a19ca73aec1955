import { type SendMessage } from '#chat/cluster/command.ts';
import { createHost, type Host, type HostOptions } from '#chat/host/host.ts';
import type { Event } from '#shared/vocabulary/event.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import { type Conversation, isMessageRunning, type Message } from '#shared/vocabulary/message.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import { reduce } from '#shared/vocabulary/reduce.ts';
import type { StoreOptions } from '#store/open-store.ts';
import type { Fresh } from './databases.ts';

export const owner = 'local';

/** Errors a test did not expect are shown; everything else is quiet. */
export const quietLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: (fields, message) => process.stderr.write(`${message} ${JSON.stringify(fields)}\n`),
};

/** Limits by which text is written every so many milliseconds. */
export function quickJournal(tick: number): Partial<Limits> {
  return { journalTick: tick, journalTickPostgres: tick };
}

/** A host on a fresh or given place; the test closes it. */
export async function openHost(
  place: StoreOptions | Fresh,
  options: Partial<HostOptions> = {},
): Promise<Host> {
  const where = typeof place === 'function' ? await place() : place;
  const limits = { ...quickJournal(5), ...options.limits };
  return createHost({ ...where, logger: quietLogger, demoPace: 0, ...options, limits });
}

/** Sends a message to a model and resolves with the finished answer. */
export async function ask(
  host: Host,
  topicId: string,
  input: SendMessage | string,
): Promise<Message> {
  const message = typeof input === 'string' ? { text: input } : input;
  const { answerId } = await host.messages.send(owner, topicId, message);
  return finished(host, topicId, answerId);
}

/** Resolves with an answer once it has ended, as a viewer sees it. */
export async function finished(host: Host, topicId: string, answerId: string): Promise<Message> {
  return until(host, topicId, answerId, (message) => !isMessageRunning(message));
}

/** Resolves with a message as soon as a viewer sees it fulfil a condition. */
export async function until(
  host: Host,
  topicId: string,
  messageId: string,
  condition: (message: Message) => boolean,
): Promise<Message> {
  const { promise, resolve, reject } = Promise.withResolvers<Message>();
  const viewer = await watch(host, topicId, (conversation) => {
    const message = conversation.messages.find(({ id }) => id === messageId);
    if (message && condition(message)) resolve(message);
  });
  const timer = setTimeout(() => reject(new Error('the message never got there')), 20_000);
  return promise.finally(() => {
    clearTimeout(timer);
    viewer.close();
  });
}

/** Watches a topic as a client does; `frames` keeps the raw stream. */
export async function watch(
  host: Host,
  topicId: string,
  onChange: (conversation: Conversation) => void = () => undefined,
  after?: number,
): Promise<{ conversation: () => Conversation; frames: () => string; close: () => void }> {
  let conversation: Conversation | undefined;
  let frames = '';
  const close = await host.topics.watch(owner, topicId, after, {
    send: (text) => {
      frames += text;
      for (const event of parseFrames(text)) {
        if (event.type === 'snapshot') ({ conversation } = event);
        else if (conversation) conversation = reduce(conversation, event);
      }
      if (conversation) onChange(conversation);
    },
    end: () => undefined,
  });
  return {
    conversation: () => {
      if (!conversation) throw new Error('no snapshot yet');
      return conversation;
    },
    frames: () => frames,
    close,
  };
}

/** The events in whole frames of a stream. */
export function parseFrames(text: string): Event[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)) as Event);
}
