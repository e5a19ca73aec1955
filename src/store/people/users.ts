import { type Selectable, sql } from 'kysely';
import type { Role } from '#shared/api/people-api.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { sanitiseText } from '#shared/text/text.ts';
import { usualSlice } from '../database/slices.ts';
import type { Db, Store } from '../database/store.ts';
import type { UsersTable } from '../tables/people-tables.ts';
import type { TableWith } from '../tables/tables.ts';

/** A person who may sign in. The hash is for comparing, never for a client. */
export interface User {
  id: string;
  name: string;
  role: Role;
  disabled: boolean;
  passwordHash?: string;
  oidcSubject?: string;
  lastSignInAt?: number;
  /** They are being removed. */
  removedAt?: number;
  createdAt: number;
}

/** Throws `conflict` where somebody has that name already. */
export async function insertUser(db: Db, user: User): Promise<void> {
  const inserted = await db
    .insertInto('users')
    .values({
      id: user.id,
      name: sanitiseText(user.name),
      name_key: nameKey(user.name),
      role: user.role,
      password_hash: user.passwordHash ?? null,
      oidc_subject: user.oidcSubject ?? null,
      disabled: Number(user.disabled),
      last_sign_in_at: null,
      created_at: user.createdAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!inserted) throw nameTaken(user.name);
}

/** Oldest first. */
export async function listUsers(db: Db): Promise<User[]> {
  const rows = await db
    .selectFrom('users')
    .selectAll()
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(toUser);
}

/** By its id, by its name however that is written, or by what the identity provider calls it. */
export async function findUser(
  db: Db,
  by: { id: string } | { name: string } | { oidcSubject: string },
): Promise<User | undefined> {
  const all = db.selectFrom('users').selectAll();
  const query =
    'id' in by
      ? all.where('id', '=', by.id)
      : 'name' in by
        ? all.where('name_key', '=', nameKey(by.name))
        : all.where('oidc_subject', '=', by.oidcSubject);
  const row = await query.executeTakeFirst();
  return row && toUser(row);
}

/**
 * Changes what is given of somebody who is as expected; false, and nothing changed, if they are not, or
 * are gone. Throws `conflict` where the new name is somebody else's.
 */
export async function updateUser(
  tx: Db,
  id: string,
  change: Partial<Pick<User, 'name' | 'role' | 'disabled' | 'passwordHash' | 'lastSignInAt'>>,
  expected: Partial<Pick<User, 'disabled' | 'passwordHash'>> = {},
): Promise<boolean> {
  const { name, role, disabled, passwordHash, lastSignInAt } = change;
  if (name !== undefined) {
    const other = await findUser(tx, { name });
    if (other && other.id !== id) throw nameTaken(name);
  }
  let update = tx
    .updateTable('users')
    .set({
      id,
      ...(name !== undefined && { name: sanitiseText(name), name_key: nameKey(name) }),
      ...(role && { role }),
      ...(disabled !== undefined && { disabled: Number(disabled) }),
      ...(passwordHash !== undefined && { password_hash: passwordHash }),
      ...(lastSignInAt !== undefined && { last_sign_in_at: lastSignInAt }),
    })
    .where('id', '=', id);
  if (expected.disabled !== undefined)
    update = update.where('disabled', '=', Number(expected.disabled));
  if (expected.passwordHash !== undefined)
    update = update.where('password_hash', '=', expected.passwordHash);
  const { numUpdatedRows } = await update.executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The role of somebody, undefined if they may not come in; until the end of `tx` it stays as it is. */
export async function holdRole(
  tx: Db,
  dialect: Store['dialect'],
  id: string,
): Promise<Role | undefined> {
  const row = await tx
    .selectFrom('users')
    .select('role')
    .where('id', '=', id)
    .where('disabled', '=', 0)
    .$if(dialect === 'postgres', (query) => query.forShare())
    .executeTakeFirst();
  return row?.role;
}

/** Whether people can sign in with a password at all. */
export async function hasPasswords(db: Db): Promise<boolean> {
  const found = await db
    .selectFrom('users')
    .select('id')
    .where('password_hash', 'is not', null)
    .where('disabled', '=', 0)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** From the commit on they are being removed, by this host or by another. */
export async function markRemoved(tx: Db, id: string, at: number): Promise<void> {
  await tx.updateTable('users').set({ removed_at: at }).where('id', '=', id).execute();
}

/**
 * How the rows of somebody who is removed go: `before`, with what is more than rows; in slices, where there may be
 * many, told apart by `by`; the others `at-end`, in this order. A new table does not compile without its line.
 * Calls in topics went with them; `only` names the rest as the index of direct calls does.
 */
const removal: Readonly<
  Record<TableWith<'owner'>, 'before' | { by: string; only?: string } | 'at-end' | 'never'>
> = {
  topics: 'before',
  imports: 'before',
  tool_calls: { by: 'id', only: 'topic_id is null' },
  blob_refs: { by: 'id' },
  inputs: { by: 'id' },
  idempotency: { by: 'key' },
  runs: { by: 'id' },
  records: { by: 'id' },
  record_parts: { by: 'id' },
  policy_rules: 'at-end',
  credentials: 'at-end',
  tool_pins: 'at-end',
  install_requests: 'at-end',
  servers: 'at-end',
  providers: 'at-end',
  assistants: 'at-end',
  settings: 'at-end',
  memory: 'at-end',
  provenance: 'at-end',
  api_keys: 'at-end',
  grants: 'at-end',
  // Kept by triggers, and so emptied last.
  usage_changes: 'at-end',
  storage_changes: 'at-end',
  usage_sums: 'at-end',
  usage_versions: 'at-end',
  storage_sums: 'at-end',
  audit: 'never',
};
const owned = Object.entries(removal);

/** Removes some rows of somebody who is being removed; false if only few are left, of them and of theirs. */
export async function deleteUserSlice(tx: Db, id: string): Promise<boolean> {
  for (const [table, when] of owned) {
    if (typeof when === 'string') continue;
    const name = sql.table(table);
    const key = sql.ref(when.by);
    const only = sql.raw(when.only ?? 'true');
    const { numAffectedRows = 0n } = await sql`
      delete from ${name} where owner = ${id} and ${key} in (
        select ${key} from ${name} where owner = ${id} and ${only} limit ${usualSlice.rows}
      )`.execute(tx);
    if (numAffectedRows > 0n) return true;
  }
  return false;
}

/**
 * Removes a person with all that is theirs but topics and whatever is long, which go before, and the audit.
 * What they shared goes with them.
 */
export async function deleteUser(tx: Db, id: string): Promise<void> {
  for (const [table, when] of owned)
    if (when === 'at-end')
      await sql`delete from ${sql.table(table)} where owner = ${id}`.execute(tx);
  await tx.deleteFrom('sign_ins').where('user_id', '=', id).execute();
  await tx.deleteFrom('users').where('id', '=', id).execute();
}

/** What was shared by somebody who is no admin any more is theirs alone, and commands are drafts again. */
export async function unshareAll(tx: Db, owner: string, now: number): Promise<void> {
  await tx
    .updateTable('servers')
    .set({ shared: 0, approved_hash: null, updated_at: now })
    .where('owner', '=', owner)
    .execute();
  await tx.updateTable('providers').set({ shared: 0 }).where('owner', '=', owner).execute();
}

/** Names that look the same are the same: whatever the case, the width of letters or the blanks. */
function nameKey(name: string): string {
  return sanitiseText(name).normalize('NFKC').trim().toLowerCase();
}

function nameTaken(name: string): CeriseError {
  return new CeriseError(
    'conflict',
    say('person-name-taken')`A user named ${name} already exists.`,
    {
      hint: say('person-name-taken-hint')`Choose another name.`,
    },
  );
}

function toUser(row: Selectable<UsersTable>): User {
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    disabled: row.disabled === 1,
    ...(row.password_hash !== null && { passwordHash: row.password_hash }),
    ...(row.oidc_subject !== null && { oidcSubject: row.oidc_subject }),
    ...(row.last_sign_in_at !== null && { lastSignInAt: row.last_sign_in_at }),
    ...(row.removed_at !== null && { removedAt: row.removed_at }),
    createdAt: row.created_at,
  };
}
