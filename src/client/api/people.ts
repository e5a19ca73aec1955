import type { z } from 'zod';
import type {
  ChangedUserView,
  createKeySchema,
  CreatedKeyView,
  CreatedUserView,
  KeyView,
  MeView,
  PeopleKeyView,
  Role,
  signInLinkSchema,
  SignInView,
  SignInWays,
  updateUserSchema,
  UserView,
} from '#shared/api/people-api.ts';
import type { Connection } from '../http/connection.ts';
import { at } from '../http/path.ts';

/** An admin's change of a user. */
export type UserChange = z.input<typeof updateUserSchema>;

/** People, their sign-ins and their keys. */
export const peopleApi = ({ request }: Connection) => ({
  ways: () => request<SignInWays>('/api/sign-in'),
  signIn: (name: string, password: string) =>
    request<void>('/api/sign-in', { method: 'POST', body: { name, password } }),
  /** A link that signs one browser in. */
  signInLink: () =>
    request<z.infer<typeof signInLinkSchema>>('/api/sign-in/link', { method: 'POST' }),
  signOut: () => request<void>('/api/sign-out', { method: 'POST' }),
  me: () => request<MeView>('/api/me'),
  setPassword: (body: { current?: string; password: string }) =>
    request<{ keys: KeyView[] }>('/api/me/password', { method: 'POST', body }),
  signIns: (signal?: AbortSignal) =>
    request<{ signIns: SignInView[] }>('/api/sign-ins', { signal }),
  endSignIn: (id: string) => request<void>(at`/api/sign-ins/${id}`, { method: 'DELETE' }),
  keys: (signal?: AbortSignal) => request<{ keys: KeyView[] }>('/api/keys', { signal }),
  createKey: (body: z.input<typeof createKeySchema>) =>
    request<CreatedKeyView>('/api/keys', { method: 'POST', body }),
  removeKey: (id: string) => request<void>(at`/api/keys/${id}`, { method: 'DELETE' }),
  users: (signal?: AbortSignal) => request<{ users: UserView[] }>('/api/users', { signal }),
  createUser: (body: { name: string; role: Role }) =>
    request<CreatedUserView>('/api/users', { method: 'POST', body }),
  updateUser: (id: string, body: UserChange) =>
    request<ChangedUserView>(at`/api/users/${id}`, { method: 'PATCH', body }),
  allKeys: (signal?: AbortSignal) =>
    request<{ keys: PeopleKeyView[] }>('/api/users/keys', { signal }),
  removeKeyOf: (id: string, keyId: string) =>
    request<void>(at`/api/users/${id}/keys/${keyId}`, { method: 'DELETE' }),
  removeUser: (id: string) => request<void>(at`/api/users/${id}`, { method: 'DELETE' }),
});
