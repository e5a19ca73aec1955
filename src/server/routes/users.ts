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
      summary: 'List the users of this host. Admins only.',
      response: usersSchema,
    },
    async () => ({ users: await users.list() }),
  );
  api.post(
    {
      path: '/api/users',
      access: { ...admins, ...json, ...secret },
      summary: 'Add a user. Without a password, one is generated and returned once. Admins only.',
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
        "Update a user's name, role or password, or disable them. Anything but a new name signs them out. Returns their remaining API keys. Admins only.",
      body: updateUserSchema,
      response: changedUserSchema,
    },
    ({ owner, params, body }) => users.update(owner, params.id, body),
  );
  api.delete(
    {
      path: '/api/users/:id',
      access: admins,
      summary: 'Delete a user and all their data. Admins only.',
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
      summary: "List all users' API keys, without the keys themselves. Admins only.",
      response: peopleKeysSchema,
    },
    async () => ({ keys: await keys.listAll() }),
  );
  api.delete(
    {
      path: '/api/users/:id/keys/:keyId',
      access: admins,
      summary: "Revoke a user's API key. Admins only.",
      status: 204,
    },
    async ({ owner, params }) => {
      await keys.delete(params.id, params.keyId, owner);
      return {};
    },
  );
}
