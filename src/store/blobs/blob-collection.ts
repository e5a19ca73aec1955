import type { KeyedQueue } from '#shared/async/keyed-queue.ts';
import { inChunks } from '../database/chunks.ts';
import type { Db } from '../database/store.ts';
import type { BlobPlace } from './blob-place.ts';
import { hashesWithRow } from './blob-references.ts';

/** How many blobs are looked up at once. */
const batchSize = 100;

interface Collection {
  db: Db;
  place: BlobPlace;
  /** Bytes are added and removed in the queue of their hash. */
  queue: KeyedQueue;
  signal: AbortSignal | undefined;
  unsentFileTime: number;
}

/**
 * Drops uploads that no message took in time, and bytes without a reference; with `sweep` also what
 * is in the place of the bytes and has no row. How many contents were dropped.
 */
export async function collectBlobs(
  collection: Collection,
  time: number,
  sweep: boolean,
): Promise<number> {
  await collection.db
    .deleteFrom('blob_refs')
    .where('topic_id', 'is', null)
    .where('call_id', 'is', null)
    .where('server_id', 'is', null)
    .where('created_at', '<', time - collection.unsentFileTime)
    .execute();
  const unused = await dropUnused(collection);
  if (!sweep || collection.signal?.aborted) return unused;
  await collection.place.clean();
  return unused + (await dropWithoutRow(collection));
}

async function dropUnused({ db, place, queue, signal }: Collection): Promise<number> {
  let dropped = 0;
  for (let rows = await listUnused(db, ''); rows.length > 0;) {
    for (const { hash, created_at: seen } of rows)
      await queue.run(hash, async () => {
        if (!(await dropRow(db, hash, seen))) return;
        await place.remove(hash);
        dropped += 1;
      });
    if (signal?.aborted) break;
    rows = await listUnused(db, rows.at(-1)?.hash ?? '');
  }
  return dropped;
}

async function listUnused(db: Db, after: string) {
  return await db
    .selectFrom('blobs')
    .leftJoin('blob_refs', 'blob_refs.hash', 'blobs.hash')
    .select(['blobs.hash', 'blobs.created_at'])
    .where('blob_refs.id', 'is', null)
    .where('blobs.hash', '>', after)
    .orderBy('blobs.hash')
    .limit(batchSize)
    .execute();
}

/**
 * Storing the same bytes at this moment changes the row's time in the transaction that adds the
 * reference, so either the reference is seen here, or the time is no longer the one that was seen.
 */
async function dropRow(db: Db, hash: string, seen: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('blobs')
    .where('hash', '=', hash)
    .where('created_at', '=', seen)
    .where('hash', 'not in', db.selectFrom('blob_refs').select('hash').where('hash', '=', hash))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** A process that ended between the rename of a file and the commit of its row leaves such files. */
async function dropWithoutRow({ db, place, queue, signal }: Collection): Promise<number> {
  let dropped = 0;
  const dropOne = (hash: string) =>
    queue.run(hash, async () => {
      if ((await hashesWithRow(db, [hash])).size > 0) return;
      await place.remove(hash);
      dropped += 1;
    });
  for await (const listed of place.list()) {
    if (signal?.aborted) break;
    await inChunks(listed, batchSize, async (hashes) => {
      const kept = await hashesWithRow(db, hashes);
      for (const hash of hashes) if (!kept.has(hash)) await dropOne(hash);
    });
  }
  return dropped;
}
