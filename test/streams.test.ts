import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { Streams } from '#server/http/streams.ts';
import { isMessageRunning } from '#shared/vocabulary/message.ts';
import { temporaryDatabase } from './databases.ts';
import { PacedModel } from './fixtures/paced-model.ts';
import { readFrames } from './fixtures/sse-reader.ts';
import { StreamClient } from './fixtures/stream-client.ts';
import { openHost, owner } from './host.ts';

const model = 'test/paced';
const url = inject('postgresUrl');
const words = Array.from({ length: 60 }, (_, n) => `word ${n} `);

describe.skipIf(url === null)(
  'a stream of several topics, with two hosts on one PostgreSQL',
  () => {
    it('shows on one host, exactly, what the other writes', async () => {
      const cleanups: (() => Promise<unknown>)[] = [];
      onTestFinished(async () => {
        for (const cleanup of cleanups.toReversed()) await cleanup();
      });
      const place = await temporaryDatabase(url ?? '', cleanups);
      const paced = new PacedModel();
      paced.scripts.set('Talk.', { deltas: words });
      const open = async () => {
        const host = await openHost(place, { models: { [model]: paced } });
        cleanups.push(() => host.close());
        return host;
      };
      const [writer, reader] = [await open(), await open()];
      const create = async () => (await writer.topics.create(owner, { model, title: 'Topic' })).id;
      const topics = [await create(), await create(), await create()];
      const streams = new Streams(reader);
      const response = await streams.open(
        { owner, role: 'admin', credential: { kind: 'token', id: 'token' } },
        'a',
        topics.slice(1).map((topicId) => ({ topicId })),
      );
      await streams.follow(owner, 'a', { topicId: topics[0] ?? '' });
      for (const id of topics) await writer.messages.send(owner, id, { text: 'Talk.' });
      const client = new StreamClient();
      await readFrames(response, (frame) => {
        client.take(frame);
        return topics.every((id) => {
          const { messages = [] } = client.topic(id).conversation ?? {};
          return messages.length === 2 && !messages.some(isMessageRunning);
        });
      });
      expect(client.problems()).toEqual([]);
      for (const id of topics)
        expect(client.topic(id).conversation).toEqual(await writer.topics.snapshot(owner, id));
      expect(client.hostEvents.some(({ type }) => type === 'topic-changed')).toBe(true);
    });
  },
);
