import type { Logger } from '#shared/ports.ts';
import { makeDataFolder } from './data-folder.ts';
import { clearUnfinishedIdempotent } from './idempotency.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite, usableFolder } from './sqlite.ts';
import type { Store } from './store.ts';

/** Where the data lives. Without `databaseUrl` it is SQLite in `home`. */
export interface StoreOptions {
  home: string;
  databaseUrl?: string;
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
