import { sql } from 'kysely';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { Db } from '../database/store.ts';
import type { BlobPlace } from './blob-place.ts';
import { ByteCounter, inPieces } from './byte-counter.ts';

/** Keeps the bytes in their rows: several hosts share one PostgreSQL, but no folder. */
export function createBlobRows(db: Db): BlobPlace {
  return {
    async receive(source, largest) {
      const counter = new ByteCounter(largest);
      const pieces: Uint8Array[] = [];
      for await (const piece of counter.through(inPieces(source, largest))) pieces.push(piece);
      return {
        ...counter.result(),
        bytes: source instanceof Uint8Array ? source : Buffer.concat(pieces),
        settle: async () => undefined,
        discard: async () => undefined,
      };
    },

    async sizeOf(hash) {
      const row = await db
        .selectFrom('blobs')
        .select('size')
        .where('hash', '=', hash)
        .executeTakeFirst();
      return row?.size;
    },

    async read(hash, { start, end }) {
      const part = sql<Buffer<ArrayBuffer> | null>`substring(bytes from ${start + 1}::int for ${end - start}::int)`;
      const row = await db
        .selectFrom('blobs')
        .select(part.as('part'))
        .where('hash', '=', hash)
        .executeTakeFirst();
      if (row?.part?.length !== end - start) throw goneMeanwhile();
      return row.part;
    },

    remove: async () => undefined,
    clean: async () => undefined,
    async *list() {},
  };
}

function goneMeanwhile(): CeriseError {
  return new CeriseError(
    'data_unreadable',
    say('file-removed')`The file was deleted while it was being read.`,
  );
}
