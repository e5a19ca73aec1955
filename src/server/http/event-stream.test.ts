import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Limits, usualLimits } from '#shared/vocabulary/limits.ts';
import { isMessageRunning, type Topic } from '#shared/vocabulary/message.ts';
import { openApi, stored, type TestApi, token } from '../../../test/fixtures/http.ts';
import { PacedModel, type Script } from '../../../test/fixtures/paced-model.ts';
import {
  ClientState,
  type Frame,
  FrameParser,
  readFrames,
} from '../../../test/fixtures/sse-reader.ts';
import { finished, quickJournal, until } from '../../../test/host.ts';

const model = 'test/paced';
const bearer = { authorization: `Bearer ${token}` };

async function start(options: { limits?: Partial<Limits> } = {}) {
  const paced = new PacedModel();
  const api = await openApi({ models: { [model]: paced }, ...options });
  const topic = await api.json<Topic>('POST', '/api/topics', { title: 'Topic', model });
  const events = `/api/topics/${topic.id}/events`;
  const say = async (question: string, script: Script): Promise<string> => {
    paced.scripts.set(question, script);
    const path = `/api/topics/${topic.id}/messages`;
    return (await api.json<{ answerId: string }>('POST', path, { text: question })).answerId;
  };
  const complete = async (question: string, script: Script): Promise<void> =>
    void (await finished(api.host, topic.id, await say(question, script)));
  return { api, topic, events, say, complete };
}

/** The frames a newcomer with this cursor gets at once. */
async function firstFrames(
  api: TestApi,
  path: string,
  headers: Record<string, string> = {},
): Promise<Frame[]> {
  const response = await api.raw('GET', path, { headers: { ...bearer, ...headers } });
  expect(response.status).toBe(200);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return new FrameParser().push(value ?? new Uint8Array());
}

/** Reads until the answer has ended, as one client over one connection. */
async function follow(response: Response, client: ClientState): Promise<void> {
  await readFrames(response, (frame) => {
    client.take(frame);
    return frame.event?.type === 'message-end';
  });
}

const words = (count: number) => Array.from({ length: count }, (_, n) => `word ${n} 你好👋 `);

afterEach(() => void vi.useRealTimers());

