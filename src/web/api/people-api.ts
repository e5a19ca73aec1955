import type {
  ChangedUserView,
  CreatedKeyView,
  CreatedUserView,
  KeyScope,
  KeyView,
  MeView,
  PeopleKeyView,
  Role,
  SignInView,
  SignInWays,
  UserView,
} from '#shared/api/people-api.ts';
import type { ServerLimit } from '#shared/vocabulary/server-limit.ts';
import { at } from './path.ts';
import { request } from './request.ts';

/** What an admin changes of somebody. */
export interface UserChange {
  name?: string;
  role?: Role;
  disabled?: boolean;
  password?: string;
  endKeys?: boolean;
}

/** People, their sign-ins and their keys. */
export const peopleApi = {
  ways: () => request<SignInWays>('/api/sign-in'),
  signIn: (name: string, password: string) =>
    request<void>('/api/sign-in', { method: 'POST', body: { name, password } }),
  signOut: () => request<void>('/api/sign-out', { method: 'POST' }),
  me: () => request<MeView>('/api/me'),
  setPassword: (body: { current?: string; password: string }) =>
    request<{ keys: KeyView[] }>('/api/me/password', { method: 'POST', body }),
  signIns: (signal: AbortSignal) => request<{ signIns: SignInView[] }>('/api/sign-ins', { signal }),
  endSignIn: (id: string) => request<void>(at`/api/sign-ins/${id}`, { method: 'DELETE' }),
  keys: (signal: AbortSignal) => request<{ keys: KeyView[] }>('/api/keys', { signal }),
  createKey: (body: {
    name: string;
    scopes: KeyScope[];
    expiresAt?: number;
    servers?: ServerLimit[];
  }) => request<CreatedKeyView>('/api/keys', { method: 'POST', body }),
  removeKey: (id: string) => request<void>(at`/api/keys/${id}`, { method: 'DELETE' }),
  users: (signal: AbortSignal) => request<{ users: UserView[] }>('/api/users', { signal }),
  createUser: (body: { name: string; role: Role }) =>
    request<CreatedUserView>('/api/users', { method: 'POST', body }),
  updateUser: (id: string, body: UserChange) =>
    request<ChangedUserView>(at`/api/users/${id}`, { method: 'PATCH', body }),
  allKeys: (signal: AbortSignal) =>
    request<{ keys: PeopleKeyView[] }>('/api/users/keys', { signal }),
  removeKeyOf: (id: string, keyId: string) =>
    request<void>(at`/api/users/${id}/keys/${keyId}`, { method: 'DELETE' }),
  removeUser: (id: string) => request<void>(at`/api/users/${id}`, { method: 'DELETE' }),
};
