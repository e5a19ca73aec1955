import type { Role, SignInMethod } from '#shared/api/people-api.ts';
import { clockSkewMs } from '#shared/async/clock.ts';
import { sanitiseText } from '#shared/text/text.ts';
import type { Db } from '../database/store.ts';

/** A browser that is signed in. Only the hash of its token is stored. */
export interface SignIn {
  id: string;
  tokenHash: string;
  userId: string;
  method: SignInMethod;
  browser?: string;
  createdAt: number;
  expiresAt: number;
  lastSeenAt: number;
  /** When its token was last replaced. */
  rotatedAt: number;
}

/** A sign-in with whose it is. */
export type SignInWithRole = SignIn & { role: Role };

export async function insertSignIn(db: Db, signIn: SignIn): Promise<void> {
  await db
    .insertInto('sign_ins')
    .values({
      id: signIn.id,
      token_hash: signIn.tokenHash,
      user_id: signIn.userId,
      method: signIn.method,
      browser: signIn.browser === undefined ? null : sanitiseText(signIn.browser),
      created_at: signIn.createdAt,
      expires_at: signIn.expiresAt,
      last_seen_at: signIn.lastSeenAt,
      rotated_at: signIn.rotatedAt,
      previous_hash: null,
    })
    .execute();
}

/**
 * The sign-in of a token, unless it has run out or its person may not come in. A token that was replaced
 * after `graceFrom` is still good: requests may be under way with it.
 */
export async function findSignIn(
  db: Db,
  tokenHash: string,
  times: { now: number; seenFrom: number; graceFrom: number },
): Promise<SignInWithRole | undefined> {
  const row = await selectSignIns(db)
    .innerJoin('users', 'users.id', 'sign_ins.user_id')
    .select('users.role')
    .where('users.disabled', '=', 0)
    .where('sign_ins.expires_at', '>', times.now)
    .where('sign_ins.last_seen_at', '>', times.seenFrom)
    .where((where) =>
      where.or([
        where('token_hash', '=', tokenHash),
        where.and([
          where('previous_hash', '=', tokenHash),
          where('rotated_at', '>', times.graceFrom),
          where('rotated_at', '<=', times.now + clockSkewMs),
        ]),
      ]),
    )
    .executeTakeFirst();
  return row && { ...toSignIn(row), role: row.role };
}

/** Those of a person that have not run out, the newest first. */
export async function listSignIns(db: Db, userId: string, now: number): Promise<SignIn[]> {
  const rows = await selectSignIns(db)
    .where('user_id', '=', userId)
    .where('sign_ins.expires_at', '>', now)
    .orderBy('sign_ins.created_at', 'desc')
    .orderBy('sign_ins.id')
    .execute();
  return rows.map(toSignIn);
}

export async function touchSignIn(db: Db, id: string, now: number): Promise<void> {
  await db.updateTable('sign_ins').set({ last_seen_at: now }).where('id', '=', id).execute();
}

/** Gives other times to a sign-in that was last seen at `before`; the token it had before the present one is void. */
export async function setBackSignIn(
  db: Db,
  id: string,
  before: number,
  times: Pick<SignIn, 'lastSeenAt' | 'rotatedAt' | 'expiresAt'>,
): Promise<void> {
  await db
    .updateTable('sign_ins')
    .set({
      last_seen_at: times.lastSeenAt,
      rotated_at: times.rotatedAt,
      expires_at: times.expiresAt,
      previous_hash: null,
    })
    .where('id', '=', id)
    .where('last_seen_at', '=', before)
    .execute();
}

/** Replaces a token; the old one is kept for a moment or is void. False if it was replaced in the meantime. */
export async function rotateSignIn(
  db: Db,
  change: { from: string; to: string; now: number; keepOld: boolean },
): Promise<boolean> {
  const { from, to, now, keepOld } = change;
  const { numUpdatedRows } = await db
    .updateTable('sign_ins')
    .set({ token_hash: to, previous_hash: keepOld ? from : null, rotated_at: now })
    .where('token_hash', '=', from)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Ends one sign-in of a person. False if there is no such one. */
export async function deleteSignIn(db: Db, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sign_ins')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Ends all sign-ins of a person, or all but one. */
export async function deleteSignIns(db: Db, userId: string, except = ''): Promise<void> {
  await db.deleteFrom('sign_ins').where('user_id', '=', userId).where('id', '!=', except).execute();
}

/** Forgets what has run out, and of a person all but the newest `most`. */
export async function tidySignIns(
  tx: Db,
  userId: string,
  now: number,
  most: number,
): Promise<void> {
  await tx.deleteFrom('sign_ins').where('expires_at', '<=', now).execute();
  const beyond = (await listSignIns(tx, userId, now)).slice(most).map(({ id }) => id);
  if (beyond.length > 0) await tx.deleteFrom('sign_ins').where('id', 'in', beyond).execute();
}

function selectSignIns(db: Db) {
  return db
    .selectFrom('sign_ins')
    .select([
      'sign_ins.id',
      'sign_ins.token_hash',
      'sign_ins.user_id',
      'sign_ins.method',
      'sign_ins.browser',
      'sign_ins.created_at',
      'sign_ins.expires_at',
      'sign_ins.last_seen_at',
      'sign_ins.rotated_at',
    ]);
}

function toSignIn(row: {
  id: string | null;
  token_hash: string;
  user_id: string;
  method: SignInMethod;
  browser: string | null;
  created_at: number;
  expires_at: number;
  last_seen_at: number | null;
  rotated_at: number | null;
}): SignIn {
  return {
    id: row.id ?? '',
    tokenHash: row.token_hash,
    userId: row.user_id,
    method: row.method,
    ...(row.browser !== null && { browser: row.browser }),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastSeenAt: row.last_seen_at ?? row.created_at,
    rotatedAt: row.rotated_at ?? row.created_at,
  };
}
