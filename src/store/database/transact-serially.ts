import { sql } from 'kysely';
import type { Db, Durability, Store } from './store.ts';

/**
 * A transaction that reads what it then replaces: those of the same name wait for each other, in this
 * process and on every other host, so that none undoes what it has not seen. On SQLite all writers do.
 */
export function transactSerially<T>(
  { dialect, transaction }: Pick<Store, 'dialect' | 'transaction'>,
  name: string,
  work: (tx: Db) => Promise<T>,
  durability?: Durability,
): Promise<T> {
  return transaction(async (tx) => {
    if (dialect === 'postgres') await takeTurn(tx, name);
    return work(tx);
  }, durability);
}

/** On PostgreSQL: transactions that take the same turn wait for each other from there to their end. */
export async function takeTurn(tx: Db, name: string): Promise<void> {
  const key = sql`hashtextextended(current_schema() || ' turn ' || ${name}, 0)`;
  await sql`select pg_advisory_xact_lock(${key})`.execute(tx);
}
