import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Visitor } from '#chat/people/visitor.ts';
import { usualLimits } from '#shared/vocabulary/limits.ts';
import { isMessageRunning, type Topic } from '#shared/vocabulary/message.ts';
import { errorOf, openApi, stored, type TestApi } from '../../../test/fixtures/http.ts';
import { PacedModel, type Script } from '../../../test/fixtures/paced-model.ts';
import { linkCode } from '../../../test/fixtures/people.ts';
import { readFrames } from '../../../test/fixtures/sse-reader.ts';
import { StreamClient } from '../../../test/fixtures/stream-client.ts';
import { finished } from '../../../test/host.ts';
import { Streams } from './streams.ts';

const model = 'test/paced';
const visitor = (owner: string): Visitor => ({
  owner,
  role: 'user',
  credential: { kind: 'token', id: owner },
});
const words = (count: number) => Array.from({ length: count }, (_, n) => `word ${n} 你好👋 `);

async function start() {
  const paced = new PacedModel();
  const api = await openApi({ models: { [model]: paced } });
  const newTopic = async () =>
    (await api.json<Topic>('POST', '/api/topics', { title: 'Topic', model })).id;
  let questions = 0;
  const say = async (topicId: string, script: Script): Promise<string> => {
    const text = `question-${(questions += 1)}-end`;
    paced.scripts.set(text, script);
    const path = `/api/topics/${topicId}/messages`;
    return (await api.json<{ answerId: string }>('POST', path, { text })).answerId;
  };
  return { api, newTopic, say };
}

function hasEnded(client: StreamClient, topicId: string, answerId: string): boolean {
  const answer = client.topic(topicId).conversation?.messages.find(({ id }) => id === answerId);
  return answer !== undefined && !isMessageRunning(answer);
}

/** Reads until every answer has ended. */
async function readAll(
  response: Response,
  client: StreamClient,
  answers: Map<string, string>,
  maxBytes?: number,
): Promise<void> {
  await readFrames(
    response,
    (frame) => {
      client.take(frame);
      return [...answers].every(([topicId, id]) => hasEnded(client, topicId, id));
    },
    maxBytes,
  );
}

/** A connection that is read in the background, and what it has shown. */
async function connect(api: TestApi, path: string) {
  const client = new StreamClient();
  const response = await api.send('GET', path);
  expect(response.status).toBe(200);
  let check = () => {};
  const ended = readFrames(response, (frame) => {
    client.take(frame);
    check();
  });
  const shows = (condition: () => boolean) =>
    new Promise<void>((resolve) => {
      check = () => condition() && resolve();
      check();
    });
  return { client, ended, shows };
}

