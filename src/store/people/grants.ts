import type { Selectable } from 'kysely';
import type { Role } from '#shared/api/people-api.ts';
import { clockSkewMs } from '#shared/async/clock.ts';
import { sanitiseText } from '#shared/text/text.ts';
import type { ServerLimit } from '#shared/vocabulary/server-limit.ts';
import { listFromJson, toJsonOrNull } from '../database/json.ts';
import type { Db } from '../database/store.ts';
import { readRows } from '../database/unreadable-rows.ts';
import type { GrantsTable } from '../tables/people-tables.ts';

/** What somebody allowed a program: the servers it may use through `/mcp`, for as long as it refreshes its token. */
export interface Grant {
  id: string;
  owner: string;
  programId: string;
  programName: string;
  redirectUri: string;
  /** The path its tokens are good for. */
  resource: string;
  /** The servers it is limited to. */
  servers?: ServerLimit[];
  /** The SHA-256 of the verifier that has to come with the code. */
  challenge: string;
  createdAt: number;
  lastUsedAt?: number;
  /** The end of the code; once that was used, of the last refresh token. */
  expiresAt: number;
}

/** Keeps a consent with the hash of its code. */
export async function insertGrant(tx: Db, grant: Grant, codeHash: string): Promise<void> {
  await tx
    .insertInto('grants')
    .values({
      id: grant.id,
      owner: grant.owner,
      program_id: grant.programId,
      program_name: sanitiseText(grant.programName),
      redirect_uri: grant.redirectUri,
      resource: grant.resource,
      limited: toJsonOrNull(grant.servers),
      code_hash: codeHash,
      challenge: grant.challenge,
      created_at: grant.createdAt,
      expires_at: grant.expiresAt,
    })
    .execute();
}

/**
 * Forgets grants that have ended, and codes that end later than one of now: the clock was set back since. Of somebody
 * all but the `most` that were used last.
 */
export async function tidyGrants(
  tx: Db,
  owner: string,
  most: number,
  times: { now: number; codeTime: number },
): Promise<void> {
  const { now, codeTime } = times;
  await tx
    .deleteFrom('grants')
    .where((where) =>
      where.or([
        where('expires_at', '<=', now),
        where.and([
          where('redeemed_at', 'is', null),
          where('expires_at', '>', now + codeTime + clockSkewMs),
        ]),
      ]),
    )
    .execute();
  const own = await tx
    .selectFrom('grants')
    .select(['id', 'created_at', 'last_used_at'])
    .where('owner', '=', owner)
    .execute();
  const beyond = own
    .toSorted((a, b) => (b.last_used_at ?? b.created_at) - (a.last_used_at ?? a.created_at))
    .slice(most)
    .map(({ id }) => id);
  if (beyond.length > 0) await tx.deleteFrom('grants').where('id', 'in', beyond).execute();
  await tx
    .deleteFrom('access_tokens')
    .where('grant_id', 'not in', tx.selectFrom('grants').select('id'))
    .execute();
}

/** The programs that somebody has connected, the newest first. */
export async function listGrants(db: Db, owner: string, now: number): Promise<Grant[]> {
  const rows = await db
    .selectFrom('grants')
    .selectAll()
    .where('owner', '=', owner)
    .where('redeemed_at', 'is not', null)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  // One that cannot be read is shown as one for nothing, so that it can be ended.
  return readRows(db, 'grants', rows, toGrant, (row) => [toGrant({ ...row, limited: '[]' })]);
}

