import { join } from 'node:path';
import { KeyedQueue } from '#shared/async/keyed-queue.ts';
import { fault } from '#shared/errors/fault.ts';
import { type Limits, usualLimits } from '#shared/vocabulary/limits.ts';
import type { Origin } from '#shared/vocabulary/origin.ts';
import type { BlobFacts, BlobPort, StoredBlob } from '#shared/vocabulary/ports.ts';
import type { Db, Store } from '../database/store.ts';
import { collectBlobs } from './blob-collection.ts';
import { createBlobFiles } from './blob-files.ts';
import { type BlobPlace, type BlobSource, type ByteRange, unreadableBytes } from './blob-place.ts';
import {
  attachReference,
  fileNotFound,
  findReference,
  hashesWithRow,
  insertBlob,
} from './blob-references.ts';
import { createBlobRows } from './blob-rows.ts';

/** How much is read at once. */
const pieceBytes = 1024 * 1024;

/** The blobs of all owners: what is kept by whom, and the bytes. */
export interface Blobs extends BlobPort {
  /** Durable when it resolves; files are the largest unless said otherwise. Throws `file_too_large`, `topic_not_found`, `storage_unavailable`. */
  keep(source: BlobSource, facts: BlobFacts, largest?: number): Promise<StoredBlob>;
  /**
   * A new reference, for a topic, to the bytes of one that the owner has; the old one stays. Throws
   * `file_not_found`. `origins` are added to those that are known of it.
   */
  attach(
    tx: Db,
    owner: string,
    id: string,
    topicId: string,
    origins?: readonly Origin[],
  ): Promise<StoredBlob>;
  /** The bytes, read as they are taken. Throws at once if they are not there. */
  stream(
    blob: Pick<StoredBlob, 'hash' | 'size'>,
    range?: ByteRange,
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
  /**
   * Drops uploads that no message took in time, then bytes that nobody refers to; the first time also
   * what an earlier process left half done. How many contents were dropped. The signal ends it early.
   */
  collect(signal?: AbortSignal): Promise<number>;
}

/** Keeps blobs in the store; on SQLite their bytes are files in `home`. */
export function createBlobs(
  store: Store,
  home: string,
  {
    now = Date.now,
    limits = usualLimits,
  }: { now?: () => number; limits?: Pick<Limits, 'file' | 'unsentFileTime'> } = {},
): Blobs {
  const { db } = store;
  const { unsentFileTime } = limits;
  const place =
    store.dialect === 'sqlite' ? createBlobFiles(join(home, 'blobs')) : createBlobRows(db);
  // Nobody takes a file away between the moment it was seen and the commit of the row that needs it.
  const queue = new KeyedQueue();
  /** Files may be there that no row names: until a collection has ended well. */
  let hasLeftovers = true;

  return {
    async keep(source, facts, largest = limits.file) {
      const received = await place.receive(source, largest);
      try {
        return await queue.run(received.hash, async () => {
          await received.settle();
          await fault('blob-written');
          return await store.transaction((tx) =>
            insertBlob(tx, store.dialect, received, facts, now()),
          );
        });
      } finally {
        await received.discard();
      }
    },

    find: (owner, id) => findReference(db, owner, id),

    attach: (tx, owner, id, topicId, origins = []) =>
      attachReference(tx, store.dialect, { owner, id, topicId, origins }, now()),

    async read(blob, range) {
      const size = await sizeOf(db, place, blob.hash);
      const pieces = await Array.fromAsync(piecesOf(place, blob.hash, within(size, range)));
      return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
    },

    async stream(blob, range) {
      if ((await sizeOf(db, place, blob.hash)) !== blob.size) throw unreadableBytes(blob.hash);
      return streamOf(piecesOf(place, blob.hash, within(blob.size, range)));
    },

    async collect(signal) {
      const sweep = hasLeftovers;
      hasLeftovers = true;
      const dropped = await collectBlobs(
        { db, place, queue, signal, unsentFileTime },
        now(),
        sweep,
      );
      hasLeftovers = signal?.aborted ?? false;
      return dropped;
    },
  };
}

/** Of bytes that are there; otherwise the error says what is lost. */
async function sizeOf(db: Db, place: BlobPlace, hash: string): Promise<number> {
  const size = await place.sizeOf(hash);
  if (size !== undefined) return size;
  const rows = await hashesWithRow(db, [hash]);
  throw rows.has(hash) ? unreadableBytes(hash) : fileNotFound();
}

function within(size: number, range: ByteRange = { start: 0, end: size }): ByteRange {
  const start = Math.min(Math.max(range.start, 0), size);
  return { start, end: Math.min(Math.max(range.end, start), size) };
}

async function* piecesOf(
  place: BlobPlace,
  hash: string,
  { start, end }: ByteRange,
): AsyncGenerator<Buffer<ArrayBuffer>> {
  for (let at = start; at < end; at += pieceBytes)
    yield await place.read(hash, { start: at, end: Math.min(at + pieceBytes, end) });
}

/** Read only as far as somebody asks. */
function streamOf(
  pieces: AsyncGenerator<Buffer<ArrayBuffer>>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const source = {
    async pull(controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}
