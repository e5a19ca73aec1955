import type { Selectable } from 'kysely';
import type { KeyScope, Role } from '#shared/api/people-api.ts';
import { sanitiseText } from '#shared/text/text.ts';
import type { ServerLimit } from '#shared/vocabulary/server-limit.ts';
import { damagedRecord, listFromJson, objectFromJson, toJson } from '../database/json.ts';
import { runCached } from '../database/cached-query.ts';
import type { Db } from '../database/store.ts';
import type { Tables } from '../tables/tables.ts';
import { readRows } from '../database/unreadable-rows.ts';

/** A key of a program. Only the hash of the key itself is stored. */
export interface ApiKey {
  id: string;
  owner: string;
  name: string;
  scopes: KeyScope[];
  /** The servers it is limited to. */
  servers?: ServerLimit[];
  /** An admin vouched for the words that come with it. */
  trusted?: true;
  createdAt: number;
  lastUsedAt?: number;
  expiresAt?: number;
}

export async function insertApiKey(db: Db, key: ApiKey, keyHash: string): Promise<void> {
  await db
    .insertInto('api_keys')
    .values({
      id: key.id,
      owner: key.owner,
      name: sanitiseText(key.name),
      key_hash: keyHash,
      scopes: toJson(key.servers ? [] : key.scopes),
      limited: key.servers ? toJson({ scopes: key.scopes, servers: key.servers }) : null,
      created_at: key.createdAt,
      last_used_at: null,
      expires_at: key.expiresAt ?? null,
      trusted: key.trusted ? 1 : 0,
    })
    .execute();
}

/** Those of somebody, or of everybody; the newest first. Those that have run out are shown too. */
export async function listApiKeys(db: Db, owner?: string): Promise<ApiKey[]> {
  const rows = await db
    .selectFrom('api_keys')
    .selectAll()
    .$if(owner !== undefined, (query) => query.where('owner', '=', owner ?? ''))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  // One that cannot be read is shown without rights, so that it can be ended.
  return readRows(db, 'api_keys', rows, toKey, (row) => [
    toKey({ ...row, scopes: '[]', limited: null }),
  ]);
}

/** The key of a hash with the role of its owner, unless it has run out or its owner may not come in. */
export async function findApiKey(
  db: Db,
  keyHash: string,
  now: number,
): Promise<(ApiKey & { role: Role }) | undefined> {
  const { rows } = await runCached<Selectable<Tables['api_keys']> & { role: Role }>(
    db,
    'key of a hash',
    [keyHash, 0],
    () =>
      db
        .selectFrom('api_keys')
        .innerJoin('users', 'users.id', 'api_keys.owner')
        .selectAll('api_keys')
        .select('users.role')
        .where('key_hash', '=', keyHash)
        .where('users.disabled', '=', 0),
  );
  const [row] = rows;
  if (!row || (row.expires_at !== null && row.expires_at <= now)) return undefined;
  return { ...toKey(row), role: row.role };
}

export async function noteKeyUsed(db: Db, id: string, now: number): Promise<void> {
  await db.updateTable('api_keys').set({ last_used_at: now }).where('id', '=', id).execute();
}

/** False if the owner has no such key. */
export async function deleteApiKey(db: Db, owner: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('api_keys')
    .where('owner', '=', owner)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Ends all keys of somebody; their ids. */
export async function deleteApiKeys(db: Db, owner: string): Promise<string[]> {
  const rows = await db.deleteFrom('api_keys').where('owner', '=', owner).returning('id').execute();
  return rows.map(({ id }) => id);
}

/** What is left of limits that are damaged must not be taken for none. */
function readLimited(text: string): Required<Pick<ApiKey, 'scopes' | 'servers'>> {
  const { scopes, servers } = objectFromJson(text) as Partial<ApiKey>;
  if (Array.isArray(scopes) && Array.isArray(servers)) return { scopes, servers };
  throw damagedRecord(new Error('a limited key without its limits'));
}

function toKey(row: Selectable<Tables['api_keys']>): ApiKey {
  return {
    id: row.id,
    owner: row.owner,
    name: row.name,
    ...(row.limited === null
      ? { scopes: listFromJson(row.scopes) as KeyScope[] }
      : readLimited(row.limited)),
    createdAt: row.created_at,
    ...(row.trusted === 1 && { trusted: true as const }),
    ...(row.last_used_at !== null && { lastUsedAt: row.last_used_at }),
    ...(row.expires_at !== null && { expiresAt: row.expires_at }),
  };
}
