import type { Logger } from '#shared/vocabulary/ports.ts';
import { clearUnfinishedIdempotent } from './conversations/idempotency.ts';
import { makeDataFolder } from './database/data-folder.ts';
import { openSqlite, usableFolder } from './database/sqlite.ts';
import type { Store } from './database/store.ts';

/** Where the data lives. Without `databaseUrl` it is SQLite in `home`. */
export interface StoreOptions {
  home: string;
  databaseUrl?: string | undefined;
  logger?: Logger;
}

/**
 * Opens the database and brings it up to date. Throws CeriseError `data_in_use`, `data_unreadable` or
 * `storage_unavailable`.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { home, databaseUrl } = options;
  if (!databaseUrl) return await openAlone(home);
  usableFolder(home, () => makeDataFolder(home));
  // Its driver is for those who use it.
  const { openPostgres } = await import('./database/postgres.ts');
  return await openPostgres({ ...options, databaseUrl });
}

/** SQLite has one process: what an earlier one had begun and not finished nobody works on. */
async function openAlone(home: string): Promise<Store> {
  const store = await openSqlite(home);
  try {
    await clearUnfinishedIdempotent(store.db);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}
