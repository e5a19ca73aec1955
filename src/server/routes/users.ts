import type { Host } from '#chat/host/host.ts';
import {
  changedUserSchema,
  createdUserSchema,
  createUserSchema,
  updateUserSchema,
  usersSchema,
  peopleKeysSchema,
} from '#shared/api/people-api.ts';
import { admins, json, read, secret } from '../api/access.ts';
import type { Api } from '../api/api.ts';

/** The people of this host; for admins. */
export function userRoutes(api: Api, { users, keys }: Host): void {
  api.get(
    {
      path: '/api/users',
      access: { ...read, admin: true },
      summary: 'The people who may use this host. For admins.',
      response: usersSchema,
    },
    async () => ({ users: await users.list() }),
  );
  api.post(
    {
      path: '/api/users',
      access: { ...admins, ...json, ...secret },
      summary: 'Add somebody; without a password one is made and told once. For admins.',
      body: createUserSchema,
      status: 201,
      response: createdUserSchema,
    },
    ({ owner, body }) => users.create(owner, body),
  );
  api.patch(
    {
      path: '/api/users/:id',
      access: { ...admins, ...json, ...secret },
      summary:
        'Change a name, role or password, or disable somebody; all but a name ends their sign-ins. Names the keys they still have. For admins.',
      body: updateUserSchema,
      response: changedUserSchema,
    },
    ({ owner, params, body }) => users.update(owner, params.id, body),
  );
  api.delete(
    {
      path: '/api/users/:id',
      access: admins,
      summary: 'Remove somebody with everything that is theirs. For admins.',
      status: 204,
    },
    async ({ owner, params }) => {
      await users.delete(owner, params.id);
      return {};
    },
  );
  api.get(
    {
      path: '/api/users/keys',
      access: { ...read, admin: true },
      summary: 'The API keys of everybody, without the keys themselves. For admins.',
      response: peopleKeysSchema,
    },
    async () => ({ keys: await keys.listAll() }),
  );
  api.delete(
    {
      path: '/api/users/:id/keys/:keyId',
      access: admins,
      summary: 'End an API key of somebody. For admins.',
      status: 204,
    },
    async ({ owner, params }) => {
      await keys.delete(params.id, params.keyId, owner);
      return {};
    },
  );
}
