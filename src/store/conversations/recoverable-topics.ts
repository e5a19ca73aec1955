import { sql } from 'kysely';
import { inSlices, usualSlice } from '../database/slices.ts';
import type { Db, Store } from '../database/store.ts';
import { deleteTopicEvents } from './events.ts';
import { hiddenOwners, recoverableOf, recoverableOwner } from './hidden-topics.ts';
import { deleteTopic, topicOwner } from './topics.ts';

/**
 * Hides a topic from everybody until a time, after which it is deleted unless it was restored. What other hosts
 * wanted of it is forgotten. False if the owner has no such topic.
 */
export async function hideTopic(
  tx: Db,
  owner: string,
  id: string,
  until: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('topics')
    .set({ owner: recoverableOwner(until, owner) })
    .where('id', '=', id)
    .where('owner', '=', owner)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await tx.deleteFrom('inbox').where('topic_id', '=', id).where('taken_at', 'is', null).execute();
  return true;
}

/** Shows a topic again that is hidden. False if the owner has none of this id, or its time is over. */
export async function restoreTopic(tx: Db, owner: string, id: string): Promise<boolean> {
  const hidden = await topicOwner(tx, id);
  if (hidden === undefined || recoverableOf(hidden) !== owner) return false;
  const { numUpdatedRows } = await tx
    .updateTable('topics')
    // Its last event said that it is gone: viewers from before that get all of it again.
    .set((eb) => ({ owner, floor_seq: eb('next_seq', '-', 1) }))
    .where('id', '=', id)
    .where('owner', '=', hidden)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await deleteTopicEvents(tx, id);
  return true;
}

/** Deletes what was hidden until now, of anybody, or all that is hidden of one owner; its rows are swept later. */
export async function expireTopics(
  store: Pick<Store, 'transaction' | 'db'>,
  which: { now: number } | { owner: string },
  onExpired: (topicId: string) => void = () => undefined,
  signal?: AbortSignal,
): Promise<void> {
  await inSlices(async () => {
    const topics = await nextHidden(store.db, which);
    for (const { owner, id } of topics)
      if (await store.transaction((tx) => deleteTopic(tx, owner, id))) onExpired(id);
    return topics.length > 0;
  }, signal);
}

async function nextHidden(
  db: Db,
  which: { now: number } | { owner: string },
): Promise<{ owner: string; id: string }[]> {
  const { from, before } = hiddenOwners.recoverable;
  const isDue =
    'now' in which
      ? sql<boolean>`owner < ${recoverableOwner(which.now, '')}`
      : sql<boolean>`owner < ${before} and substr(owner, ${from.length + 32}) = ${which.owner}`;
  const hidden = db.selectFrom('topics').select(['owner', 'id']).where('owner', '>=', from);
  return await hidden.where(isDue).orderBy('owner').limit(usualSlice.rows).execute();
}
