import { AsyncResource } from 'node:async_hooks';
import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { usualLimits } from '#shared/vocabulary/limits.ts';
import type { BlobFacts } from '#shared/vocabulary/ports.ts';
import { sweepTopic } from '../conversations/sweep.ts';
import { deleteTopic, insertTopic } from '../conversations/topics.ts';
import type { Store } from '../database/store.ts';
import { describeEachDatabase, type Fresh, type Open } from '../../../test/databases.ts';
import { insertBlob } from './blob-references.ts';
import { createBlobs } from './blobs.ts';

const day = 24 * 3_600_000;
const owner = 'local';
const upload: BlobFacts = { owner, mimeType: 'text/plain', name: 'a.txt' };
const text = (length: number): Buffer => Buffer.from(randomBytes(length).toString('hex'));

async function start(open: Open, fresh: Fresh) {
  const place = await fresh();
  const store = await open(place);
  const clock = { time: 1_800_000_000_000 };
  const blobs = createBlobs(store, place.home, { now: () => clock.time });
  return { place, store, clock, blobs, folder: join(place.home, 'blobs') };
}

async function addTopic(store: Store): Promise<string> {
  const id = randomUUIDv7();
  const rest = { title: '', titled: true, assistantId: 'default', activeLeafId: null };
  const topic = { id, ...rest, isLoading: false, createdAt: 1, updatedAt: 1 };
  await insertTopic(store.db, owner, topic);
  return id;
}

/** Deletes a topic, and waits until its rows are gone. */
async function removeTopic(store: Store, id: string): Promise<void> {
  await deleteTopic(store.db, owner, id);
  await sweepTopic(store, id);
}

/** What is kept: rows, references, and contents, which are files or bytes in rows. */
async function count(store: Store, folder: string) {
  const [blobs, references] = await Promise.all([
    store.db.selectFrom('blobs').select('bytes').execute(),
    store.db.selectFrom('blob_refs').select('id').execute(),
  ]);
  const inRows = blobs.filter(({ bytes }) => bytes !== null).length;
  const files = await filesIn(folder);
  return { rows: blobs.length, references: references.length, contents: inRows + files.length };
}