describe('a stream of several topics', () => {
  it('carries each topic exactly, and the events of the host besides', async () => {
    const { api, newTopic, say } = await start();
    const topics = [await newTopic(), await newTopic(), await newTopic()];
    const client = new StreamClient();
    const response = await api.send('GET', `/api/streams/a?topics=${client.cursors(topics)}`);
    const answers = new Map<string, string>();
    for (const id of topics) answers.set(id, await say(id, { deltas: words(200), batch: 3 }));
    await readAll(response, client, answers);
    for (const id of topics) expect(client.topic(id).conversation).toEqual(await stored(api, id));
    expect(client.problems()).toEqual([]);
    expect(client.hostEvents.some(({ type }) => type === 'topic-changed')).toBe(true);
  });

  it('is resumed without a gap or a repeat, wherever it is cut', { timeout: 60_000 }, async () => {
    const { api, newTopic, say } = await start();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 4000 }), { maxLength: 12 }),
        async (cuts) => {
          const topics = [await newTopic(), await newTopic()];
          const client = new StreamClient();
          const answers = new Map<string, string>();
          for (const id of topics) answers.set(id, await say(id, { deltas: words(40) }));
          const all = () => [...answers].every(([id, answer]) => hasEnded(client, id, answer));
          for (let connection = 0; !all(); connection += 1) {
            if (connection > cuts.length + 3) throw new Error('the answers never ended');
            const path = `/api/streams/cut?topics=${client.cursors(topics)}`;
            await readAll(await api.send('GET', path), client, answers, cuts[connection]);
          }
          expect(client.problems()).toEqual([]);
          for (const id of topics)
            expect(client.topic(id).conversation).toEqual(await stored(api, id));
        },
      ),
      { numRuns: 15 },
    );
  });

  it('takes up a topic later, begins it anew from an earlier event, and lets it go', async () => {
    const { api, newTopic, say } = await start();
    const [first, second] = [await newTopic(), await newTopic()];
    const { client, shows } = await connect(api, `/api/streams/a?topics=${first}:`);
    const follow = (after?: number) =>
      api.send('POST', '/api/streams/a/topics', { topicId: second, after });
    expect((await follow()).status).toBe(204);
    const answer = await say(second, { deltas: words(5) });
    await shows(() => hasEnded(client, second, answer));
    const { lastId } = client.topic(second);
    const state = client.topic(second).conversation;

    client.topics.delete(second);
    expect((await follow(1)).status).toBe(204);
    await shows(() => client.topic(second).lastId === lastId);
    expect(client.topic(second).conversation ?? state).toEqual(await stored(api, second));

    expect((await api.send('DELETE', `/api/streams/a/topics/${second}`)).status).toBe(204);
    await finished(api.host, second, await say(second, { deltas: ['unseen'] }));
    const seen = await say(first, { deltas: ['seen'] });
    await shows(() => hasEnded(client, first, seen));
    expect(client.topic(second).lastId).toBe(lastId);
  });

  it('gives only so much of a long topic as was asked for when a snapshot is needed', async () => {
    const { api, newTopic, say } = await start();
    const topic = await newTopic();
    for (let n = 0; n < 3; n += 1)
      await finished(api.host, topic, await say(topic, { deltas: ['hello'] }));
    const { client, shows } = await connect(api, `/api/streams/a?topics=${topic}:&blocks=2`);
    await shows(() => client.topic(topic).conversation !== undefined);
    expect(client.topic(topic).conversation?.messages).toHaveLength(2);
    expect(client.topic(topic).conversation?.hasEarlier).toBe(true);
  });

  it('says which topics are not there, and refuses to follow them', async () => {
    const { api, newTopic } = await start();
    const topic = await newTopic();
    const { client, shows } = await connect(api, `/api/streams/a?topics=nowhere:7,${topic}:`);
    await shows(() => client.topic(topic).conversation !== undefined);
    expect(client.gone).toEqual(['nowhere']);
    const nowhere = await api.send('POST', '/api/streams/a/topics', { topicId: 'nowhere' });
    expect(await errorOf(nowhere)).toMatchObject({ status: 404, code: 'topic_not_found' });
    const closed = await api.send('POST', '/api/streams/other/topics', { topicId: topic });
    expect(await errorOf(closed)).toMatchObject({ status: 404, code: 'stream_not_found' });
  });

  it('tells of a deleted topic and goes on with the others', async () => {
    const { api, newTopic, say } = await start();
    const [first, second] = [await newTopic(), await newTopic()];
    const { client, shows } = await connect(api, `/api/streams/a?topics=${first}:,${second}:`);
    await api.send('DELETE', `/api/topics/${first}`);
    const answer = await say(second, { deltas: words(3) });
    await shows(() => hasEnded(client, second, answer));
    expect(client.topic(first).conversation?.messages).toEqual([]);
    expect(client.hostEvents).toContainEqual({ type: 'topic-deleted', topicId: first });
  });

  it('knows neither the streams nor the topics of somebody else', async () => {
    const { api, newTopic } = await start();
    const topicId = await newTopic();
    const streams = new Streams(api.host);
    const mine = await streams.open(visitor('local'), 'a', []);
    const theirs = await streams.open(visitor('other'), 'b', [{ topicId }]);
    await expect(streams.follow('other', 'a', { topicId })).rejects.toMatchObject({
      code: 'stream_not_found',
    });
    await expect(streams.follow('other', 'b', { topicId })).rejects.toMatchObject({
      code: 'topic_not_found',
    });
    const client = new StreamClient();
    await readFrames(theirs, (frame) => {
      client.take(frame);
      return true;
    });
    expect(client.gone).toEqual([topicId]);
    await mine.body?.cancel();
  });

  it('ends the earlier connection when it is opened again', async () => {
    const { api } = await start();
    const first = await connect(api, '/api/streams/a');
    await connect(api, '/api/streams/a');
    expect(await first.ended).toBe('ended');
  });

  it('carries so many topics at most', async () => {
    const { api } = await start();
    const many = Array.from({ length: usualLimits.topicsPerStream + 1 }, (_, n) => `t${n}:`).join(
      ',',
    );
    expect((await api.send('GET', `/api/streams/a?topics=${many}`)).status).toBe(400);
  });

  it('ends with the sign-in it was opened with', async () => {
    const { api } = await start();
    const signIn = await api.host.signIns.redeem(await linkCode(api.host));
    const headers = { cookie: `cerise_session=${signIn?.token}` };
    const response = await api.raw('GET', '/api/streams/a', { headers });
    expect(response.status).toBe(200);
    const reading = readFrames(response, () => {});
    await api.raw('POST', '/api/sign-out', { headers });
    expect(await reading).toBe('ended');
  });

  it('cuts who never reads, however often a topic is begun anew', async () => {
    const { api, newTopic, say } = await start();
    const topicId = await newTopic();
    await finished(api.host, topicId, await say(topicId, { deltas: ['x'.repeat(200_000)] }));
    const response = await api.send('GET', '/api/streams/a');
    const statuses: number[] = [];
    for (let n = 0; n < 20; n += 1)
      statuses.push((await api.send('POST', '/api/streams/a/topics', { topicId })).status);
    expect(statuses.at(-1)).toBe(404);
    await expect(readFrames(response, () => {})).rejects.toThrow('too slow');
  });
});
