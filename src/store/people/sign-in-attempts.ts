import { sql } from 'kysely';
import { clockSkewMs } from '#shared/async/clock.ts';
import type { Db } from '../database/store.ts';

/** How patient one is with failures: the first ones are free, then each doubles the wait. */
export interface Patience {
  free: number;
  /** Milliseconds. */
  firstWait: number;
  doublings: number;
}

/**
 * Counts an attempt before it is judged, unless it comes too early: then nothing is counted and it is
 * false. A last one that lies ahead, since the clock was set back, is no reason to wait. One statement, so that guesses at the same moment, on whatever host, all count.
 */
export async function tryAttempt(
  db: Db,
  key: string,
  patience: Patience,
  now: number,
): Promise<boolean> {
  const { free, firstWait, doublings } = patience;
  const failures = sql.ref<number>('sign_in_attempts.failures');
  const wait = sql<number>`case
    when ${failures} < ${sql.lit(free)} then 0
    when ${failures} - ${sql.lit(free)} >= ${sql.lit(doublings)}
      then ${sql.lit(firstWait * 2 ** doublings)}
    else ${sql.lit(firstWait)} * (1 << (${failures} - ${sql.lit(free)})) end`;
  const counted = await db
    .insertInto('sign_in_attempts')
    .values({ key, failures: 1, last_at: now })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({ failures: sql`${failures} + 1`, last_at: now })
        .where(
          sql<boolean>`sign_in_attempts.last_at + ${wait} <= ${now}
            or sign_in_attempts.last_at > ${now + clockSkewMs}`,
        ),
    )
    .returning('key')
    .executeTakeFirst();
  return counted !== undefined;
}

/** It was no failure after all. */
export async function forgiveAttempt(db: Db, key: string): Promise<void> {
  await db
    .updateTable('sign_in_attempts')
    .set({ failures: sql`failures - 1` })
    .where('key', '=', key)
    .where('failures', '>', 0)
    .execute();
}

export async function forgetAttempts(db: Db, key: string): Promise<void> {
  await db.deleteFrom('sign_in_attempts').where('key', '=', key).execute();
}

/** Forgets keys without a recent attempt. */
export async function forgetOldAttempts(db: Db, before: number): Promise<void> {
  await db.deleteFrom('sign_in_attempts').where('last_at', '<', before).execute();
}
