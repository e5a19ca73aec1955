import { type Selectable, sql } from 'kysely';
import { sanitiseText } from '#shared/text/text.ts';
import type { DurableEvent, EventBody } from '#shared/vocabulary/event.ts';
import { inChunks } from '../database/chunks.ts';
import { cleanJson, fromJson } from '../database/json.ts';
import { runCached } from '../database/cached-query.ts';
import type { Db, JournalRow } from '../database/store.ts';
import type { Tables } from '../tables/tables.ts';

/** One row of the journal. */
export interface JournalEntry {
  id: number;
  topicId: string;
  event: DurableEvent;
}

function unpackRow(row: Selectable<Tables['events']>): JournalEntry[] {
  if (row.topic_id !== '')
    return [{ id: row.id, topicId: row.topic_id, event: toEvent(row.seq, row.body) }];
  const packed = fromJson(row.body) as [topicId: string, seq: number, body: string][];
  return packed.map(([topicId, seq, body]) => ({ id: row.id, topicId, event: toEvent(seq, body) }));
}

/** The events of a topic in order. On SQLite this reads the whole journal, which holds live turns only. */
export async function readEvents(db: Db, topicId: string, afterSeq = 0): Promise<DurableEvent[]> {
  return (await readTopicJournal(db, topicId))
    .map(({ event }) => event)
    .filter(({ seq }) => seq > afterSeq);
}

/** The same with the rows they are in. */
export async function readTopicJournal(db: Db, topicId: string): Promise<JournalEntry[]> {
  const rows = await db
    .selectFrom('events')
    .selectAll()
    .where('topic_id', 'in', [topicId, ''])
    .execute();
  return rows
    .flatMap(unpackRow)
    .filter((entry) => entry.topicId === topicId)
    .toSorted((a, b) => a.event.seq - b.event.seq);
}

/** The whole journal in one pass, each topic's events in order: what recovery starts from. */
export async function readJournal(db: Db): Promise<JournalEntry[]> {
  const rows = await db.selectFrom('events').selectAll().orderBy('id').execute();
  return rows.flatMap(unpackRow).toSorted((a, b) => a.event.seq - b.event.seq);
}

/** Appends events as part of a larger transaction. The row ids, in order. */
export async function insertEvents(tx: Db, rows: JournalRow[]): Promise<number[]> {
  const pieces = await inChunks(rows, 500, (piece) => {
    const parameters = piece.flatMap(({ topicId, seq, body }) => [topicId, seq, body]);
    return runCached<{ id: number }>(tx, `insert events ${piece.length}`, parameters, () =>
      tx
        .insertInto('events')
        .values(piece.map(({ topicId, seq, body }) => ({ topic_id: topicId, seq, body })))
        .returning('id'),
    );
  });
  // Ids are given in the order of the values; the order of returned rows is not promised.
  return pieces
    .flatMap((piece) => piece.rows)
    .map(({ id }) => id)
    .toSorted((a, b) => a - b);
}

/** Trims the journal of topics up to a number each; viewers that are behind get a snapshot. */
export async function trimTopics(
  db: Db,
  topics: { topicId: string; seq: number }[],
): Promise<void> {
  if (topics.length === 0) return;
  const ids = topics.map(({ topicId }) => topicId);
  const seqs = topics.map(({ seq }) => seq);
  await sql`
    with folded as (
      update topics set floor_seq = greatest(floor_seq, trim.seq)
      from unnest(${ids}::text[], ${seqs}::bigint[]) as trim (id, seq)
      where topics.id = trim.id returning topics.id, trim.seq
    )
    delete from events using folded
    where events.topic_id = folded.id and events.seq <= folded.seq`.execute(db);
}

/** Events of several topics after a number each, in order; on PostgreSQL, where hosts share them. */
export async function readEventsAfter(
  db: Db,
  topics: { topicId: string; seq: number }[],
): Promise<JournalEntry[]> {
  if (topics.length === 0) return [];
  const ids = topics.map(({ topicId }) => topicId);
  const seqs = topics.map(({ seq }) => seq);
  const { rows } = await sql<Selectable<Tables['events']>>`
    select events.* from unnest(${ids}::text[], ${seqs}::bigint[]) as after (id, seq)
    join events on events.topic_id = after.id and events.seq > after.seq
    order by events.topic_id, events.seq limit 2000`.execute(db);
  return rows.flatMap(unpackRow);
}

/**
 * Trims the oldest part of the journal, up to a row. Far cheaper than picking out the rows of each
 * answer, whose pages it shares with others. The newest row stays, so that SQLite never gives an id
 * a second time.
 */
export async function trimEvents(tx: Db, beforeId: number): Promise<void> {
  await tx
    .deleteFrom('events')
    .where('id', '<', beforeId)
    .where('id', '<', (query) => query.selectFrom('events').select(sql<number>`max(id)`.as('id')))
    .execute();
}

/** Removes everything the journal has of a topic. */
export async function deleteTopicEvents(tx: Db, topicId: string): Promise<void> {
  await tx.deleteFrom('events').where('topic_id', '=', topicId).execute();
}

/**
 * An event as its row keeps it. `json` is its JSON. A delta, by far the most frequent, is kept as
 * `block offset text`: its envelope would otherwise be most of the row.
 */
export function encodeEvent(event: EventBody, json: string): string {
  const compact = event.type === 'block-delta' && event.blockId === ownBlockId(event);
  return compact ? `${event.blockId} ${event.offset} ${sanitiseText(event.text)}` : cleanJson(json);
}

function decodeEvent(body: string): EventBody {
  if (body.startsWith('{')) return fromJson(body) as EventBody;
  const [, blockId = '', offset, text = ''] = /^(\S+) (\d+) (.*)$/s.exec(body) ?? [];
  const messageId = blockId.slice(0, blockId.lastIndexOf('.'));
  return { type: 'block-delta', messageId, blockId, offset: Number(offset), text };
}

/** Blocks are named after their message, so that the message can be left out. */
function ownBlockId({ messageId, blockId }: { messageId: string; blockId: string }): string {
  return `${messageId}${blockId.slice(blockId.lastIndexOf('.'))}`;
}

function toEvent(seq: number, body: string): DurableEvent {
  return { ...decodeEvent(body), seq };
}
