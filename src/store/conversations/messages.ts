import { type Selectable, sql } from 'kysely';
import type { Block } from '#shared/vocabulary/block.ts';
import { isMessageOpen, isMessageRunning, type Message } from '#shared/vocabulary/message.ts';
import { inChunks } from '../database/chunks.ts';
import { fromJson, toJsonOrNull } from '../database/json.ts';
import { insertRows, runCached } from '../database/cached-query.ts';
import { inSlices, othersFirst, usualSlice } from '../database/slices.ts';
import type { Db } from '../database/store.ts';
import type { MessagesTable } from '../tables/conversation-tables.ts';
import { blocksOf, insertBlocks } from './blocks.ts';
import { indexBlocks } from './search.ts';
import { noteUses } from './topic-uses.ts';
import { waitOfAnswer } from './waits.ts';

/** What of a row a message is made of. */
export type MessageRow = Omit<Selectable<MessagesTable>, 'n' | 'error' | 'request' | 'parked'>;

/**
 * An answer that has not ended, or a message that is translated, as recovery finds it: with the blocks
 * it had before; those that are being made are in the journal.
 */
export interface RunningAnswer {
  owner: string;
  message: Message;
  request: unknown;
  /** Only a person can move it on, and doing so makes its topic live. */
  isParked: boolean;
}

/** Stores a message with the blocks it has. `request` is what was asked of an answer, as JSON. */
export async function insertMessage(tx: Db, message: Message, request?: unknown): Promise<void> {
  await insertRows(tx, 'messages', [toRow(message, request)]);
  await noteUses(tx, message.topicId, [message.model], message.blocks);
  await storeBlocks(tx, message.topicId, message.blocks);
}

/** Whether a search may find it; what is in an unlisted topic is not even indexed. */
interface Findable {
  isFindable?: boolean;
}

/** Stores messages of a topic, and blocks of those or of earlier ones. */
export async function insertMessages(
  tx: Db,
  topicId: string,
  messages: Message[],
  blocks: Block[],
  findable?: Findable,
): Promise<void> {
  await inTurns(messages, async (piece) => {
    const rows = piece.map((message) => toRow(message));
    await insertRows(tx, 'messages', rows);
  });
  await noteUses(
    tx,
    topicId,
    messages.map(({ model }) => model),
    blocks,
  );
  await storeBlocks(tx, topicId, blocks, findable);
}

function toRow(message: Message, request?: unknown) {
  return {
    id: message.id,
    topic_id: message.topicId,
    parent_id: message.parentId,
    role: message.role,
    status: message.status,
    running: isMessageOpen(message) ? 1 : 0,
    model: message.model ?? null,
    usage: toJsonOrNull(message.usage),
    rounds: toJsonOrNull(message.rounds),
    request: toJsonOrNull(request),
    created_at: message.createdAt,
    ended_at: message.endedAt ?? null,
  };
}

/**
 * Stores how an answer ended, with all its blocks, or those that a translation added. False (and nothing
 * written) if it had ended before.
 */
export async function finishMessage(
  tx: Db,
  message: Message,
  findable?: Findable,
): Promise<boolean> {
  const { endedAt } = message;
  const waited = endedAt === undefined ? 0 : await waitOfAnswer(tx, message.id, endedAt);
  const { numUpdatedRows } = await tx
    .updateTable('messages')
    .set((eb) => ({
      status: message.status,
      running: 0,
      ...(message.model !== undefined && { model: message.model }),
      usage: toJsonOrNull(message.usage),
      rounds: toJsonOrNull(message.rounds),
      ended_at: endedAt ?? null,
      // A translation ends it once more, when its questions may be forgotten.
      waited_ms: eb.fn.coalesce('waited_ms', eb.val(waited)),
    }))
    .where('id', '=', message.id)
    .where('running', '=', 1)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  const known = await lastOrdinal(tx, message.id);
  const added = message.blocks.filter(({ ordinal }) => ordinal > known);
  await noteUses(tx, message.topicId, [message.model], added);
  await storeBlocks(tx, message.topicId, added, findable);
  return true;
}

/** Marks a message that had ended as one to go on with. `request` says what is asked of it. */
export async function reopenMessage(tx: Db, id: string, request: unknown): Promise<void> {
  await tx
    .updateTable('messages')
    .set({ running: 1, request: toJsonOrNull(request) })
    .where('id', '=', id)
    .execute();
}

/** Changes what was asked of a message; undefined: nothing was. */
export async function setRequest(tx: Db, id: string, request: unknown): Promise<void> {
  await tx
    .updateTable('messages')
    .set({ request: toJsonOrNull(request) })
    .where('id', '=', id)
    .execute();
}

async function lastOrdinal(tx: Db, messageId: string): Promise<number> {
  const row = await tx
    .selectFrom('blocks')
    .select((eb) => eb.fn.max('ordinal').as('last'))
    .where('message_id', '=', messageId)
    .executeTakeFirst();
  return row?.last ?? -1;
}

export async function getMessage(db: Db, owner: string, id: string): Promise<Message | undefined> {
  const row = await db
    .selectFrom('messages')
    .innerJoin('topics', 'topics.id', 'messages.topic_id')
    .selectAll('messages')
    .where('messages.id', '=', id)
    .where('topics.owner', '=', owner)
    .executeTakeFirst();
  return row && (await withBlocks(db, [row]))[0];
}

