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
