import { randomUUIDv7 } from 'node:crypto';
import { isUnreadable } from '#shared/errors/errors.ts';
import { inChunks } from '../database/chunks.ts';
import { fromJson } from '../database/json.ts';
import { inSlices, othersFirst, usualSlice } from '../database/slices.ts';
import type { Db } from '../database/store.ts';
import { binOf, sweptOwner } from './hidden-topics.ts';

/** A message as its place in the tree. */
export interface TreeMessage {
  id: string;
  parentId: string | null;
  role: 'user' | 'assistant';
  /** It runs, or is translated. */
  isOpen: boolean;
}

/** Every message of a topic by its place, in order of creation; read in slices. */
export async function listTree(db: Db, topicId: string): Promise<TreeMessage[]> {
  const found: TreeMessage[] = [];
  let after = 0;
  await inSlices(async () => {
    const rows = await db
      .selectFrom('messages')
      .select(['n', 'id', 'parent_id', 'role', 'running'])
      .where('topic_id', '=', topicId)
      .where('n', '>', after)
      .orderBy('n')
      .limit(placesAtOnce)
      .execute();
    for (const { id, parent_id: parentId, role, running } of rows)
      found.push({ id, parentId, role, isOpen: running === 1 });
    after = rows.at(-1)?.n ?? after;
    return rows.length === placesAtOnce;
  });
  return found;
}

/** Rows of four small columns. */
const placesAtOnce = 2000;

/**
 * Takes messages out of their topic, with the files they have, and shows another branch: from the commit on
 * nobody finds them. They are moved to a topic of nobody's, a bin, and go in slices (see `sweep.ts`).
 */
export async function deleteMessages(
  tx: Db,
  topicId: string,
  ids: string[],
  activeLeafId: string | null,
): Promise<void> {
  const bin = await insertBin(tx, topicId);
  await inChunks(ids, usualSlice.rows, async (piece) => {
    await tx.updateTable('messages').set({ topic_id: bin }).where('id', 'in', piece).execute();
    const files = [...(await filesOf(tx, piece))];
    if (files.length > 0) await moveFiles(tx, files, topicId, bin);
    await othersFirst();
  });
  await tx
    .updateTable('topics')
    .set({ active_leaf_id: activeLeafId })
    .where('id', '=', topicId)
    .execute();
}

async function insertBin(tx: Db, topicId: string): Promise<string> {
  const topic = await tx
    .selectFrom('topics')
    .select(['owner', 'assistant_id', 'created_at'])
    .where('id', '=', topicId)
    .executeTakeFirstOrThrow();
  const id = binOf(topicId, randomUUIDv7());
  await tx
    .insertInto('topics')
    .values({
      ...topic,
      id,
      owner: sweptOwner(topic.owner),
      title: '',
      titled: 0,
      updated_at: topic.created_at,
    })
    .execute();
  return id;
}

/** Gives files of one topic to another. */
export async function moveFiles(tx: Db, ids: string[], from: string, to: string): Promise<void> {
  await inChunks(ids, 500, (piece) =>
    tx
      .updateTable('blob_refs')
      .set({ topic_id: to })
      .where('id', 'in', piece)
      .where('topic_id', '=', from)
      .execute(),
  );
}

/** The files that messages have. */
export async function filesOf(tx: Db, messageIds: string[]): Promise<Set<string>> {
  const found = new Set<string>();
  await inChunks(messageIds, 500, async (piece) => {
    const rows = await tx
      .selectFrom('blocks')
      .select('data')
      .where('message_id', 'in', piece)
      .where('data', 'like', '%tored":%')
      .execute();
    for (const { data } of rows) collectFrom(data, found);
  });
  return found;
}

/** Of a block that cannot be read every id counts: what is no file is not found as one. */
function collectFrom(data: string, found: Set<string>): void {
  try {
    collectFiles(fromJson(data), found);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    for (const [, id] of data.matchAll(/"id":"([^"]+)"/g)) if (id !== undefined) found.add(id);
  }
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
