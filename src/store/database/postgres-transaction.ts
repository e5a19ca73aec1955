import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { CeriseError } from '#shared/errors/errors.ts';
import { fault } from '#shared/errors/fault.ts';
import { say } from '#shared/errors/sentence.ts';
import { CommitInDoubt } from './commit-in-doubt.ts';
import type { Db, Durability } from './store.ts';

/** Milliseconds for which a database that was lost in a commit is asked what became of it. */
const askForMs = 2_000;
const askIntervalMs = 100;

/**
 * All or nothing. A connection that is lost while it commits does not tell whether it did: then the
 * database is asked, so that what happened is not reported as failed. Throws CommitInDoubt where it
 * cannot be asked for longer than a moment.
 */
export async function transact<T>(
  db: Db,
  work: (tx: Db) => Promise<T>,
  durability: Durability,
): Promise<T> {
  const ended: { as?: { result: T; id: string | null } } = {};
  try {
    const result = await db.transaction().execute(async (tx) => {
      if (durability === 'relaxed') await sql`set local synchronous_commit = off`.execute(tx);
      const done = await work(tx);
      ended.as = { result: done, id: await transactionId(tx) };
      await fault('before-commit');
      return done;
    });
    await fault('after-commit');
    return result;
  } catch (error) {
    // Without an id nothing was written, so nothing can have happened.
    if (!ended.as?.id) throw error;
    const { id, result } = ended.as;
    if (await ask(() => didCommit(db, id), error, result)) return result;
    throw error;
  }
}

async function ask(
  happened: () => Promise<boolean>,
  cause: unknown,
  result: unknown,
): Promise<boolean> {
  const deadline = performance.now() + askForMs;
  do {
    try {
      return await happened();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
    await setTimeout(askIntervalMs);
  } while (performance.now() < deadline);
  throw new CommitInDoubt(cause, result, happened);
}

/** Of a transaction that has written something; else null. */
async function transactionId(tx: Db): Promise<string | null> {
  const { rows } = await sql<{ id: string | null }>`
    select pg_current_xact_id_if_assigned()::text as id`.execute(tx);
  return rows[0]?.id ?? null;
}

/** Whether a transaction is committed. Throws `storage_unavailable` while it still runs. */
export async function didCommit(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql<{ status: string | null }>`
    select pg_xact_status(${id}::xid8) as status`
    .execute(db)
    .catch((error: unknown) => {
      if (isUnknownTransaction(error)) return { rows: [] };
      throw error;
    });
  const status = rows[0]?.status;
  if (status === 'in progress')
    throw new CeriseError(
      'storage_unavailable',
      say('postgres-busy')`PostgreSQL is still working on this.`,
    );
  return status === 'committed';
}

/** After a change to a copy of the database that never heard of the transaction. */
function isUnknownTransaction(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === '22023';
}

function isUnavailable(error: unknown): boolean {
  return error instanceof CeriseError && error.code === 'storage_unavailable';
}
