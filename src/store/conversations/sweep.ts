import { sql } from 'kysely';
import { fault } from '#shared/errors/fault.ts';
import { inSlices, sliceOf, usualSlice } from '../database/slices.ts';
import type { Db, Store } from '../database/store.ts';
import { filesOf, moveFiles } from './delete-messages.ts';
import { deleteTopicEvents } from './events.ts';
import { hiddenOwners, searchedAs, sweptOwner } from './hidden-topics.ts';
import { dropUnusedParts, sweepRecords } from './records.ts';
import { isPostgres, removeFromIndex } from './search.ts';

interface Sweep {
  owner?: string;
  signal?: AbortSignal | undefined;
  /** Told of each topic that cannot be swept; the others go on. Absent: the first failure ends it. */
  onFailure?: (error: unknown) => void;
}

/** Removes the rows of all topics that were deleted: of one owner, or of anybody. How many topics there were. */
export async function sweepTopics(
  store: Pick<Store, 'transaction' | 'db'>,
  { owner, signal, onFailure }: Sweep,
): Promise<number> {
  let swept = 0;
  let last = { owner: '', id: '' };
  await inSlices(async () => {
    const topic = await nextSwept(store.db, last, owner);
    if (!topic) return false;
    last = topic;
    try {
      await sweepTopic(store, topic.id, signal);
      swept += 1;
    } catch (error) {
      if (!onFailure) throw error;
      onFailure(error);
    }
    return true;
  }, signal);
  return swept;
}

/** Pages of SQLite's index that are written in one step, and steps after a sweep. */
const pagesAtOnce = 16;
const maxSteps = 100;

/**
 * SQLite's index only notes what is deleted, and keeps its words until it is written again: here in small steps,
 * as far as they come. PostgreSQL does so automatically.
 */
export async function tidyIndex(store: Store, signal?: AbortSignal): Promise<void> {
  if (store.dialect !== 'sqlite') return;
  let steps = 0;
  await inSlices(async () => {
    // A negative number takes everything in hand, the others go on with it.
    const pages = steps === 0 ? -pagesAtOnce : pagesAtOnce;
    const merge = sql`insert into search_index (search_index, rank) values ('merge', ${pages})`;
    await store.transaction((tx) => merge.execute(tx), 'relaxed');
    return ++steps < maxSteps;
  }, signal);
}

type SweptTopic = { owner: string; id: string };

