import { sanitiseText } from '#shared/text/text.ts';
import type { Json } from '#shared/vocabulary/json.ts';
import { fromJson, toJson } from '../database/json.ts';
import type { Db } from '../database/store.ts';

/** A stored value; the caller checks its shape. */
export async function getSetting(db: Db, owner: string, key: string): Promise<Json | undefined> {
  const row = await db
    .selectFrom('settings')
    .select('value')
    .where('owner', '=', owner)
    .where('key', '=', sanitiseText(key))
    .executeTakeFirst();
  return row && (fromJson(row.value) as Json);
}

/** One setting of every owner who has it. */
export async function listSetting(db: Db, key: string): Promise<{ owner: string; value: Json }[]> {
  const rows = await db
    .selectFrom('settings')
    .select(['owner', 'value'])
    .where('key', '=', sanitiseText(key))
    .execute();
  return rows.map(({ owner, value }) => ({ owner, value: fromJson(value) as Json }));
}

/** Stores a JSON value in place of the one before. */
export async function setSetting(
  db: Db,
  owner: string,
  key: string,
  value: unknown,
): Promise<void> {
  const changed = { value: toJson(value), updated_at: Date.now() };
  await db
    .insertInto('settings')
    .values({ owner, key: sanitiseText(key), ...changed })
    .onConflict((conflict) => conflict.columns(['owner', 'key']).doUpdateSet(changed))
    .execute();
}
