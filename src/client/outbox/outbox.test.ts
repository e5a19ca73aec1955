import { describe, expect, it, vi } from 'vitest';
import { KeyedQueue } from '#shared/async/keyed-queue.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import { hasArrived, Outbox, type OutboxDeps, type OutgoingMessage } from './outbox.ts';

function question(id: string, content: string): Message {
  const base = { messageId: id, ordinal: 0, status: 'success' as const, round: 0, startedAt: 0 };
  return {
    id,
    topicId: 't',
    parentId: null,
    role: 'user',
    status: 'success',
    createdAt: 0,
    blocks: [{ ...base, id: `${id}-b`, type: 'main_text', content }],
  };
}

const outgoing: OutgoingMessage = {
  key: 'k',
  topicId: 't',
  text: 'again',
  after: 'm1',
  state: 'sending',
};

describe('hasArrived', () => {
  it('goes by the id once the host gave it', () => {
    const accepted = { ...outgoing, userMessageId: 'm2' };
    expect(hasArrived(accepted, [question('m1', 'again')])).toBe(false);
    expect(hasArrived(accepted, [question('m1', 'x'), question('m2', 'again')])).toBe(true);
  });

  it('goes by a newer message of the same text before that', () => {
    expect(hasArrived(outgoing, [question('m1', 'again')])).toBe(false);
    expect(hasArrived(outgoing, [question('m1', 'again'), question('m2', 'again')])).toBe(true);
  });

  it('counts what goes with it', () => {
    const [first] = question('m2', 'again').blocks;
    const media = { ...first, type: 'image', content: '' } as Message['blocks'][number];
    const arrived = { ...question('m2', 'again'), blocks: first ? [media, first] : [] };
    expect(hasArrived(outgoing, [question('m1', 'x'), arrived])).toBe(false);
    expect(hasArrived({ ...outgoing, files: ['f'] }, [question('m1', 'x'), arrived])).toBe(true);
  });

  it('counts every message of a new conversation', () => {
    expect(hasArrived({ ...outgoing, after: undefined }, [question('m1', 'again')])).toBe(true);
  });
});

/** An outbox of a program that keeps its text in a variable; `answers` is what the host says to each send. */
function open(
  answers: ('lost' | 'refused' | 'accepted')[],
  stored: string | null = null,
  topics: Partial<Pick<OutboxDeps<OutgoingMessage>, 'createTopic' | 'removeTopic'>> = {},
) {
  const seen = { keys: [] as string[], pauses: [] as number[], stored };
  const outbox = new Outbox<OutgoingMessage>({
    send: async (_topicId, { text }, key) => {
      seen.keys.push(key);
      const answer = answers.shift();
      if (answer === 'lost') throw new CeriseError('connection_lost', 'Away.', { cause: 'away' });
      if (answer === 'refused') throw new CeriseError('message_empty', 'Write something.');
      return { userMessageId: `of ${text}` };
    },
    createTopic: async (_message, key) => `topic of ${key}`,
    removeTopic: async () => undefined,
    ...topics,
    queue: new KeyedQueue(),
    storage: { read: () => seen.stored, write: (text) => (seen.stored = text) },
    line: { isUp: () => true, isBack: async () => undefined },
    sleep: async (ms) => void seen.pauses.push(ms),
    onChange: () => undefined,
  });
  return { outbox, seen };
}

describe('an outbox', () => {
  it('tries again after longer and longer pauses with one key, and then keeps the message', async () => {
    const { outbox, seen } = open(['lost', 'lost', 'lost', 'lost']);
    await outbox.send({ topicId: 't', text: 'hello' });
    expect(seen.pauses).toEqual([400, 1200, 3000]);
    expect([seen.keys.length, new Set(seen.keys).size]).toEqual([4, 1]);
    expect(outbox.messages).toMatchObject([
      { state: 'failed', error: { code: 'connection_lost' } },
    ]);
    const later = open(['accepted'], seen.stored);
    const [kept] = later.outbox.messages;
    if (kept) await later.outbox.retry(kept);
    expect(later.seen.keys).toEqual([seen.keys[0]]);
    expect(later.outbox.messages).toMatchObject([{ userMessageId: 'of hello' }]);
    expect(later.seen.stored).toBeNull();
  });

  it('asks no second time for what the host refuses', async () => {
    const { outbox, seen } = open(['refused']);
    await outbox.send({ topicId: 't', text: '' });
    expect([seen.keys.length, seen.pauses]).toEqual([1, []]);
    expect(outbox.messages).toMatchObject([{ state: 'failed', error: { code: 'message_empty' } }]);
  });

  it('removes the conversation of a message that was taken back while it was created', async () => {
    const asked = Promise.withResolvers<void>();
    const created = Promise.withResolvers<string>();
    const removed: string[] = [];
    const { outbox, seen } = open([], null, {
      createTopic: async () => {
        asked.resolve();
        return created.promise;
      },
      removeTopic: async (topicId) => void removed.push(topicId),
    });
    const sending = outbox.send({ topicId: null, text: 'hello' });
    await asked.promise;
    for (const { key } of outbox.messages) outbox.drop(key);
    created.resolve('t1');
    await sending;
    expect([removed, seen.keys]).toEqual([['t1'], []]);
  });

  it('leaves out what is stored and cannot be read', () => {
    const told = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    expect(open([], 'no JSON').outbox.messages).toEqual([]);
    expect(told).toHaveBeenCalledOnce();
    told.mockRestore();
  });
});
