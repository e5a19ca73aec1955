import { type Selectable, sql } from 'kysely';
import type { Run } from '#shared/api/v1-api.ts';
import { fromJson, toJson, toJsonOrNull } from '../database/json.ts';
import { usualSlice } from '../database/slices.ts';
import { takeTurn } from '../database/transact-serially.ts';
import type { Db } from '../database/store.ts';
import type { RunsTable } from '../tables/conversation-tables.ts';

/** False, and nothing is stored, where a run of the same `Idempotency-Key` is there. */
export async function insertRun(tx: Db, run: Run, reader: string | null): Promise<boolean> {
  const inserted = await tx
    .insertInto('runs')
    .values({
      id: run.id,
      owner: run.owner,
      credential: run.credential,
      kind: run.kind,
      body_hash: run.bodyHash,
      request_key: run.requestKey ?? null,
      topic_id: run.topicId,
      answer_id: run.answerId,
      asked: toJson(run.asked),
      chain: run.chain,
      stored: Number(run.stored),
      reader,
      begins: run.begins,
      ends: toJsonOrNull(run.ends),
      created_at: run.createdAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

type Asker = Pick<Run, 'owner' | 'credential'>;

function runsOf(db: Db, { owner, credential }: Asker) {
  return db
    .selectFrom('runs')
    .selectAll()
    .where('owner', '=', owner)
    .where('credential', '=', credential);
}

/** The newest run of the same body since a time. */
export async function findRunOfBody(
  db: Db,
  asker: Asker,
  bodyHash: string,
  since: number,
): Promise<Run | undefined> {
  const row = await runsOf(db, asker)
    .where('body_hash', '=', bodyHash)
    .where('created_at', '>=', since)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && toRun(row);
}

/** The newest runs that answered to the same words. */
export async function findRunsOfChain(
  db: Db,
  asker: Asker,
  chain: string,
  limit: number,
): Promise<Run[]> {
  const rows = await runsOf(db, asker)
    .where('chain', '=', chain)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute();
  return rows.map(toRun);
}

/** The key of a retry that has none: of several, on any host, one is stored. */
export function retryKey(bodyHash: string): string {
  return `retry ${bodyHash}`;
}

/**
 * Whether another host has stored another try of the same request since a time, on PostgreSQL: beside a retry any other,
 * beside a first try a retry, which its client sent when it gave up on this one.
 */
export async function hasOtherTry(tx: Db, run: Run, since: number): Promise<boolean> {
  const { owner, credential, bodyHash, requestKey } = run;
  await takeTurn(tx, `run ${owner} ${credential} ${bodyHash}`);
  const key = retryKey(bodyHash);
  const other = await tx
    .selectFrom('runs')
    .select('id')
    .where('owner', '=', owner)
    .where('credential', '=', credential)
    .where('body_hash', '=', bodyHash)
    .where('created_at', '>', since)
    .$if(requestKey !== key, (query) => query.where('request_key', '=', key))
    .executeTakeFirst();
  return other !== undefined;
}

/** The run of an `Idempotency-Key`. */
export async function findRunOfKey(
  db: Db,
  asker: Asker,
  requestKey: string,
): Promise<Run | undefined> {
  const row = await runsOf(db, asker).where('request_key', '=', requestKey).executeTakeFirst();
  return row && toRun(row);
}

/** The key of a run that came to nothing is there for another one. */
export async function freeKey(db: Db, id: string): Promise<void> {
  await db.updateTable('runs').set({ request_key: null }).where('id', '=', id).execute();
}

/** The same for the key of a retry, unless its run is newer than a time. */
export async function freeRetryKey(
  db: Db,
  { owner, credential }: Asker,
  requestKey: string,
  until: number,
): Promise<void> {
  await db
    .updateTable('runs')
    .set({ request_key: null })
    .where('owner', '=', owner)
    .where('credential', '=', credential)
    .where('request_key', '=', requestKey)
    .where('created_at', '<=', until)
    .execute();
}

/** A run by its id. */
export async function getRun(db: Db, owner: string, id: string): Promise<Run | undefined> {
  const row = await db
    .selectFrom('runs')
    .selectAll()
    .where('id', '=', id)
    .where('owner', '=', owner)
    .executeTakeFirst();
  return row && toRun(row);
}

/** The runs that an answer was told in, the first one first. */
export async function runsOfAnswer(db: Db, owner: string, answerId: string): Promise<Run[]> {
  const rows = await db
    .selectFrom('runs')
    .selectAll()
    .where('answer_id', '=', answerId)
    .where('owner', '=', owner)
    .orderBy('begins')
    .orderBy('created_at')
    .execute();
  return rows.map(toRun);
}

/** Somebody reads a run from here on: who read it before no longer decides on its end. */
export async function setReader(db: Db, id: string, reader: string): Promise<void> {
  await db.updateTable('runs').set({ reader }).where('id', '=', id).execute();
}

/** Whether a reader was the last one to come. */
export async function isLastReader(db: Db, id: string, reader: string): Promise<boolean> {
  const row = await db.selectFrom('runs').select('reader').where('id', '=', id).executeTakeFirst();
  return row?.reader === reader;
}

/** It has ended here, although its answer goes on; the first one to say so is right. */
export async function endRun(db: Db, id: string, ends: NonNullable<Run['ends']>): Promise<void> {
  await db
    .updateTable('runs')
    .set({ ends: toJson(ends) })
    .where('id', '=', id)
    .where('ends', 'is', null)
    .execute();
}

/** How many runs a topic has. */
export async function countRuns(db: Db, topicId: string): Promise<number> {
  const { count } = await db
    .selectFrom('runs')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('topic_id', '=', topicId)
    .executeTakeFirstOrThrow();
  return count;
}

/** No retry joins it, and no client reads it again. */
export async function deleteRun(db: Db, id: string): Promise<void> {
  await db.deleteFrom('runs').where('id', '=', id).execute();
}

/** What is too old: the end of the last answer of runs that are not stored, and the start of those that are. */
export interface RunsBefore {
  kept: number;
  stored: number;
}

/**
 * Looks at a slice of the unlisted topics, those after an id: which of them have expired, and the last one it looked at.
 * Topics without any run, which a crash may leave, go by their own time. All conditions are on the rows of one topic: by
 * the times of runs, SQLite would look at every stored run for each topic.
 */
export async function expiredTopics(
  db: Db,
  { kept, stored }: RunsBefore,
  after: string,
): Promise<{ expired: { id: string; owner: string }[]; last: string | undefined }> {
  const { rows } = await sql<{ id: string; owner: string; expired: number }>`
    select topics.id, topics.owner, case when topics.updated_at < ${kept}
      and not exists (select 1 from messages where messages.topic_id = topics.id and (
        messages.running = 1 or messages.ended_at >= ${kept}))
      and not exists (select 1 from runs where runs.topic_id = topics.id
        and runs.stored * runs.created_at >= ${stored}) then 1 else 0 end as expired
    from topics where topics.archived = 2 and topics.owner not like 'deleted/%' and topics.id > ${after}
    order by topics.id limit ${usualSlice.rows}`.execute(db);
  const expired = rows.filter((row) => row.expired === 1).map(({ id, owner }) => ({ id, owner }));
  return { expired, last: rows.length < usualSlice.rows ? undefined : rows.at(-1)?.id };
}

/** Drops a slice of the runs of chats that are too old to be joined or read: their topics stay. */
export async function dropOldRuns(db: Db, before: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from runs where id in (
      select runs.id from runs join topics on topics.id = runs.topic_id
      where topics.archived < 2 and runs.stored in (0, 1) and runs.created_at < ${before} limit ${usualSlice.rows}
    )`.execute(db);
  return Number(numAffectedRows);
}

function toRun(row: Selectable<RunsTable>): Run {
  return {
    id: row.id,
    owner: row.owner,
    credential: row.credential,
    kind: row.kind as Run['kind'],
    bodyHash: row.body_hash,
    ...(row.request_key !== null && { requestKey: row.request_key }),
    topicId: row.topic_id,
    answerId: row.answer_id,
    asked: fromJson(row.asked),
    chain: row.chain,
    stored: row.stored === 1,
    begins: row.begins,
    ...(row.ends !== null && { ends: fromJson(row.ends) as Run['ends'] }),
    createdAt: row.created_at,
  };
}
