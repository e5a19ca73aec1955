import { sql } from 'kysely';
import type { Db } from '../database/store.ts';

/** Whose a credential is, by the table that keeps it. */
const owners = { api_keys: 'owner', grants: 'owner', sign_ins: 'user_id' } as const;

/** Which of these are still valid: they have not expired, and their owner may sign in. */
export async function livingCredentials(
  db: Db,
  table: keyof typeof owners,
  ids: readonly string[],
  now: number,
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select credential.id from ${sql.table(table)} as credential
    join users on users.id = ${sql.ref(`credential.${owners[table]}`)}
    where users.disabled = 0
      and (credential.expires_at is null or credential.expires_at > ${now})
      and credential.id in (${sql.join(ids)})
  `.execute(db);
  return new Set(rows.map(({ id }) => id));
}