/** The newest messages (those before `before`, a message id) in order of creation. */
export async function listMessages(
  db: Db,
  topicId: string,
  page: { before?: string | undefined; limit: number },
): Promise<{ messages: Message[]; hasEarlier: boolean }> {
  const { before } = page;
  let query = db.selectFrom('messages').selectAll().where('topic_id', '=', topicId);
  if (before !== undefined) {
    query = query.where('n', '<', (eb) =>
      eb
        .selectFrom('messages as next')
        .select('next.n')
        .where('next.id', '=', before)
        .where('next.topic_id', '=', topicId),
    );
  }
  const rows = await query
    .orderBy('n', 'desc')
    .limit(page.limit + 1)
    .execute();
  const messages = await withBlocks(db, rows.slice(0, page.limit).toReversed());
  return { messages, hasEarlier: rows.length > page.limit };
}

/** The branch that ends in a message, root first; read in slices. Empty if the topic has no such message. */
export async function pathTo(db: Db, topicId: string, messageId: string): Promise<Message[]> {
  const parts: Message[][] = [];
  let end: string | null = messageId;
  await inSlices(async () => {
    const part: Message[] = end === null ? [] : await pathPart(db, topicId, end);
    parts.push(part);
    end = part[0]?.parentId ?? null;
    return end !== null;
  });
  return parts.toReversed().flat();
}

/** The end of a branch, so far as one slice reaches. */
async function pathPart(db: Db, topicId: string, messageId: string): Promise<Message[]> {
  const parameters = [messageId, topicId, topicId, usualSlice.rows];
  const { rows } = await runCached<Selectable<MessagesTable>>(
    db,
    'part of a branch',
    parameters,
    () =>
      db
        .withRecursive('path', (cte) =>
          cte
            .selectFrom('messages')
            .selectAll('messages')
            .select(sql<number>`0`.as('depth'))
            .where('id', '=', messageId)
            .where('topic_id', '=', topicId)
            .unionAll(
              cte
                .selectFrom('messages as parent')
                .innerJoin('path', 'path.parent_id', 'parent.id')
                .selectAll('parent')
                .select(sql<number>`path.depth + 1`.as('depth'))
                .where('parent.topic_id', '=', topicId)
                .where('path.depth', '<', usualSlice.rows),
            ),
        )
        .selectFrom('path')
        .selectAll()
        .orderBy('depth', 'desc'),
  );
  return await withBlocks(db, rows);
}

/** The topics in which an answer has not ended and somebody could go on with it. Reads nothing that may be damaged. */
export async function listRunningTopics(db: Db): Promise<{ id: string; owner: string }[]> {
  return await db
    .selectFrom('messages')
    .innerJoin('topics', 'topics.id', 'messages.topic_id')
    .select(['topics.id', 'topics.owner'])
    .where('messages.running', '=', sql.lit(1))
    .where('messages.parked', '=', 0)
    .groupBy(['topics.id', 'topics.owner'])
    .orderBy((eb) => eb.fn.min('messages.n'))
    .execute();
}

/** Every answer that has not ended, of all owners or in one topic, oldest first. */
export async function listRunning(db: Db, topicId?: string): Promise<RunningAnswer[]> {
  const rows = await db
    .selectFrom('messages')
    .innerJoin('topics', 'topics.id', 'messages.topic_id')
    .selectAll('messages')
    .select('topics.owner')
    .where('messages.running', '=', sql.lit(1))
    .$if(topicId !== undefined, (query) => query.where('messages.topic_id', '=', topicId ?? ''))
    .orderBy('messages.n')
    .execute();
  const blocks = await blocksOf(
    db,
    rows.filter(({ status }) => !isMessageRunning({ status })).map(({ id }) => id),
  );
  return rows.map((row) => ({
    owner: row.owner,
    message: toMessage(row, blocks.get(row.id) ?? []),
    request: row.request === null ? undefined : fromJson(row.request),
    isParked: row.parked === 1,
  }));
}

/** What was asked of an answer. */
export async function getRequest(db: Db, messageId: string): Promise<unknown> {
  const row = await db
    .selectFrom('messages')
    .select('request')
    .where('id', '=', messageId)
    .executeTakeFirst();
  return row?.request ? fromJson(row.request) : undefined;
}

/** Others go first between two slices, though not to the database: the transaction is of one piece. */
async function inTurns<T>(items: T[], work: (piece: T[]) => Promise<void>): Promise<void> {
  await inChunks(items, usualSlice.rows, async (piece) => {
    await work(piece);
    if (piece.length < items.length) await othersFirst();
  });
}

async function storeBlocks(
  tx: Db,
  topicId: string,
  blocks: Block[],
  { isFindable = true }: Findable = {},
): Promise<void> {
  await inTurns(blocks, async (piece) => {
    await insertBlocks(tx, piece);
    if (isFindable) await indexBlocks(tx, topicId, piece);
  });
}

async function withBlocks(db: Db, rows: Selectable<MessagesTable>[]): Promise<Message[]> {
  const blocks = await blocksOf(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => toMessage(row, blocks.get(row.id) ?? []));
}

/** A row with its blocks as a message. */
export function toMessage(row: MessageRow, blocks: Message['blocks']): Message {
  const { status } = row;
  return {
    id: row.id,
    topicId: row.topic_id,
    parentId: row.parent_id,
    role: row.role,
    status,
    ...(row.running === 1 && !isMessageRunning({ status }) && { translating: true }),
    ...(row.model !== null && { model: row.model }),
    ...(row.usage !== null && { usage: fromJson(row.usage) as Message['usage'] }),
    ...(row.rounds !== null && { rounds: fromJson(row.rounds) as Message['rounds'] }),
    createdAt: row.created_at,
    ...(row.ended_at !== null && { endedAt: row.ended_at }),
    blocks,
  };
}
