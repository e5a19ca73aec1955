import { sql } from 'kysely';
import { readOnly } from './storage-error.ts';
import type { Store } from './store.ts';

/**
 * Asks the database for nothing. Throws what the store throws when it cannot be had, and where a PostgreSQL
 * only reads: nothing could be acknowledged.
 */
export async function ping({ db, dialect }: Pick<Store, 'db' | 'dialect'>): Promise<void> {
  if (dialect === 'sqlite') return void (await sql`select 1`.execute(db));
  const { rows } = await sql<{ only: string }>`
    select current_setting('transaction_read_only') as only`.execute(db);
  if (rows[0]?.only === 'on') throw readOnly();
}