/** Every file under the folder, temporary ones included. */
async function filesIn(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

async function* inPieces(bytes: Uint8Array, size: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function readAll(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  return Buffer.from(await new Response(stream).arrayBuffer());
}

describe('a blob', () => {
  describeEachDatabase((open, fresh) => {
    it('is given back whole, in part and as a stream', async () => {
      const { blobs } = await start(open, fresh);
      const bytes = text(1_300_000);
      const kept = await blobs.keep(bytes, upload);
      expect(kept).toMatchObject({ size: bytes.length, mimeType: 'text/plain', name: 'a.txt' });
      expect(kept.hash).toBe(createHash('sha256').update(bytes).digest('hex'));
      expect(await blobs.find(owner, kept.id)).toEqual(kept);
      expect((await blobs.read(kept)).equals(bytes)).toBe(true);
      expect((await readAll(await blobs.stream(kept))).equals(bytes)).toBe(true);
      const edges = [0, 1, 1024 * 1024, 1024 * 1024 + 1, bytes.length - 1, bytes.length];
      for (const from of edges)
        for (const to of edges.filter((edge) => edge >= from)) {
          const range = { start: from, end: to };
          const part = bytes.subarray(from, to);
          expect((await blobs.read(kept, range)).equals(part), `${from}-${to}`).toBe(true);
          expect((await readAll(await blobs.stream(kept, range))).equals(part)).toBe(true);
        }
      const beyond = await blobs.read(kept, { start: bytes.length - 3, end: bytes.length + 100 });
      expect(beyond.equals(bytes.subarray(-3))).toBe(true);
    });

    it('is kept from pieces as from the whole', async () => {
      const { blobs, store, folder } = await start(open, fresh);
      const bytes = text(700_000);
      const first = await blobs.keep(inPieces(bytes, 65_537), upload);
      const second = await blobs.keep(bytes, upload);
      const third = await blobs.keep(inPieces(bytes, 7), { ...upload, name: 'b.txt' });
      expect(new Set([first.hash, second.hash, third.hash]).size).toBe(1);
      expect((await blobs.read(first)).equals(bytes)).toBe(true);
      expect(await count(store, folder)).toEqual({ rows: 1, references: 3, contents: 1 });
    });

    it('of the same bytes is kept once, however many come at once', async () => {
      const { blobs, store, folder } = await start(open, fresh);
      const bytes = text(5000);
      const sources = Array.from({ length: 12 }, (_, n) => (n % 2 ? bytes : inPieces(bytes, 999)));
      const kept = await Promise.all(sources.map((source) => blobs.keep(source, upload)));
      expect(new Set(kept.map(({ id }) => id)).size).toBe(12);
      expect(await count(store, folder)).toEqual({ rows: 1, references: 12, contents: 1 });
    });

    it('of bytes that an untrusted source gave is untrusted for that owner, and not for others', async () => {
      const { blobs } = await start(open, fresh);
      const bytes = text(100);
      const origins = [{ from: 'tool' as const, serverName: 'web', topicId: 'of local' }];
      await blobs.keep(bytes, { ...upload, origins });
      expect(await blobs.keep(bytes, upload)).toMatchObject({ origins });
      expect(await blobs.keep(bytes, { ...upload, owner: 'other' })).not.toHaveProperty('origins');
    });

    it('of no bytes is a blob too', async () => {
      const { blobs } = await start(open, fresh);
      const kept = await blobs.keep(new Uint8Array(), upload);
      expect(await blobs.read(kept)).toHaveLength(0);
      expect(await readAll(await blobs.stream(kept))).toHaveLength(0);
    });

    it('has the type its bytes say, or the one it was given with this time', async () => {
      const { blobs } = await start(open, fresh);
      const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
      const typed = await blobs.keep(png, { owner, mimeType: 'text/html' });
      expect(typed.mimeType).toBe('image/png');
      const unknown = await blobs.keep(Buffer.from('a,b'), { owner, mimeType: '' });
      const known = await blobs.keep(Buffer.from('a,b'), { owner, mimeType: 'text/CSV; header' });
      expect((await blobs.find(owner, unknown.id))?.mimeType).toBe('text/plain');
      expect((await blobs.find(owner, known.id))?.mimeType).toBe('text/csv');
    });

    it('is found by its owner alone', async () => {
      const { blobs, store } = await start(open, fresh);
      const topicId = await addTopic(store);
      const kept = await blobs.keep(text(10), upload);
      for (const [who, id] of [
        ['other', kept.id],
        [owner, 'none'],
        [owner, 'a\0b'],
        [owner, ''],
      ])
        expect(await blobs.find(String(who), String(id))).toBeUndefined();
      const attach = (who: string, id: string) =>
        store.transaction((tx) => blobs.attach(tx, who, id, topicId));
      await expect(attach('other', kept.id)).rejects.toMatchObject({ code: 'file_not_found' });
      await expect(attach(owner, 'none')).rejects.toMatchObject({ code: 'file_not_found' });
    });

    it('keeps an odd name as a name both databases can hold', async () => {
      const { blobs } = await start(open, fresh);
      const odd = { ...upload, name: `a\0\uD800${'x'.repeat(400)}` };
      const kept = await blobs.keep(text(10), odd);
      expect(kept.name).toHaveLength(255);
      expect((await blobs.find(owner, kept.id))?.name).toBe(kept.name);
      const nameless = await blobs.keep(text(10), { ...upload, name: '' });
      expect(await blobs.find(owner, nameless.id)).not.toHaveProperty('name');
    });

    it('that is too large, or whose source breaks off, leaves nothing behind', async () => {
      const { blobs, store, folder } = await start(open, fresh);
      const large = Buffer.alloc(usualLimits.file + 1);
      let given = 0;
      async function* endless() {
        for (;;) {
          given += 1;
          yield large.subarray(0, 8 * 1024 * 1024);
        }
      }
      async function* broken() {
        yield text(100);
        throw new Error('the client went away');
      }
      const error = { code: 'file_too_large' };
      await expect(blobs.keep(large, upload)).rejects.toMatchObject(error);
      await expect(blobs.keep(endless(), upload)).rejects.toMatchObject(error);
      expect(given).toBe(6);
      await expect(blobs.keep(broken(), upload)).rejects.toThrow('the client went away');
      expect(await count(store, folder)).toEqual({ rows: 0, references: 0, contents: 0 });
      expect((await blobs.keep(large.subarray(1), upload)).size).toBe(usualLimits.file);
    });

    it('for a topic that is gone, or not the owner’s, is refused and collected', async () => {
      const { blobs, store, folder } = await start(open, fresh);
      const topicId = await addTopic(store);
      const facts = [
        { ...upload, topicId: randomUUIDv7() },
        { ...upload, topicId, owner: 'other' },
      ];
      for (const each of facts)
        await expect(blobs.keep(text(10), each)).rejects.toMatchObject({ code: 'topic_not_found' });
      await blobs.collect();
      expect(await count(store, folder)).toEqual({ rows: 0, references: 0, contents: 0 });
    });
  });
});

describe('the collection', () => {
  describeEachDatabase((open, fresh, dialect) => {
    it('drops bytes with their last topic, and not before', async () => {
      const { blobs, store, folder } = await start(open, fresh);
      const [one, two] = [await addTopic(store), await addTopic(store)];
      const bytes = text(2000);
      const first = await blobs.keep(bytes, { ...upload, topicId: one });
      await blobs.keep(bytes, { ...upload, topicId: one });
      const second = await store.transaction((tx) => blobs.attach(tx, owner, first.id, two));
      expect(second).toEqual({ ...first, id: second.id, topicId: two });
      expect(await blobs.find(owner, second.id)).toEqual(second);
      expect(await blobs.collect()).toBe(0);
      expect(await count(store, folder)).toEqual({ rows: 1, references: 3, contents: 1 });
      await removeTopic(store, one);
      expect(await blobs.find(owner, first.id)).toBeUndefined();
      expect(await blobs.collect()).toBe(0);
      expect((await blobs.read(second)).equals(bytes)).toBe(true);
      await removeTopic(store, two);
      expect(await blobs.collect()).toBe(1);
      expect(await count(store, folder)).toEqual({ rows: 0, references: 0, contents: 0 });
      await expect(blobs.read(second)).rejects.toMatchObject({ code: 'file_not_found' });
      const again = await blobs.keep(bytes, upload);
      expect((await blobs.read(again)).equals(bytes)).toBe(true);
    });

    it('drops an upload after its time, but not what a message took of it', async () => {
      const { blobs, store, folder, clock } = await start(open, fresh);
      const topicId = await addTopic(store);
      const taken = await blobs.keep(text(10), upload);
      const left = await blobs.keep(text(10), upload);
      const attached = await store.transaction((tx) => blobs.attach(tx, owner, taken.id, topicId));
      clock.time += day;
      expect(await blobs.collect()).toBe(0);
      expect(await blobs.find(owner, left.id)).toEqual(left);
      clock.time += 1;
      expect(await blobs.collect()).toBe(1);
      expect(await blobs.find(owner, left.id)).toBeUndefined();
      expect(await blobs.find(owner, taken.id)).toBeUndefined();
      expect(await blobs.read(attached)).toHaveLength(20);
      expect(await count(store, folder)).toEqual({ rows: 1, references: 1, contents: 1 });
    });

    it('drops more than it looks up at once, and stops when it is told', async () => {
      const { blobs, store, folder } = await start(open, fresh);
      const topicId = await addTopic(store);
      for (let n = 0; n < 230; n += 1)
        await blobs.keep(Buffer.from(`${n}`), { ...upload, topicId });
      await removeTopic(store, topicId);
      const stopped = await blobs.collect(AbortSignal.abort());
      expect(stopped).toBe(100);
      expect(await blobs.collect()).toBe(130);
      expect(await count(store, folder)).toEqual({ rows: 0, references: 0, contents: 0 });
    });

    it('never takes bytes from somebody who keeps the same at that moment', async () => {
      const { blobs, place, store, clock, folder } = await start(open, fresh);
      const other =
        dialect === 'postgres'
          ? createBlobs(await open(place), '', { now: () => clock.time })
          : blobs;
      const bytes = text(10);
      for (let n = 0; n < 40; n += 1) {
        const topicId = await addTopic(store);
        const facts = { ...upload, topicId };
        // The row of the round before has no reference any more.
        const [one, two] = await Promise.all([
          blobs.keep(bytes, facts),
          other.keep(inPieces(bytes, 3), facts),
          blobs.collect(),
          other.collect(),
        ]);
        for (const blob of [one, two]) expect((await other.read(blob)).equals(bytes)).toBe(true);
        await removeTopic(store, topicId);
      }
      expect(await blobs.collect()).toBe(1);
      expect(await count(store, folder)).toEqual({ rows: 0, references: 0, contents: 0 });
    });

    it('waits for a transaction that attaches what it was about to drop', async () => {
      const { blobs, place, store, clock } = await start(open, fresh);
      const other =
        dialect === 'postgres'
          ? createBlobs(await open(place), '', { now: () => clock.time })
          : blobs;
      const topicId = await addTopic(store);
      const bytes = text(10);
      const kept = await blobs.keep(bytes, upload);
      clock.time += 2 * day;
      // Bound here, so that it is no part of the transaction it is called in.
      const collect = AsyncResource.bind(() => other.collect());
      let collecting: Promise<number> | undefined;
      const attached = await store.transaction(async (tx) => {
        const blob = await blobs.attach(tx, owner, kept.id, topicId);
        collecting = collect();
        if (dialect === 'postgres') await someoneWaits(tx);
        return blob;
      });
      expect(await collecting).toBe(0);
      expect((await blobs.read(attached)).equals(bytes)).toBe(true);
    });

    if (dialect !== 'postgres') return;
    it('sees that another host wants what it holds', async () => {
      const { blobs, place, store } = await start(open, fresh);
      const other = createBlobs(await open(place), '');
      const topicId = await addTopic(store);
      const bytes = text(10);
      const { hash, size } = await blobs.keep(bytes, { ...upload, topicId });
      await removeTopic(store, topicId);
      const none = async () => undefined;
      const received = { hash, size, head: bytes, bytes, settle: none, discard: none };
      let collecting: Promise<number> | undefined;
      const kept = await store.transaction(async (tx) => {
        // A clock that is behind.
        const blob = await insertBlob(tx, 'postgres', received, upload, 1);
        collecting = other.collect();
        await someoneWaits(tx);
        return blob;
      });
      expect(await collecting).toBe(0);
      expect((await blobs.read(kept)).equals(bytes)).toBe(true);
    });
  });
});

/** Resolves when another connection waits for a lock that a transaction of this database holds. */
async function someoneWaits(tx: Parameters<typeof insertBlob>[0]): Promise<void> {
  const query = sql<{ n: number }>`
    select count(*)::int as n from pg_locks waiting
    where not granted and pg_backend_pid() = any (pg_blocking_pids(waiting.pid))`;
  await expect
    .poll(async () => (await query.execute(tx)).rows[0]?.n, { interval: 5 })
    .toBeGreaterThan(0);
}
