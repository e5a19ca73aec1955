import { describe, expect, it } from 'vitest';
import type { Conversation, Message, Topic } from '#shared/vocabulary/message.ts';
import { errorOf, openApi } from '../../../test/fixtures/http.ts';
import { ask } from '../../../test/host.ts';

/** A topic with three answers, each after its question: six messages. */
async function start() {
  const api = await openApi();
  const { id } = await api.json<Topic>('POST', '/api/topics', { title: 'Topic' });
  for (const text of ['/write 3', 'What is 2+2?', '/think 5']) await ask(api.host, id, text);
  const whole = await api.json<Conversation>('GET', `/api/topics/${id}`);
  return { api, id, whole };
}

const blocksOf = (messages: Message[]): string[] =>
  messages.flatMap(({ blocks }) => blocks.map((block) => block.id));

describe('GET /api/topics/:id', () => {
  it('brings the newest blocks only, where asked to, and leads to all the others', async () => {
    const { api, id, whole } = await start();
    const { messages, ...rest } = await api.json<Conversation>('GET', `/api/topics/${id}?blocks=2`);
    const all = blocksOf(whole.messages);
    expect(rest).toEqual({ topic: whole.topic, seq: whole.seq, hasEarlier: true });
    const seen = messages;
    for (let pages = 0; pages < all.length && blocksOf(seen).length < all.length; pages += 1) {
      const [first] = seen;
      const ordinal = first?.hasEarlierBlocks ? `&ordinal=${first.blocks[0]?.ordinal}` : '';
      const path = `/api/topics/${id}/messages?blocks=2&before=${first?.id}${ordinal}`;
      const page = await api.json<{ messages: Message[] }>('GET', path);
      expect(blocksOf(page.messages).length).toBeLessThanOrEqual(2);
      seen.unshift(...page.messages);
    }
    expect(blocksOf(seen)).toEqual(all);
  });

  it('is whole without a word about blocks', async () => {
    const { whole } = await start();
    expect(whole.messages).toHaveLength(6);
    expect(whole.messages.some(({ hasEarlierBlocks }) => hasEarlierBlocks)).toBe(false);
  });

  it.each(['blocks=0', 'blocks=-1', 'blocks=501', 'blocks=x', 'blocks=1.5'])(
    'refuses %s',
    async (query) => {
      const api = await openApi();
      const { id } = await api.json<Topic>('POST', '/api/topics', {});
      for (const path of [`/api/topics/${id}?${query}`, `/api/topics/${id}/messages?${query}`]) {
        const response = await api.send('GET', path);
        expect([response.status, (await errorOf(response)).code]).toEqual([400, 'invalid_request']);
      }
    },
  );
});

describe('order in topics', () => {
  it('pins, archives and lists them as it is asked', async () => {
    const { api, id } = await start();
    const list = async (query: string) =>
      (await api.json<{ topics: Topic[] }>('GET', `/api/topics${query}`)).topics.length;
    const pinned = await api.json<Topic>('PATCH', `/api/topics/${id}`, { pinned: true });
    expect(pinned.pinnedAt).toBeTypeOf('number');
    expect([await list('?pinned=1'), await list('?archived=1'), await list('')]).toEqual([1, 0, 1]);
    await api.json('PATCH', `/api/topics/${id}`, { archived: true });
    expect([await list('?pinned=1'), await list('?archived=1'), await list('')]).toEqual([0, 1, 0]);
    for (const query of ['?archived=yes', '?state=idle', '?pinned=0'])
      expect((await api.send('GET', `/api/topics${query}`)).status).toBe(400);
    const since = await api.send('PATCH', `/api/topics/${id}`, { pinnedAt: 1 });
    expect((await errorOf(since)).code).toBe('invalid_request');
  });

  it('restores what was deleted with undo, and nothing else', async () => {
    const { api, id, whole } = await start();
    expect((await api.send('DELETE', `/api/topics/${id}?undo=1`)).status).toBe(204);
    expect((await api.send('GET', `/api/topics/${id}`)).status).toBe(404);
    expect(await api.json('POST', `/api/topics/${id}/restore`)).toEqual(whole.topic);
    await api.send('DELETE', `/api/topics/${id}`);
    expect((await api.send('POST', `/api/topics/${id}/restore`)).status).toBe(404);
  });

  it('forks once for each key', async () => {
    const { api, id, whole } = await start();
    const path = `/api/messages/${whole.messages[1]?.id}/fork`;
    const fork = async () => {
      const response = await api.send('POST', path, undefined, { 'idempotency-key': 'once' });
      expect(response.status).toBe(201);
      return (await response.json()) as Topic;
    };
    const first = await fork();
    expect(first.forkedFrom).toEqual({ topicId: id, messageId: whole.messages[1]?.id });
    expect((await fork()).id).toBe(first.id);
    const { topics } = await api.json<{ topics: Topic[] }>('GET', '/api/topics');
    expect(topics).toHaveLength(2);
  });
});
