import { fromJson } from './json.ts';
import { inChunks } from './chunks.ts';
import { removeMessagesFromIndex } from './search.ts';
import type { Db } from './store.ts';

/** A message as its place in the tree. */
export interface TreeMessage {
  id: string;
  parentId: string | null;
  role: 'user' | 'assistant';
  /** It runs, or is translated. */
  isOpen: boolean;
}

/** Every message of a topic by its place, in order of creation. */
export async function listTree(db: Db, topicId: string): Promise<TreeMessage[]> {
  const rows = await db
    .selectFrom('messages')
    .select(['id', 'parent_id', 'role', 'running'])
    .where('topic_id', '=', topicId)
    .orderBy('n')
    .execute();
  return rows.map(({ id, parent_id, role, running }) => ({
    id,
    parentId: parent_id,
    role,
    isOpen: running === 1,
  }));
}

/**
 * Removes messages with their blocks and calls, what a search finds of them, and the files that no
 * other message of the topic has; shows another branch.
 */
export async function deleteMessages(
  tx: Db,
  topicId: string,
  ids: string[],
  activeLeafId: string | null,
): Promise<void> {
  const files = await filesOf(tx, ids);
  await removeMessagesFromIndex(tx, topicId, ids);
  await inChunks(ids, 500, async (piece) => {
    await tx.deleteFrom('tool_calls').where('answer_id', 'in', piece).execute();
    await tx.deleteFrom('messages').where('id', 'in', piece).execute();
  });
  for (const id of files) await dropUnused(tx, topicId, id);
  await tx
    .updateTable('topics')
    .set({ active_leaf_id: activeLeafId })
    .where('id', '=', topicId)
    .execute();
}

async function filesOf(tx: Db, messageIds: string[]): Promise<Set<string>> {
  const found = new Set<string>();
  await inChunks(messageIds, 500, async (piece) => {
    const rows = await tx
      .selectFrom('blocks')
      .select('data')
      .where('message_id', 'in', piece)
      .where('data', 'like', '%tored":%')
      .execute();
    for (const { data } of rows) collectFiles(fromJson(data), found);
  });
  return found;
}

/** Walks JSON for `stored` and `structuredStored`. */
function collectFiles(value: unknown, found: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const id = key === 'stored' || key === 'structuredStored' ? idOf(inner) : undefined;
    if (id === undefined) collectFiles(inner, found);
    else found.add(id);
  }
}

function idOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('id' in value)) return undefined;
  return typeof value.id === 'string' ? value.id : undefined;
}

async function dropUnused(tx: Db, topicId: string, fileId: string): Promise<void> {
  const other = await tx
    .selectFrom('blocks')
    .innerJoin('messages', 'messages.id', 'blocks.message_id')
    .select('blocks.id')
    .where('messages.topic_id', '=', topicId)
    .where('blocks.data', 'like', `%"${fileId.replaceAll(/[%_\\]/g, '')}"%`)
    .limit(1)
    .executeTakeFirst();
  if (other) return;
  await tx
    .deleteFrom('blob_refs')
    .where('id', '=', fileId)
    .where('topic_id', '=', topicId)
    .execute();
}
