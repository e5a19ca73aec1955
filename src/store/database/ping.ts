import { sql } from 'kysely';
import type { Store } from './store.ts';

/** Asks the database for nothing. Throws what the store throws when it cannot be had. */
export async function ping({ db }: Store): Promise<void> {
  await sql`select 1`.execute(db);
}
