import { createHash, randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { inChunks } from '../database/chunks.ts';
import { listFromJson, toJson } from '../database/json.ts';
import { inSlices, othersFirst, sliceOf, usualSlice } from '../database/slices.ts';
import type { Db, Store } from '../database/store.ts';
import { isPostgres } from './search.ts';

/** The answer that something is recorded of. */
export interface RecordedAnswer {
  owner: string;
  topicId: string;
  answerId: string;
}

/** One request to a model and what came back, as sealed bytes, and the hashes of the parts it is made of. */
export interface SealedRecord {
  n: number;
  parts: string[];
  body: Uint8Array;
}

/** What a part is named by. Each topic has its own, so that nobody learns what others have. */
export function hashOfPart(topicId: string, json: string): string {
  const hash = createHash('sha256').update(topicId).update('\n').update(json);
  return hash.digest('base64url').slice(0, 24);
}

/** Those of the parts that the topic has already. */
export async function presentParts(
  db: Db,
  topicId: string,
  hashes: readonly string[],
): Promise<Set<string>> {
  const rows = await inChunks(hashes, 500, (piece) =>
    db
      .selectFrom('record_parts')
      .select('hash')
      .where('topic_id', '=', topicId)
      .where('hash', 'in', piece)
      .execute(),
  );
  return new Set(rows.flat().map(({ hash }) => hash));
}

/** Adds a record to those of its answer, with the parts that are new. Nothing is written of an answer that is gone. */
export async function insertRecord(
  tx: Db,
  { owner, topicId, answerId }: RecordedAnswer,
  record: Omit<SealedRecord, 'n'>,
  parts: ReadonlyMap<string, Uint8Array>,
  at: number,
): Promise<void> {
  const present = await tx
    .selectFrom('messages')
    .select('id')
    .where('id', '=', answerId)
    .where('topic_id', '=', topicId)
    .$if(isPostgres(tx), (query) => query.forShare())
    .executeTakeFirst();
  if (!present) return;
  await insertParts(tx, { owner, topicId }, parts);
  const last = await tx
    .selectFrom('records')
    .select((eb) => eb.fn.max('n').as('n'))
    .where('answer_id', '=', answerId)
    .executeTakeFirst();
  const hashes = toJson(record.parts);
  await tx
    .insertInto('records')
    .values({
      id: randomUUIDv7(),
      answer_id: answerId,
      n: (last?.n ?? -1) + 1,
      topic_id: topicId,
      owner,
      parts: hashes,
      body: record.body,
      size: record.body.length + hashes.length,
      created_at: at,
    })
    .execute();
}

async function insertParts(
  tx: Db,
  { owner, topicId }: Omit<RecordedAnswer, 'answerId'>,
  parts: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  const rows = [...parts].map(([hash, body]) => ({
    id: randomUUIDv7(),
    topic_id: topicId,
    owner,
    hash,
    body,
    size: body.length,
  }));
  await inChunks(rows, usualSlice.rows, (piece) =>
    tx
      .insertInto('record_parts')
      .values(piece)
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  );
}

/** The records of an answer in their order. */
export async function listRecords(
  db: Db,
  owner: string,
  answerId: string,
): Promise<SealedRecord[]> {
  const rows = await db
    .selectFrom('records')
    .select(['n', 'parts', 'body'])
    .where('owner', '=', owner)
    .where('answer_id', '=', answerId)
    .orderBy('n')
    .execute();
  return rows.map(({ n, parts, body }) => ({ n, parts: hashesIn(parts), body }));
}

/** Parts by their hashes; those that are gone are missing. */
export async function readParts(
  db: Db,
  topicId: string,
  hashes: readonly string[],
): Promise<Map<string, Uint8Array>> {
  const rows = await inChunks(hashes, usualSlice.rows, (piece) =>
    db
      .selectFrom('record_parts')
      .select(['hash', 'body'])
      .where('topic_id', '=', topicId)
      .where('hash', 'in', piece)
      .execute(),
  );
  return new Map(rows.flat().map(({ hash, body }) => [hash, body]));
}

/** What may be kept of records: since when, and how many bytes. */
export interface RecordRetention {
  since: number;
  mostBytes: number;
}

/** Removes records that are too old, then the oldest of what is too much. How many were removed. */
export async function dropOldRecords(
  store: Pick<Store, 'db' | 'transaction'>,
  { since, mostBytes }: RecordRetention,
  signal?: AbortSignal,
): Promise<number> {
  let dropped = 0;
  await inSlices(async () => {
    const bytes = await bytesOfRecords(store.db);
    const rows = await store.db
      .selectFrom('records')
      .select(['id', 'topic_id as topicId', 'size', 'created_at as createdAt'])
      .orderBy('created_at')
      .limit(usualSlice.rows)
      .execute();
    let over = bytes - mostBytes;
    const excess = rows.filter(({ size, createdAt }) => {
      const isOver = over > 0;
      if (isOver) over -= size;
      return isOver || createdAt < since;
    });
    const gone = sliceOf(excess, ({ size }) => size);
    if (gone.length === 0) return false;
    const ids = gone.map(({ id }) => id);
    await store.transaction(async (tx) => {
      await tx.deleteFrom('records').where('id', 'in', ids).execute();
    }, 'relaxed');
    for (const topicId of new Set(gone.map((row) => row.topicId))) {
      await dropUnusedParts(store, topicId);
      await othersFirst();
    }
    dropped += gone.length;
    return true;
  }, signal);
  return dropped;
}

/** Removes a slice of the records of answers. False if there were none. */
export async function sweepRecords(tx: Db, answerIds: string[]): Promise<boolean> {
  const rows = await tx
    .selectFrom('records')
    .select(['id', 'size'])
    .where('answer_id', 'in', answerIds)
    .limit(usualSlice.rows)
    .execute();
  const ids = sliceOf(rows, ({ size }) => size).map(({ id }) => id);
  if (ids.length > 0) await tx.deleteFrom('records').where('id', 'in', ids).execute();
  return ids.length > 0;
}

/** Removes the parts of a topic that no record of it is made of any more. */
export async function dropUnusedParts(
  store: Pick<Store, 'transaction'>,
  topicId: string,
): Promise<void> {
  await store.transaction(async (tx) => {
    const used = await usedParts(tx, topicId);
    const present = await tx
      .selectFrom('record_parts')
      .select(['id', 'hash'])
      .where('topic_id', '=', topicId)
      .execute();
    const unused = present.filter(({ hash }) => !used.has(hash)).map(({ id }) => id);
    await inChunks(unused, 500, (piece) =>
      tx.deleteFrom('record_parts').where('id', 'in', piece).execute(),
    );
  }, 'relaxed');
}

/** Others go first between two slices, though not to the database: the transaction is of one piece. */
async function usedParts(tx: Db, topicId: string): Promise<Set<string>> {
  const used = new Set<string>();
  let after = '';
  await inSlices(async () => {
    const rows = await tx
      .selectFrom('records')
      .select(['id', 'parts'])
      .where('topic_id', '=', topicId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(usualSlice.rows)
      .execute();
    for (const { parts } of rows) for (const hash of hashesIn(parts)) used.add(hash);
    after = rows.at(-1)?.id ?? after;
    return rows.length === usualSlice.rows;
  });
  return used;
}

async function bytesOfRecords(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: number | string }>`select
    coalesce((select sum(size) from records), 0) + coalesce((select sum(size) from record_parts), 0) as bytes`.execute(
    db,
  );
  return Number(rows[0]?.bytes ?? 0);
}

function hashesIn(parts: string): string[] {
  return listFromJson(parts).filter((hash) => typeof hash === 'string');
}
