import { sanitiseText } from '#shared/text/text.ts';
import type { Json } from '#shared/vocabulary/json.ts';
import { runCached } from '../database/cached-query.ts';
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

/** Stored values by their keys, those that are there; the caller checks their shapes. */
export async function getSettings(
  db: Db,
  owner: string,
  keys: readonly string[],
): Promise<Record<string, unknown>> {
  const { rows } = await runCached<{ key: string; value: string }>(
    db,
    `settings ${keys.length}`,
    [owner, ...keys],
    () =>
      db
        .selectFrom('settings')
        .select(['key', 'value'])
        .where('owner', '=', owner)
        .where('key', 'in', keys),
  );
  return Object.fromEntries(rows.map(({ key, value }) => [key, fromJson(value)]));
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
