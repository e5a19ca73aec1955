import { CeriseError } from '#shared/errors.ts';
import type { KeyScope, Role, SignInMethod } from '#shared/people-api.ts';

/** Who asks, and by which credential: a browser that is signed in, a key, or the token of the start. */
export interface Visitor {
  owner: string;
  role: Role;
  credential:
    | { kind: 'sign-in'; id: string; method: SignInMethod; createdAt: number }
    | { kind: 'key'; id: string; scopes: readonly KeyScope[] }
    | { kind: 'token'; id: string };
}

/** Throws `admin_only` unless an admin asks. */
export function assertAdmin({ role }: Pick<Visitor, 'role'>): void {
  if (role !== 'admin') throw adminOnly('Only an admin may do this.');
}

export function adminOnly(message: string): CeriseError {
  return new CeriseError('admin_only', message, { hint: 'Ask an admin of this host.' });
}
