import { sql } from 'kysely';
import type { StorageView } from '#shared/api/data-api.ts';
import type { Db, Store } from '../database/store.ts';
import { isListed } from '../conversations/topics.ts';
import { addUp } from './sums.ts';

/** How much is kept of an owner; the same bytes count once. What was deleted counts until it is swept. */
export async function storageOf(
  store: Store,
  owner: string,
): Promise<Omit<StorageView, 'allowedBytes'>> {
  await addUp(store, owner, 'storage_changes');
  const topics = await store.db
    .selectFrom('topics')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('owner', '=', owner)
    .where(isListed)
    .executeTakeFirst();
  const sums = await sumsOf(store.db, owner);
  return {
    topics: topics?.count ?? 0,
    messages: sums?.messages ?? 0,
    conversationBytes: sums?.bytes ?? 0,
    files: sums?.files ?? 0,
    fileBytes: sums?.file_bytes ?? 0,
  };
}

/** About how many bytes are kept of an owner: what changed in the last seconds may be missing. */
export async function storedBytes(db: Db, owner: string): Promise<number> {
  const sums = await sumsOf(db, owner);
  return sums ? sums.bytes + sums.file_bytes : 0;
}

/** The same with what changed in the last seconds, as far as it is in this transaction or committed. */
export async function storedBytesNow(tx: Db, owner: string): Promise<number> {
  const { bytes } = await tx
    .selectFrom('storage_changes')
    .select(sql<number | string>`coalesce(sum(bytes + file_bytes), 0)`.as('bytes'))
    .where('owner', '=', owner)
    .executeTakeFirstOrThrow();
  return (await storedBytes(tx, owner)) + Number(bytes);
}

async function sumsOf(db: Db, owner: string) {
  return await db
    .selectFrom('storage_sums')
    .selectAll()
    .where('owner', '=', owner)
    .executeTakeFirst();
}
