import { sql } from 'kysely';
import { transactSerially } from '../database/transact-serially.ts';
import { inSlices } from '../database/slices.ts';
import type { Db, Store } from '../database/store.ts';
import { addToUsage } from './usage-sums.ts';

/** Changes that are added up in one transaction. */
const changesAtOnce = 400;
type Queue = 'usage_changes' | 'storage_changes';
const queues: Queue[] = ['usage_changes', 'storage_changes'];

/**
 * Adds up what triggers wrote down of one owner, in slices. A change leaves its queue in the transaction
 * that adds it: it counts once, whichever process is killed. Those of one owner are added by one host at a time.
 */
export async function addUp(store: Store, owner: string, queue: Queue, signal?: AbortSignal) {
  if (!(await isWaiting(store.db, owner, queue))) return;
  await inSlices(
    () =>
      transactSerially(
        store,
        `sums ${owner}`,
        async (tx) => (await addSlice(tx, owner, queue)) === changesAtOnce,
        'relaxed',
      ),
    signal,
  );
}

/** The same for everybody; a failure with one keeps nobody else waiting. */
export async function addUpAll(store: Store, signal?: AbortSignal): Promise<void> {
  const failures: unknown[] = [];
  for (const queue of queues) {
    let last = '';
    await inSlices(async () => {
      const row = await store.db
        .selectFrom(queue)
        .select('owner')
        .where('owner', '>', last)
        .orderBy('owner')
        .limit(1)
        .executeTakeFirst();
      if (!row) return false;
      last = row.owner;
      await addUp(store, row.owner, queue, signal).catch((error: unknown) => failures.push(error));
      return true;
    }, signal);
  }
  if (failures.length > 0) throw failures[0];
}

async function isWaiting(db: Db, owner: string, queue: Queue): Promise<boolean> {
  const row = await db
    .selectFrom(queue)
    .select('id')
    .where('owner', '=', owner)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

async function addSlice(tx: Db, owner: string, queue: Queue): Promise<number> {
  if (queue === 'storage_changes') return await addToStorage(tx, owner);
  const changes = await tx
    .selectFrom('usage_changes')
    .selectAll()
    .where('owner', '=', owner)
    .orderBy('id')
    .limit(changesAtOnce)
    .execute();
  const last = changes.at(-1);
  if (!last) return 0;
  await addToUsage(tx, owner, changes);
  await tx
    .deleteFrom('usage_changes')
    .where('owner', '=', owner)
    .where(
      'id',
      'in',
      changes.map(({ id }) => id),
    )
    .execute();
  return changes.length;
}

async function addToStorage(tx: Db, owner: string): Promise<number> {
  const sum = { messages: 0, bytes: 0, files: 0, file_bytes: 0 };
  const { rows } = await sql<typeof sum>`
    delete from storage_changes where id in (
      select id from storage_changes where owner = ${owner} order by id limit ${changesAtOnce}
    ) and owner = ${owner} returning messages, bytes, files, file_bytes`.execute(tx);
  const names = Object.keys(sum) as (keyof typeof sum)[];
  for (const row of rows) for (const name of names) sum[name] += row[name];
  if (rows.length === 0) return 0;
  await tx
    .insertInto('storage_sums')
    .values({ owner, ...sum })
    .onConflict((conflict) =>
      conflict.column('owner').doUpdateSet({
        messages: sql`storage_sums.messages + ${sum.messages}`,
        bytes: sql`storage_sums.bytes + ${sum.bytes}`,
        files: sql`storage_sums.files + ${sum.files}`,
        file_bytes: sql`storage_sums.file_bytes + ${sum.file_bytes}`,
      }),
    )
    .execute();
  return rows.length;
}
