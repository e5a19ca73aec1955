import { importedOwner, sweptOwner } from './hidden-topics.ts';
import { fromJson, toJson } from './json.ts';
import { usualSlice } from './slices.ts';
import type { Db } from './store.ts';

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

/** One that somebody left, with its names if it is whole. */
export type LeftImport = StagedImport & { names?: ImportNames };

export async function insertImport(db: Db, { id, owner }: StagedImport, at: number): Promise<void> {
  const row = { id, owner, state: 'staging' as const, names: null, seen_at: at };
  await db.insertInto('imports').values(row).execute();
}

/** Part of each slice: false if somebody took the import for dead meanwhile, so that nothing may follow. */
export async function touchImport(tx: Db, id: string, at: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('imports')
    .set({ seen_at: at })
    .where('id', '=', id)
    .where('state', '=', 'staging')
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** From the commit on the import happened: whoever finds it shows all of it, at once if need be. */
export async function wholeImport(tx: Db, id: string, names: ImportNames): Promise<void> {
  const change = { state: 'whole' as const, names: toJson(names), seen_at: 0 };
  await tx.updateTable('imports').set(change).where('id', '=', id).execute();
}

/** From the commit on nothing of the import is ever seen; what it brought is to be swept. */
export async function abandonImport(tx: Db, id: string): Promise<void> {
  await tx
    .updateTable('imports')
    .set({ state: 'gone', seen_at: 0 })
    .where('id', '=', id)
    .where('state', '=', 'staging')
    .execute();
}

/** The imports of an owner, or those that nobody has worked on since a time. */
export async function leftImports(
  db: Db,
  of: { owner: string } | { since: number },
): Promise<LeftImport[]> {
  const query = db.selectFrom('imports').select(['id', 'owner', 'names']);
  const rows = await (
    'owner' in of ? query.where('owner', '=', of.owner) : query.where('seen_at', '<', of.since)
  ).execute();
  return rows.map(({ names, ...rest }) => ({
    ...rest,
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
      .execute();
  return ids.length > 0;
}

/** Nothing of the import is hidden any more. */
export async function removeImport(db: Db, id: string): Promise<void> {
  await db.deleteFrom('imports').where('id', '=', id).execute();
}
