import type { Message } from '#shared/vocabulary/message.ts';
import type { StoredBlob } from '#shared/vocabulary/ports.ts';
import { inChunks } from '../database/chunks.ts';
import type { Db } from '../database/store.ts';
import { readRows } from '../database/unreadable-rows.ts';
import { blocksOf } from './blocks.ts';
import { toMessage } from './messages.ts';
import { isListed } from './topics.ts';

/** Ids of an owner's topics in the order of the ids: those after one, a page of them; or of their chats alone. */
export async function topicIdsAfter(
  db: Db,
  owner: string,
  after: string,
  limit: number,
  { onlyListed = false } = {},
): Promise<string[]> {
  const rows = await db
    .selectFrom('topics')
    .select('id')
    .where('owner', '=', owner)
    .$if(onlyListed, (query) => query.where(isListed))
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Messages of a topic in order of creation: those after a place, and the place of the last of them. What is
 * damaged of one is left out.
 */
export async function messagesAfter(
  db: Db,
  topicId: string,
  after: number,
  limit: number,
): Promise<{ messages: Message[]; last: number }> {
  const rows = await db
    .selectFrom('messages')
    .selectAll()
    .where('topic_id', '=', topicId)
    .where('n', '>', after)
    .orderBy('n')
    .limit(limit)
    .execute();
  const ids = rows.map(({ id }) => id);
  const blocks = await blocksOf(db, ids, 'unknown');
  const read = (row: (typeof rows)[number]) => toMessage(row, blocks.get(row.id) ?? []);
  const messages = readRows(db, 'messages', rows, read, (row) => [
    read({ ...row, usage: null, rounds: null }),
  ]);
  return { messages, last: rows.at(-1)?.n ?? after };
}

/** The files that a topic refers to. */
export async function filesOfTopic(db: Db, owner: string, topicId: string): Promise<StoredBlob[]> {
  const rows = await db
    .selectFrom('blob_refs as ref')
    .innerJoin('blobs', 'blobs.hash', 'ref.hash')
    .select(['ref.id', 'ref.hash', 'size', 'name'])
    .select((select) => select.fn.coalesce('ref.mime_type', 'blobs.mime_type').as('mimeType'))
    .where('ref.topic_id', '=', topicId)
    .where('ref.owner', '=', owner)
    .orderBy('ref.id')
    .execute();
  return rows.map(({ name, ...file }) => ({ ...file, ...(name !== null && { name }) }));
}

/** Those of the ids that a row of the table has, of any owner. */
export async function takenIds(
  db: Db,
  table: 'topics' | 'messages' | 'blocks',
  ids: string[],
): Promise<Set<string>> {
  const taken = new Set<string>();
  await inChunks(ids, 500, async (piece) => {
    const rows = await db.selectFrom(table).select('id').where('id', 'in', piece).execute();
    for (const { id } of rows) taken.add(id);
  });
  return taken;
}
