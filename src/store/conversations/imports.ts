import { fromJson, toJson } from '../database/json.ts';
import { usualSlice } from '../database/slices.ts';
import type { Db } from '../database/store.ts';
import type { Tables } from '../tables/tables.ts';
import { readRows } from '../database/unreadable-rows.ts';
import { importedOwner, sweptOwner } from './hidden-topics.ts';

/** What an import names that is called otherwise here, by the name in the file. */
export interface ImportNames {
  assistants: Record<string, string>;
  servers: Record<string, string>;
}

/** An import whose topics nobody sees yet. */
export interface StagedImport {
  id: string;
  owner: string;
}

/** One that somebody left, as it was found, with its names if it is whole. */
export type UnfinishedImport = StagedImport & {
  state: Tables['imports']['state'];
  /** When somebody worked on it last; absent where that does not matter. */
  seenAt?: number;
  names?: ImportNames;
};

/** What something of the file is called here. Any word may be a name, also one that every object knows. */
export function calledHere(names: Record<string, string>, name: string): string {
  return (Object.hasOwn(names, name) ? names[name] : undefined) ?? name;
}

/** Nothing is called otherwise. */
export function noNames(): ImportNames {
  return { assistants: Object.create(null), servers: Object.create(null) };
}

export async function insertImport(db: Db, { id, owner }: StagedImport, at: number): Promise<void> {
  const row = { id, owner, state: 'staging' as const, names: null, seen_at: at };
  await db.insertInto('imports').values(row).execute();
}

/** Part of each slice: false if the import was taken for dead in the meantime, so that nothing may follow. */
export async function touchImport(tx: Db, id: string, at: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('imports')
    .set({ seen_at: at })
    .where('id', '=', id)
    .where('state', '=', 'staging')
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** From the commit on the import happened: any host that finds it shows all of it. */
export async function wholeImport(tx: Db, id: string, names: ImportNames): Promise<void> {
  const change = { state: 'whole' as const, names: toJson(names), seen_at: 0 };
  await tx.updateTable('imports').set(change).where('id', '=', id).execute();
}

/**
 * From the commit on nothing of the import is ever seen; what it brought is to be swept. False, and nothing
 * changed, if it is not unfinished any more, or if somebody worked on it after it was `seenAt`.
 */
export async function abandonImport(
  tx: Db,
  { id, seenAt }: { id: string; seenAt?: number },
): Promise<boolean> {
  let update = tx
    .updateTable('imports')
    .set({ state: 'gone', seen_at: 0 })
    .where('id', '=', id)
    .where('state', '=', 'staging');
  if (seenAt !== undefined) update = update.where('seen_at', '=', seenAt);
  const { numUpdatedRows } = await update.executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The imports of an owner, or those that nobody has worked on since a time. */
export async function unfinishedImports(
  db: Db,
  of: { owner: string } | { since: number },
): Promise<UnfinishedImport[]> {
  const query = db.selectFrom('imports').select(['id', 'owner', 'state', 'names', 'seen_at']);
  const rows = await (
    'owner' in of ? query.where('owner', '=', of.owner) : query.where('seen_at', '<', of.since)
  ).execute();
  return readRows(db, 'imports', rows, ({ names, seen_at: seenAt, ...rest }) => ({
    ...rest,
    seenAt,
    ...(names !== null && { names: fromJson(names) as ImportNames }),
  }));
}

/** A few of the topics that the import has brought and that nobody sees. */
export async function stagedTopics(tx: Db, { id, owner }: StagedImport): Promise<string[]> {
  const rows = await tx
    .selectFrom('topics')
    .select('id')
    .where('owner', '=', importedOwner(id, owner))
    .orderBy('id')
    .limit(usualSlice.rows)
    .execute();
  return rows.map((row) => row.id);
}

/** Makes a few topics of an import that is gone ones to be swept; false, and it is over, if there are none. */
export async function sweepImportSlice(tx: Db, staged: StagedImport): Promise<boolean> {
  const ids = await stagedTopics(tx, staged);
  if (ids.length === 0) await removeImport(tx, staged.id);
  else
    await tx
      .updateTable('topics')
      .set({ owner: sweptOwner(staged.owner) })
      .where('id', 'in', ids)
      .where('owner', '=', importedOwner(staged.id, staged.owner))
      .execute();
  return ids.length > 0;
}

/** Nothing of the import is hidden any more. */
export async function removeImport(db: Db, id: string): Promise<void> {
  await db.deleteFrom('imports').where('id', '=', id).execute();
}
