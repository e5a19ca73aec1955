import { clockSkewMs } from '#shared/async/clock.ts';
import type { Db } from '../database/store.ts';

/** A sign-in at the identity provider that is under way. `sealed` is what only the host may read. */
export interface SignInFlow {
  stateHash: string;
  /** The browser that began it; no other one can finish it. */
  browserHash: string;
  sealed: string;
  expiresAt: number;
}

/** How many may be under way; each takes a person some seconds, and anybody can begin one. */
const maxFlows = 10_000;

/**
 * Keeps a flow; those that have run out are forgotten, and those that would run out later than this one:
 * they were begun before the clock was set back. Where there are too many, the oldest give way: nobody can
 * keep others out by beginning as many as there may be.
 */
export async function insertFlow(db: Db, flow: SignInFlow, now: number): Promise<void> {
  await db
    .deleteFrom('sign_in_flows')
    .where((where) =>
      where.or([
        where('expires_at', '<=', now),
        where('expires_at', '>', flow.expiresAt + clockSkewMs),
      ]),
    )
    .execute();
  const { count } = await db
    .selectFrom('sign_in_flows')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count >= maxFlows) await forgetOldest(db, count - maxFlows + 1);
  await db
    .insertInto('sign_in_flows')
    .values({
      state_hash: flow.stateHash,
      browser_hash: flow.browserHash,
      sealed: flow.sealed,
      expires_at: flow.expiresAt,
    })
    .execute();
}

async function forgetOldest(db: Db, count: number): Promise<void> {
  const oldest = db.selectFrom('sign_in_flows').select('state_hash').orderBy('expires_at');
  await db.deleteFrom('sign_in_flows').where('state_hash', 'in', oldest.limit(count)).execute();
}

/** Reads and removes in one step: of several takers exactly one gets it. */
export async function takeFlow(
  db: Db,
  stateHash: string,
  now: number,
): Promise<SignInFlow | undefined> {
  const row = await db
    .deleteFrom('sign_in_flows')
    .where('state_hash', '=', stateHash)
    .returning([
      'state_hash as stateHash',
      'browser_hash as browserHash',
      'sealed',
      'expires_at as expiresAt',
    ])
    .executeTakeFirst();
  return row && row.expiresAt > now ? row : undefined;
}

/** Puts what `reseal` makes of it in the place of what each flow sealed; how many there were. */
export async function replaceSealedFlows(
  tx: Db,
  reseal: (sealed: string, stateHash: string) => string,
): Promise<number> {
  const rows = await tx.selectFrom('sign_in_flows').select(['state_hash', 'sealed']).execute();
  for (const { state_hash: hash, sealed } of rows)
    await tx
      .updateTable('sign_in_flows')
      .set({ sealed: reseal(sealed, hash) })
      .where('state_hash', '=', hash)
      .execute();
  return rows.length;
}
