import { sql } from 'kysely';
import type { Message } from '#shared/vocabulary/message.ts';
import { inChunks } from '../database/chunks.ts';
import type { Db } from '../database/store.ts';
import { readRows } from '../database/unreadable-rows.ts';
import { blocksOf } from './blocks.ts';
import { listTree } from './delete-messages.ts';
import { toMessage } from './messages.ts';

/** The ids of the branch that ends in a message, root first. */
export async function branchTo(db: Db, topicId: string, messageId: string): Promise<string[]> {
  const parents = new Map((await listTree(db, topicId)).map(({ id, parentId }) => [id, parentId]));
  const ids: string[] = [];
  for (let next: string | null = messageId; next !== null && parents.has(next);) {
    ids.push(next);
    const parent: string | null = parents.get(next) ?? null;
    parents.delete(next);
    next = parent;
  }
  return ids.toReversed();
}

/** How many bytes the blocks of messages take. */
export async function bytesOf(db: Db, messageIds: string[]): Promise<number> {
  let bytes = 0;
  await inChunks(messageIds, 500, async (piece) => {
    const row = await db
      .selectFrom('blocks')
      .select(
        sql<number | null>`cast(sum(octet_length(content) + octet_length(data)) as bigint)`.as(
          'bytes',
        ),
      )
      .where('message_id', 'in', piece)
      .executeTakeFirst();
    bytes += row?.bytes ?? 0;
  });
  return bytes;
}

/** Some messages of a topic, in the order of the ids. What is damaged of one is left out. */
export async function messagesOf(db: Db, topicId: string, ids: string[]): Promise<Message[]> {
  const rows = await db
    .selectFrom('messages')
    .selectAll()
    .where('topic_id', '=', topicId)
    .where('id', 'in', ids)
    .execute();
  const blocks = await blocksOf(db, ids, 'unknown');
  const read = (row: (typeof rows)[number]) => toMessage(row, blocks.get(row.id) ?? []);
  const messages = readRows(db, 'messages', rows, read, (row) => [
    read({ ...row, usage: null, rounds: null }),
  ]);
  const byId = new Map(messages.map((message) => [message.id, message]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