/** The next topic after another that is deleted and whose rows are still there; of one owner, or of anybody. */
async function nextSwept(
  db: Db,
  last: SweptTopic,
  owner?: string,
): Promise<SweptTopic | undefined> {
  const { from, before } = hiddenOwners.swept;
  const topics = db.selectFrom('topics').select(['owner', 'id']);
  return await (
    owner === undefined
      ? topics.where('owner', '>=', from).where('owner', '<', before)
      : topics.where('owner', '=', sweptOwner(owner))
  )
    .where((eb) => eb(eb.refTuple('owner', 'id'), '>', eb.tuple(last.owner, last.id)))
    .orderBy('owner')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

/**
 * Removes the rows of a topic that nobody sees any more, in slices that are transactions of their own: a
 * host that ends in between leaves the rest to the next, or to another.
 */
export async function sweepTopic(
  store: Pick<Store, 'transaction' | 'db'>,
  topicId: string,
  signal?: AbortSignal,
): Promise<void> {
  const step = async () => {
    const goesOn = await store.transaction((tx) => sweepSlice(tx, topicId), 'relaxed');
    await fault('sweep-slice');
    return goesOn;
  };
  if (!(await inSlices(step, signal))) return;
  const ofTopic = searchedAs(topicId);
  if (ofTopic !== topicId) {
    await giveFilesBack(store, topicId, ofTopic, signal);
    await dropUnusedParts(store, ofTopic);
  }
  if (signal?.aborted) return;
  await store.transaction(async (tx) => {
    if (!(await isSwept(tx, topicId))) return;
    await removeFromIndex(tx, topicId, [topicId]);
    await deleteTopicEvents(tx, topicId);
    await tx.deleteFrom('topics').where('id', '=', topicId).execute();
  });
}

/** False if nothing is left but the topic itself. Slices are made of blocks, then messages, then the rest. */
async function sweepSlice(tx: Db, topicId: string): Promise<boolean> {
  if (!(await isSwept(tx, topicId))) return false;
  const { rows: most } = usualSlice;
  const messages = await tx
    .selectFrom('messages')
    .select('id')
    .where('topic_id', '=', topicId)
    .orderBy('n')
    .limit(most)
    .execute();
  if (messages.length === 0) return await sweepRest(tx, topicId);
  const ids = messages.map(({ id }) => id);
  const blocks = await tx
    .selectFrom('blocks')
    .select(['id', sql<number>`octet_length(content) + octet_length(data)`.as('size')])
    .where('message_id', 'in', ids)
    .limit(most)
    .execute();
  const slice = sliceOf(blocks, ({ size }) => size);
  const gone = slice.map(({ id }) => id);
  await removeFromIndex(tx, searchedAs(topicId), gone);
  if (gone.length > 0) await tx.deleteFrom('blocks').where('id', 'in', gone).execute();
  const isLast = blocks.length < most && slice.length === blocks.length;
  if (isLast && !(await sweepCalls(tx, ids)) && !(await sweepRecords(tx, ids)))
    await tx.deleteFrom('messages').where('id', 'in', ids).execute();
  return true;
}

/**
 * Whether it is still the topic that was deleted: another host may have swept it, and somebody may have
 * brought it in again under the same id. Until the end of `tx` it stays what it is.
 */
async function isSwept(tx: Db, topicId: string): Promise<boolean> {
  const { from, before } = hiddenOwners.swept;
  const topic = await tx
    .selectFrom('topics')
    .select('id')
    .where('id', '=', topicId)
    .where('owner', '>=', from)
    .where('owner', '<', before)
    .$if(isPostgres(tx), (query) => query.forUpdate())
    .executeTakeFirst();
  return topic !== undefined;
}

/** True if there were so many calls that the rest has to wait for the next slice. */
async function sweepCalls(tx: Db, answerIds: string[]): Promise<boolean> {
  const calls = await tx
    .selectFrom('tool_calls')
    .select('id')
    .where('answer_id', 'in', answerIds)
    .limit(usualSlice.rows)
    .execute();
  if (calls.length === 0) return false;
  const ids = calls.map(({ id }) => id);
  await tx.deleteFrom('tool_calls').where('id', 'in', ids).execute();
  return calls.length === usualSlice.rows;
}

async function sweepRest(tx: Db, topicId: string): Promise<boolean> {
  for (const table of ['tool_calls', 'blob_refs', 'records', 'record_parts'] as const) {
    const isBin = searchedAs(topicId) !== topicId;
    if (isBin && table === 'blob_refs') continue;
    const isLarge = table === 'records' || table === 'record_parts';
    const rows = await tx
      .selectFrom(table)
      .select(['id', sql<number>`${isLarge ? sql.ref('size') : sql.lit(0)}`.as('bytes')])
      .where('topic_id', '=', topicId)
      .limit(usualSlice.rows)
      .execute();
    if (rows.length === 0) continue;
    const ids = sliceOf(rows, ({ bytes }) => bytes).map(({ id }) => id);
    await tx.deleteFrom(table).where('id', 'in', ids).execute();
    return true;
  }
  return false;
}

/** Files of deleted messages that other messages of the topic have too stay with it. */
async function giveFilesBack(
  { db }: Pick<Store, 'db'>,
  bin: string,
  topicId: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const binned = await db
    .selectFrom('blob_refs')
    .select('id')
    .where('topic_id', '=', bin)
    .limit(1)
    .execute();
  if (binned.length === 0) return;
  let after = 0;
  await inSlices(async () => {
    const rows = await db
      .selectFrom('messages')
      .select(['id', 'n'])
      .where('topic_id', '=', topicId)
      .where('n', '>', after)
      .orderBy('n')
      .limit(usualSlice.rows)
      .execute();
    const used = [
      ...(await filesOf(
        db,
        rows.map(({ id }) => id),
      )),
    ];
    await moveFiles(db, used, bin, topicId);
    after = rows.at(-1)?.n ?? after;
    return rows.length === usualSlice.rows;
  }, signal);
}
