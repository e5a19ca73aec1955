import { type CatalogueLimit, catalogueLimitSchema } from '#shared/api/registry-api.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { InstalledFrom } from '#shared/vocabulary/server/installed-from.ts';
import type { ServerRecord } from '#shared/vocabulary/server.ts';
import { getSetting, setSetting } from '#store/configuration/settings.ts';
import type { Db } from '#store/database/store.ts';
import { localOwner } from '../people/users.ts';

const limitKey = 'catalogueLimit';

/** What users who are no admins can install; undefined if nothing limits them. */
export async function readLimit(db: Db): Promise<CatalogueLimit | undefined> {
  return catalogueLimitSchema.safeParse(await getSetting(db, localOwner, limitKey)).data;
}

export async function setLimit(tx: Db, limit: CatalogueLimit | null): Promise<void> {
  await setSetting(tx, localOwner, limitKey, limit);
}

export function isListed(
  limit: CatalogueLimit | undefined,
  { registry, name }: Pick<InstalledFrom, 'registry' | 'name'>,
): boolean {
  if (!limit || limit.registries.includes(registry)) return true;
  return limit.entries.some((one) => one.registry === registry && one.name === name);
}

/**
 * For everyone but admins: refuses servers that are not on the admins' list. What somebody enters by hand is on no list.
 */
export async function assertListed(
  db: Db,
  records: readonly Pick<ServerRecord, 'config' | 'installedFrom'>[],
): Promise<void> {
  const limit = await readLimit(db);
  if (!limit) return;
  for (const { installedFrom } of records)
    if (!installedFrom || !isListed(limit, installedFrom)) throw notListed();
}

export function notListed(): CeriseError {
  return new CeriseError(
    'admin_only',
    say('server-not-listed')`An admin has limited which servers can be added.`,
    {
      hint: say('server-not-listed-hint')`Choose one from Discover, or request it from an admin.`,
    },
  );
}
