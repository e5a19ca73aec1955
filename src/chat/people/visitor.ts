import type { KeyScope, Role, SignInMethod } from '#shared/api/people-api.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say, type Words } from '#shared/errors/sentence.ts';
import type { Within } from '#shared/vocabulary/server-limit.ts';
import type { Db, Store } from '#store/database/store.ts';
import { livingCredentials } from '#store/people/living-credentials.ts';
import { holdRole } from '#store/people/users.ts';

/**
 * Who asks, and by which credential: a browser that is signed in, a key, a program that they connected, or the token of
 * the start.
 */
export interface Visitor {
  owner: string;
  role: Role;
  credential:
    | { kind: 'sign-in'; id: string; method: SignInMethod; createdAt: number }
    | {
        kind: 'key';
        id: string;
        scopes: readonly KeyScope[];
        within?: Within;
        /** An admin vouched for the words that come with it. */
        trusted?: true;
        expiresAt?: number | undefined;
      }
    | {
        kind: 'grant';
        id: string;
        /** The path it is good for. */
        resource: string;
        within?: Within;
      }
    | { kind: 'token'; id: string };
}

/** Whether a visitor may do everything that they themselves may. */
export function isFull({ credential }: Pick<Visitor, 'credential'>): boolean {
  if (credential.kind === 'grant') return false;
  return credential.kind !== 'key' || credential.scopes.includes('admin');
}

/** Where credentials that end are kept. */
export const credentialTables = {
  'sign-in': 'sign_ins',
  key: 'api_keys',
  grant: 'grants',
} as const;

/** Throws `admin_only` unless an admin asks. */
export function assertAdmin({ role }: Pick<Visitor, 'role'>): void {
  if (role !== 'admin') throw adminOnly(say('admin-only')`Only admins can do this.`);
}

/**
 * Part of what adds something for somebody: a request may outlast its person, or their being an admin.
 * Taking that away waits for the end of `tx`, and then finds what was added.
 */
export async function assertStill(
  tx: Db,
  dialect: Store['dialect'],
  owner: string,
  wasAdmin = false,
): Promise<void> {
  const role = await holdRole(tx, dialect, owner);
  if (role === undefined) throw notSignedIn();
  if (wasAdmin) assertAdmin({ role });
}

/** Part of what outlives a credential: if it was ended in the meantime, that found what was added, or this throws. */
export async function assertHolds(
  tx: Db,
  dialect: Store['dialect'],
  { owner, credential }: Visitor,
  now: number,
): Promise<void> {
  await assertStill(tx, dialect, owner);
  await assertLives(tx, { credential }, now);
}

/** Throws `unauthenticated` if the credential was ended or has run out. */
export async function assertLives(
  db: Db,
  { credential }: Pick<Visitor, 'credential'>,
  now: number,
): Promise<void> {
  if (credential.kind === 'token') return;
  const table = credentialTables[credential.kind];
  if (!(await livingCredentials(db, table, [credential.id], now)).has(credential.id))
    throw notSignedIn();
}

/** The error for a credential that does not hold. */
export function notSignedIn(): CeriseError {
  return new CeriseError('unauthenticated', say('not-signed-in')`You're not signed in.`);
}

/** The error for everyone but admins. */
export function adminOnly(message: Words, details?: { field: string }): CeriseError {
  return new CeriseError('admin_only', message, {
    hint: say('ask-admin')`Ask an admin for help.`,
    ...(details && { details }),
  });
}