/** Uses a code up, in one step: of several takers, on whatever host, exactly one gets the grant. */
export async function redeemGrant(
  tx: Db,
  codeHash: string,
  now: number,
): Promise<Grant | undefined> {
  const row = await tx
    .updateTable('grants')
    .set({ redeemed_at: now })
    .where('code_hash', '=', codeHash)
    .where('redeemed_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  return row && toGrant(row);
}

/** A grant by the hash of its code, or of what its refresh tokens have in common. */
export async function findGrant(
  db: Db,
  by: { codeHash: string } | { familyHash: string },
): Promise<Grant | undefined> {
  const all = db.selectFrom('grants').selectAll();
  const query =
    'codeHash' in by
      ? all.where('code_hash', '=', by.codeHash)
      : all.where('family_hash', '=', by.familyHash);
  const row = await query.executeTakeFirst();
  return row && toGrant(row);
}

/** The first refresh token of a grant whose code was just used. */
export async function startFamily(
  tx: Db,
  id: string,
  first: { familyHash: string; refreshHash: string; now: number; expiresAt: number },
): Promise<void> {
  const { familyHash, refreshHash, now, expiresAt } = first;
  await tx
    .updateTable('grants')
    .set({
      family_hash: familyHash,
      refresh_hash: refreshHash,
      last_used_at: now,
      expires_at: expiresAt,
    })
    .where('id', '=', id)
    .execute();
}

/** Replaces the refresh token of a grant. False if it is another one by now: the token was used before. */
export async function rotateGrant(
  tx: Db,
  id: string,
  change: { from: string; to: string; now: number; expiresAt: number },
): Promise<boolean> {
  const { from, to, now, expiresAt } = change;
  const { numUpdatedRows } = await tx
    .updateTable('grants')
    .set({ refresh_hash: to, last_used_at: now, expires_at: expiresAt })
    .where('id', '=', id)
    .where('refresh_hash', '=', from)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function noteGrantUsed(db: Db, id: string, now: number): Promise<void> {
  await db.updateTable('grants').set({ last_used_at: now }).where('id', '=', id).execute();
}

/** Ends grants of somebody with all their tokens: one, or all; their ids. */
export async function deleteGrants(tx: Db, owner: string, id?: string): Promise<string[]> {
  const rows = await tx
    .deleteFrom('grants')
    .where('owner', '=', owner)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
    .returning('id')
    .execute();
  const ids = rows.map((row) => row.id);
  if (ids.length > 0) await tx.deleteFrom('access_tokens').where('grant_id', 'in', ids).execute();
  return ids;
}

/** Keeps an access token; those of the same grant that ended before `forgetBefore` are forgotten. */
export async function insertAccessToken(
  tx: Db,
  token: { tokenHash: string; grantId: string; expiresAt: number },
  forgetBefore: number,
): Promise<void> {
  const { tokenHash, grantId, expiresAt } = token;
  await tx
    .deleteFrom('access_tokens')
    .where('grant_id', '=', grantId)
    .where('expires_at', '<', forgetBefore)
    .execute();
  await tx
    .insertInto('access_tokens')
    .values({ token_hash: tokenHash, grant_id: grantId, expires_at: expiresAt })
    .execute();
}

/** An access token with its grant and the role of its owner, whether or not it has ended; not of somebody disabled. */
export async function findAccessToken(
  db: Db,
  tokenHash: string,
): Promise<{ grant: Grant; role: Role; expiresAt: number } | undefined> {
  const row = await db
    .selectFrom('access_tokens')
    .innerJoin('grants', 'grants.id', 'access_tokens.grant_id')
    .innerJoin('users', 'users.id', 'grants.owner')
    .selectAll('grants')
    .select(['users.role', 'access_tokens.expires_at as token_expires_at'])
    .where('token_hash', '=', tokenHash)
    .where('users.disabled', '=', 0)
    .executeTakeFirst();
  return row && { grant: toGrant(row), role: row.role, expiresAt: row.token_expires_at };
}

export async function deleteAccessToken(db: Db, tokenHash: string): Promise<void> {
  await db.deleteFrom('access_tokens').where('token_hash', '=', tokenHash).execute();
}

function toGrant(row: Selectable<GrantsTable>): Grant {
  return {
    id: row.id,
    owner: row.owner,
    programId: row.program_id,
    programName: row.program_name,
    redirectUri: row.redirect_uri,
    resource: row.resource,
    ...(row.limited !== null && { servers: listFromJson(row.limited) as ServerLimit[] }),
    challenge: row.challenge,
    createdAt: row.created_at,
    ...(row.last_used_at !== null && { lastUsedAt: row.last_used_at }),
    expiresAt: row.expires_at,
  };
}
