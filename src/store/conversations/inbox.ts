import { fromJson, toJson } from '../database/json.ts';
import type { Db } from '../database/store.ts';

/** A command for the host that holds a topic. */
export interface InboxRow {
  id: string;
  topicId: string;
  owner: string;
  kind: string;
  /** Anything that JSON can hold. */
  body: unknown;
  createdAt: number;
}

/** Keeps a command; false if the topic is gone. Nobody can delete it until the end of `tx`. */
export async function insertInbox(tx: Db, row: InboxRow): Promise<boolean> {
  const topic = await tx
    .selectFrom('topics')
    .select('id')
    .where('id', '=', row.topicId)
    .where('owner', '=', row.owner)
    .forShare()
    .executeTakeFirst();
  if (!topic) return false;
  await tx
    .insertInto('inbox')
    .values({
      id: row.id,
      topic_id: row.topicId,
      kind: row.kind,
      body: toJson({ owner: row.owner, body: row.body }),
      created_at: row.createdAt,
    })
    .execute();
  return true;
}

/** Commands that nobody has carried out yet, in the order they came. */
export async function listInbox(db: Db, topicIds: string[]): Promise<InboxRow[]> {
  if (topicIds.length === 0) return [];
  const rows = await db
    .selectFrom('inbox')
    .select(['id', 'topic_id', 'kind', 'body', 'created_at'])
    .where('topic_id', 'in', topicIds)
    .where('taken_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(500)
    .execute();
  return rows.map((row) => {
    const { owner, body } = fromJson(row.body) as { owner: string; body: unknown };
    return {
      id: row.id,
      topicId: row.topic_id,
      owner,
      kind: row.kind,
      body,
      createdAt: row.created_at,
    };
  });
}

/** The command is carried out, or refused; in the transaction of what it did, where it did something. */
export async function finishInbox(tx: Db, id: string, result: unknown, at: number): Promise<void> {
  await tx
    .updateTable('inbox')
    .set({ taken_at: at, result: toJson(result) })
    .where('id', '=', id)
    .where('taken_at', 'is', null)
    .execute();
}

/** What a command came to; undefined while it waits, or when it is long done. */
export async function inboxResult(db: Db, id: string): Promise<unknown> {
  const row = await db
    .selectFrom('inbox')
    .select('result')
    .where('id', '=', id)
    .where('taken_at', 'is not', null)
    .executeTakeFirst();
  return row?.result ? fromJson(row.result) : undefined;
}

/** Forgets commands that were carried out before a time. */
export async function trimInbox(db: Db, before: number): Promise<void> {
  await db.deleteFrom('inbox').where('taken_at', '<', before).execute();
}