describe('the stream of a topic', () => {
  it('is an event stream that nobody may keep', async () => {
    const { api, events } = await start();
    const { headers, body } = await api.send('GET', events);
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    await body?.cancel();
  });

  it('begins with a snapshot that equals what a plain read gives', async () => {
    const { api, topic, events, complete } = await start();
    await complete('hi', { deltas: ['hello'] });
    const [frame] = await firstFrames(api, events);
    const read = await api.json('GET', `/api/topics/${topic.id}`);
    expect(frame?.event).toMatchObject({ type: 'snapshot', conversation: read });
    expect(read).toEqual(await stored(api, topic.id));
  });

  it('goes on exactly after the number a client has, by query or by header', async () => {
    const { api, topic, events, complete } = await start();
    const viewer = await api.send('GET', events);
    await complete('hi', { deltas: words(20) });
    const { seq } = await stored(api, topic.id);
    const client = new ClientState();
    await readFrames(viewer, (frame) => {
      client.take(frame);
      return client.lastId === seq;
    });
    for (let after = 1; after < seq; after += 1) {
      const byQuery = await firstFrames(api, `${events}?after=${after}`);
      const byHeader = await firstFrames(api, `${events}?after=0`, { 'last-event-id': `${after}` });
      expect(byHeader).toEqual(byQuery);
      if (byQuery[0]?.event?.type === 'snapshot') expect(byQuery).toHaveLength(1);
      else
        expect(byQuery.map(({ id }) => id)).toEqual(
          Array.from({ length: seq - after }, (_, n) => after + n + 1),
        );
    }
    expect(client.problems).toEqual([]);
  });

  it.each(['-1', 'abc', '', '1.5', '0x1', '1e3', '999999', '9'.repeat(30), 'null', '١'])(
    'answers the cursor %j with one snapshot and then the tail',
    async (cursor) => {
      const { api, topic, events, complete, say } = await start();
      await complete('hi', { deltas: ['hello'] });
      const path = `${events}?after=${encodeURIComponent(cursor)}`;
      const response = await api.raw('GET', path, { headers: bearer });
      const client = new ClientState();
      const reading = follow(response, client);
      await say('more', { deltas: words(3) });
      await reading;
      expect([client.snapshots, client.problems]).toEqual([1, []]);
      expect(client.conversation).toEqual(await stored(api, topic.id));
    },
  );

  it('answers a cursor from before what is kept with one snapshot and then the tail', async () => {
    const { api: before, topic, events, complete } = await start();
    await complete('hi', { deltas: words(5) });
    const { seq } = await stored(before, topic.id);
    await before.close();
    const api = await openApi({ place: before.place, models: { [model]: new PacedModel() } });
    for (const after of [1, seq - 1, seq + 1]) {
      const frames = await firstFrames(api, `${events}?after=${after}`);
      expect(frames.map(({ event }) => event?.type)).toEqual(['snapshot']);
    }
    const client = new ClientState();
    const reading = follow(await api.send('GET', `${events}?after=1`), client);
    await api.send('POST', `/api/topics/${topic.id}/messages`, { text: 'more' });
    await reading;
    expect([client.snapshots, client.problems]).toEqual([1, []]);
    expect(client.conversation).toEqual(await stored(api, topic.id));
  });

  it('shows text before it is durable, without a number, and covers it later', async () => {
    const { api, topic, events, say } = await start({ limits: quickJournal(100) });
    const response = await api.send('GET', events);
    const durable = Promise.withResolvers<void>();
    const provisional = Promise.withResolvers<void>();
    const client = new ClientState();
    const frames: Frame[] = [];
    const reading = readFrames(response, (frame) => {
      frames.push(frame);
      client.take(frame);
      if (frame.event?.type === 'block-delta')
        (frame.id === undefined ? provisional : durable).resolve();
      return frame.event?.type === 'message-end';
    });
    await say('hi', {
      deltas: ['durable with its block', ', shown at once', ' and then the rest'],
      pause: async (index) => [undefined, durable.promise, provisional.promise][index],
    });
    await reading;
    const deltas = frames.filter(({ event }) => event?.type === 'block-delta');
    expect(deltas.some(({ id }) => id === undefined)).toBe(true);
    expect(frames.every(({ id, event }) => id !== undefined || event?.type === 'block-delta')).toBe(
      true,
    );
    expect(client.problems).toEqual([]);
    expect(client.conversation).toEqual(await stored(api, topic.id));
  });

  it('says now and then that it is alive', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { api, events } = await start();
    const timersOfHost = vi.getTimerCount();
    const response = await api.send('GET', events);
    const comments: string[] = [];
    const reading = readFrames(response, ({ comment }) => {
      if (comment) comments.push(comment);
      return comments.length === 3;
    });
    vi.advanceTimersByTime(3 * usualLimits.heartbeat);
    await reading;
    expect(comments).toEqual(['heartbeat', 'heartbeat', 'heartbeat']);
    expect(vi.getTimerCount()).toBe(timersOfHost);
  });

  it('ends when its topic is deleted, also in the middle of an answer', async () => {
    const { api, topic, events, say } = await start();
    const response = await api.send('GET', events);
    const types: (string | undefined)[] = [];
    const reading = readFrames(response, ({ event }) => void types.push(event?.type));
    const answerId = await say('hi', {
      deltas: words(100_000),
      pause: () => new Promise((resolve) => setTimeout(resolve, 1)),
    });
    await until(api.host, topic.id, answerId, ({ blocks }) => (blocks[0]?.content.length ?? 0) > 0);
    expect((await api.send('DELETE', `/api/topics/${topic.id}`)).status).toBe(204);
    expect(await reading).toBe('ended');
    expect(types.at(-1)).toBe('topic-delete');
    expect((await api.send('GET', `/api/topics/${topic.id}`)).status).toBe(404);
    expect((await api.send('GET', events)).status).toBe(404);
  });

  it('is gone at once for the next reader, although somebody still watched', async () => {
    const { api, topic, events } = await start();
    const viewers = await Promise.all([api.send('GET', events), api.send('GET', events)]);
    await api.send('DELETE', `/api/topics/${topic.id}`);
    expect((await api.send('GET', events)).status).toBe(404);
    for (const { body } of viewers) await body?.cancel();
  });

  it('may be left: the answer goes on without readers', async () => {
    const { api, topic, events, say } = await start();
    const responses = await Promise.all([api.send('GET', events), api.send('GET', events)]);
    const answerId = await say('hi', { deltas: words(200) });
    const ending = finished(api.host, topic.id, answerId);
    for (const response of responses) {
      const client = new ClientState();
      await readFrames(response, (frame) => {
        client.take(frame);
        return frame.event?.type === 'block-start';
      });
    }
    expect(await ending).toMatchObject({ status: 'success' });
    const text = (await stored(api, topic.id)).messages.at(-1)?.blocks[0]?.content;
    expect(text).toBe(words(200).join(''));
  });

  it('cuts a reader that never reads, goes on without it, and lets it come back', async () => {
    const { api, topic, events, complete } = await start();
    const idle = await api.send('GET', events);
    const piece = 'x'.repeat(20_000);
    const viewer = await api.send('GET', events);
    const seen = new ClientState();
    let next = Promise.withResolvers<void>();
    const reading = readFrames(viewer, (frame) => {
      seen.take(frame);
      if (frame.id !== undefined) next.resolve();
      return frame.event?.type === 'message-end';
    });
    const pause = async (index: number) =>
      index > 0 && (next = Promise.withResolvers<void>()).promise;
    await complete('hi', { deltas: Array.from({ length: 100 }, () => piece), pause });
    await reading;
    let received = 0;
    const client = new ClientState();
    const parser = new FrameParser();
    const reader = (idle.body as ReadableStream<Uint8Array>).getReader();
    const failure = await (async () => {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return 'ended as if all were said';
        received += value.byteLength;
        for (const frame of parser.push(value)) client.take(frame);
      }
    })().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(received).toBeLessThan(2 * usualLimits.viewerQueue);
    const again = await api.raw('GET', events, {
      headers: { ...bearer, ...(client.lastId && { 'last-event-id': String(client.lastId) }) },
    });
    await readFrames(again, (frame) => {
      client.take(frame);
      return client.conversation?.messages.every((message) => !isMessageRunning(message));
    });
    expect([client.problems, seen.problems]).toEqual([[], []]);
    expect(client.conversation).toEqual(await stored(api, topic.id));
    expect(seen.conversation).toEqual(client.conversation);
  });

  it('gives a newcomer a snapshot larger than the queue without cutting it', async () => {
    const { api, topic, events, complete } = await start();
    const piece = 'x'.repeat(50_000);
    await complete('hi', { deltas: Array.from({ length: 40 }, () => piece) });
    const [frame] = await firstFrames(api, events);
    expect(frame?.event).toMatchObject({ conversation: await stored(api, topic.id) });
  });

  it('asks the database far less often than the model speaks', async () => {
    const { api, topic, events, say } = await start({ limits: quickJournal(50) });
    const { store } = api.host;
    const append = vi.spyOn(store, 'appendEvents');
    const transaction = vi.spyOn(store, 'transaction');
    const query = vi.spyOn(store.db.getExecutor(), 'executeQuery');
    const client = new ClientState();
    const response = await api.send('GET', events);
    const reading = follow(response, client);
    query.mockClear();
    await say('hi', { deltas: words(2000), batch: 4 });
    await reading;
    const statements =
      append.mock.calls.length + transaction.mock.calls.length + query.mock.calls.length;
    expect(append.mock.calls.length).toBeGreaterThan(0);
    expect(statements).toBeLessThan(150);
    expect(client.conversation).toEqual(await stored(api, topic.id));
    expect(client.problems).toEqual([]);
  });
});

describe('the stream of the host', () => {
  it('tells of topics, running marks and deletions, without numbers', async () => {
    const { api, say, topic } = await start();
    const seen: { type: string; topic?: Topic }[] = [];
    const response = await api.send('GET', '/api/events');
    const reading = readFrames(response, ({ event, id }) => {
      expect(id).toBeUndefined();
      seen.push(event as unknown as { type: string; topic?: Topic });
      return seen.at(-1)?.type === 'topic-deleted';
    });
    await finished(api.host, topic.id, await say('hi', { deltas: ['hello'] }));
    await api.send('DELETE', `/api/topics/${topic.id}`);
    await reading;
    const loading = seen
      .filter(({ type }) => type === 'topic-changed')
      .map((e) => e.topic?.isLoading);
    expect(loading).toContain(true);
    expect(loading.at(-1)).toBe(false);
  });
});
