import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { sanitiseText } from '#shared/text/text.ts';
import type { Db } from '../database/store.ts';
import { findDead } from './leases.ts';

/** The stored answer to a request that was made before. */
export interface StoredAnswer {
  status: number;
  body: string;
}

/** A request that carries a key, and who works on it. */
export interface Claim {
  owner: string;
  key: string;
  /** Of everything that makes the request what it is. */
  requestHash: string;
  /** The host that works on it. */
  instance: string;
}

/** Milliseconds that a key is remembered. */
export const keyMemoryMs = 24 * 60 * 60 * 1000;
/** Longer than any request runs: who began it and has not finished by then has lost it. */
const abandonedMs = 15 * 60 * 1000;

/**
 * Claims a key for a request. Where the effect is one transaction, call `finishIdempotent` in it: a crash
 * then leaves neither. A claim that was never finished is free again after a restart (SQLite), when
 * `freeDeadClaim` finds its host gone (PostgreSQL), or after a quarter of an hour. `runningOn` names the
 * host that has it.
 */
export async function beginIdempotent(
  db: Db,
  { owner, key, requestHash, instance }: Claim,
  now = Date.now(),
): Promise<'new' | 'mismatch' | { runningOn: string | undefined } | StoredAnswer> {
  await forgetOld(db, owner, key, now);
  const claimed = await db
    .insertInto('idempotency')
    .values({
      owner,
      key: sanitiseText(key),
      request_hash: requestHash,
      status: null,
      body: null,
      instance,
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(['owner', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst();
  if (claimed) return 'new';
  const row = await db
    .selectFrom('idempotency')
    .selectAll()
    .where('owner', '=', owner)
    .where('key', '=', sanitiseText(key))
    .executeTakeFirst();
  // Between the two statements the first request failed and gave the key back.
  if (!row) return { runningOn: undefined };
  if (row.request_hash !== requestHash) return 'mismatch';
  if (row.status === null) return { runningOn: row.instance ?? undefined };
  return { status: row.status, body: row.body ?? '' };
}

/** Frees a claim whose host is gone. Whatever that host may still want to commit with it is undone. */
export async function freeDeadClaim(
  db: Db,
  { owner, key }: Pick<Claim, 'owner' | 'key'>,
  instance: string,
): Promise<void> {
  const dead = await findDead(db, [instance]);
  if (!dead.has(instance)) return;
  await db
    .deleteFrom('idempotency')
    .where('owner', '=', owner)
    .where('key', '=', sanitiseText(key))
    .where('status', 'is', null)
    .where('instance', '=', instance)
    .execute();
}

/** Keeps the answer for repeats; without one the key is free again (the request failed, nothing was done). */
export async function finishIdempotent(
  tx: Db,
  { owner, key, instance }: Pick<Claim, 'owner' | 'key' | 'instance'>,
  answer?: StoredAnswer,
): Promise<void> {
  const clean = sanitiseText(key);
  if (!answer) {
    await tx
      .deleteFrom('idempotency')
      .where('owner', '=', owner)
      .where('key', '=', clean)
      .where('status', 'is', null)
      .where('instance', '=', instance)
      .execute();
    return;
  }
  const { numUpdatedRows } = await tx
    .updateTable('idempotency')
    .set({ status: answer.status, body: sanitiseText(answer.body) })
    .where('owner', '=', owner)
    .where('key', '=', clean)
    .where('status', 'is', null)
    .where('instance', '=', instance)
    .executeTakeFirst();
  // The claim lapsed and someone else holds it: committing now could do the thing twice.
  if (numUpdatedRows === 0n) {
    throw new CeriseError(
      'conflict',
      say('request-given-up')`This request took too long and was cancelled.`,
    );
  }
}

/** For the one process of a SQLite database: the process that began these requests is gone. */
export async function clearUnfinishedIdempotent(db: Db): Promise<void> {
  await db.deleteFrom('idempotency').where('status', 'is', null).execute();
}

async function forgetOld(db: Db, owner: string, key: string, now: number): Promise<void> {
  await db
    .deleteFrom('idempotency')
    .where('created_at', '<', now - keyMemoryMs)
    .execute();
  await db
    .deleteFrom('idempotency')
    .where('owner', '=', owner)
    .where('key', '=', sanitiseText(key))
    .where('status', 'is', null)
    .where('created_at', '<', now - abandonedMs)
    .execute();
}
