import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { Client } from 'pg';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import type { Topic } from '#shared/vocabulary/message.ts';
import type { StoreOptions } from '#store/open-store.ts';
import { temporaryDatabase } from '../databases.ts';
import { emptyPlace, errorOf, openApi, stored, type TestApi } from '../fixtures/http.ts';
import { PacedModel } from '../fixtures/paced-model.ts';
import { finished, until, watch } from '../host.ts';
import { illegalities } from '../legal-conversation.ts';
import { startRestartable } from '../many/restartable-postgres.ts';

const model = 'test/paced';
const postgresUrl = inject('postgresUrl');
const silent = () => undefined;
/** What the journal says while it cannot write is expected here. */
const logger = { debug: silent, info: silent, warn: silent, error: silent };
const text = Array.from({ length: 60 }, (_, n) => `${n} `.padEnd(4000, 'abcdefg '));
const half = text.length / 2;

/** A host with an answer that speaks until it is told to come to its end. */
async function startAnswer(place: StoreOptions) {
  const paced = new PacedModel();
  const options = { place, models: { [model]: paced }, logger };
  const api = await openApi(options);
  const topic = await api.json<Topic>('POST', '/api/topics', { title: 'Topic', model });
  const { promise: gate, resolve: goOn } = Promise.withResolvers<void>();
  paced.scripts.set('long', {
    deltas: text,
    pause: (n) => (n === half ? gate : setTimeout(5)),
  });
  const messages = `/api/topics/${topic.id}/messages`;
  const { answerId } = await api.json<{ answerId: string }>('POST', messages, { text: 'long' });
  await until(api.host, topic.id, answerId, ({ blocks }) => (blocks[0]?.content.length ?? 0) > 0);
  return { api, options, topic, messages, answerId, goOn };
}

/**
 * The answer is whole, for whoever reads it and whoever watched, and everything works again. Where
 * another host may have taken over, what the first one had shown of it is marked as interrupted.
 */
async function expectWhole(
  { api, topic, messages, answerId }: Awaited<ReturnType<typeof startAnswer>>,
  viewers: Awaited<ReturnType<typeof watch>>[],
  mayHaveMoved = false,
): Promise<void> {
  const answer = await finished(api.host, topic.id, answerId);
  const blocks = answer.blocks.filter(({ status }) => !mayHaveMoved || status !== 'interrupted');
  expect([answer.status, blocks.map(({ content }) => content)]).toEqual([
    'success',
    [text.join('')],
  ]);
  const again = await api.send('POST', messages, { text: 'again' });
  expect(again.status).toBe(202);
  const next = (await again.json()) as { answerId: string };
  await finished(api.host, topic.id, next.answerId);
  const rows = await stored(api, topic.id);
  expect(illegalities(rows)).toEqual([]);
  expect(rows.messages).toHaveLength(4);
  for (const viewer of viewers) await expect.poll(() => viewer.conversation()).toEqual(rows);
}

/** A viewer that has seen all that was said before the answer waits: what it sees later was said later. */
async function viewerOf({ host }: TestApi, topicId: string) {
  const viewer = await watch(host, topicId);
  onTestFinished(() => viewer.close());
  const shown = () => viewer.conversation().messages.at(-1)?.blocks[0]?.content.length;
  await expect.poll(shown).toBe(text.slice(0, half).join('').length);
  return viewer;
}

describe('a host on SQLite', () => {
  it('says that the disk is full, loses nothing, and goes on once there is room (T63)', async () => {
    const running = await startAnswer(await emptyPlace());
    const { api, topic, messages, goOn } = running;
    const viewer = await viewerOf(api, topic.id);
    const { db } = api.host.store;
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db);
    await sql.raw(`pragma max_page_count = ${rows[0]?.page_count}`).execute(db);
    const big = { text: 'x'.repeat(100_000) };
    const refused = await errorOf(await api.send('POST', messages, big));
    expect([refused.status, refused.code]).toEqual([507, 'disk_full']);
    expect(refused.message).toContain('disk is full');
    goOn();
    // Text is shown although it cannot be kept.
    const shown = () => viewer.conversation().messages.at(-1)?.blocks[0]?.content.length;
    await expect.poll(shown).toBe(text.join('').length);
    expect((await api.send('GET', '/healthz')).status).toBe(200);
    await sql.raw('pragma max_page_count = 1000000').execute(db);
    await expectWhole(running, [viewer]);
  });

  it('is not held up by another program that locks the database, and goes on after it (T64)', async () => {
    const place = await emptyPlace();
    const running = await startAnswer(place);
    const { api, topic, messages, goOn } = running;
    const viewer = await viewerOf(api, topic.id);
    const other = new DatabaseSync(join(place.home, 'cerise.db'));
    onTestFinished(() => other.close());
    other.exec('begin immediate');
    const delay = monitorEventLoopDelay({ resolution: 10 });
    delay.enable();
    const refused = await errorOf(await api.send('POST', messages, { text: 'hello' }));
    expect([refused.status, refused.code]).toEqual([503, 'storage_unavailable']);
    expect(refused.message).toContain('locked');
    goOn();
    const shown = () => viewer.conversation().messages.at(-1)?.blocks[0]?.content.length;
    await expect.poll(shown).toBe(text.join('').length);
    delay.disable();
    // SQLite waits for a lock without letting anything else run: seconds of that would be a standstill.
    expect(delay.max / 1e6).toBeLessThan(1000);
    other.exec('rollback');
    await expectWhole(running, [viewer]);
  });
});

describe.skipIf(postgresUrl === null)('a host on PostgreSQL', () => {
  it('waits for a database that does not answer, and goes on (T64)', async () => {
    const cleanups: (() => Promise<unknown>)[] = [];
    const place = await temporaryDatabase(postgresUrl ?? '', cleanups);
    onTestFinished(async () => {
      for (const cleanup of cleanups.toReversed()) await cleanup();
    });
    const running = await startAnswer(place);
    const { api, topic, goOn } = running;
    const viewer = await viewerOf(api, topic.id);
    const other = new Client(place.databaseUrl);
    await other.connect();
    onTestFinished(() => other.end());
    await other.query('begin; lock table events in access exclusive mode');
    goOn();
    const shown = () => viewer.conversation().messages.at(-1)?.blocks[0]?.content.length;
    await expect.poll(shown).toBe(text.join('').length);
    expect((await api.send('GET', '/healthz')).status).toBe(200);
    await other.query('commit');
    await expectWhole(running, [viewer]);
  });

  it('outlives a restart of the database: nothing acknowledged is lost, and answers go on (T64)', async (context) => {
    const postgres = await startRestartable();
    if (!postgres) return context.skip();
    const place = { ...(await emptyPlace()), databaseUrl: postgres.url };
    const running = await startAnswer(place);
    const { api, options, topic, messages, goOn } = running;
    const neighbour = await openApi(options);
    const viewers = [await viewerOf(api, topic.id), await viewerOf(neighbour, topic.id)];
    await postgres.stop();
    for (const each of [api, neighbour]) {
      const refused = await errorOf(await each.send('POST', messages, { text: 'hello' }));
      expect([refused.status, refused.code]).toEqual([503, 'storage_unavailable']);
      expect((await each.send('GET', '/healthz')).status).toBe(200);
    }
    goOn();
    const shown = () => viewers[0]?.conversation().messages.at(-1)?.blocks[0]?.content.length;
    await expect.poll(shown).toBe(text.join('').length);
    await postgres.start();
    await expectWhole(running, viewers, true);
  }, 60_000);
});
