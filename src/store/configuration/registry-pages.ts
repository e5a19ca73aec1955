import type { Json } from '#shared/vocabulary/json.ts';
import { fromJson, toJson } from '../database/json.ts';
import { othersFirst } from '../database/slices.ts';
import type { Db } from '../database/store.ts';

/** Puts a new copy of a registry in the place of the one before, page by page. */
export async function replacePages(
  tx: Db,
  registry: string,
  pages: readonly unknown[][],
): Promise<void> {
  await tx.deleteFrom('registry_pages').where('registry', '=', registry).execute();
  for (const [page, entries] of pages.entries()) {
    await tx
      .insertInto('registry_pages')
      .values({ registry, page, entries: toJson(entries) })
      .execute();
    await othersFirst();
  }
}

/** One page of a copy; undefined after the last. The caller checks its shape. */
export async function readPage(db: Db, registry: string, page: number): Promise<Json | undefined> {
  const row = await db
    .selectFrom('registry_pages')
    .select('entries')
    .where('registry', '=', registry)
    .where('page', '=', page)
    .executeTakeFirst();
  return row && (fromJson(row.entries) as Json);
}
