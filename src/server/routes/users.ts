import { z } from 'zod';
import type { Host } from '#chat/host.ts';
import {
  createdUserSchema,
  createUserSchema,
  updateUserSchema,
  userViewSchema,
} from '#shared/people-api.ts';
import type { Api } from '../api.ts';

/** The people of this host; for admins. */
export function userRoutes(api: Api, { users }: Host): void {
  api.get(
    {
      path: '/api/users',
      summary: 'The people who may use this host. For admins.',
      response: z.object({ users: z.array(userViewSchema) }),
      adminOnly: true,
    },
    async () => ({ users: await users.list() }),
  );
  api.post(
    {
      path: '/api/users',
      summary: 'Add somebody; without a password one is made and told once. For admins.',
      body: createUserSchema,
      status: 201,
      response: createdUserSchema,
      adminOnly: true,
      secret: true,
    },
    ({ owner, body }) => users.create(owner, body),
  );
  api.patch(
    {
      path: '/api/users/:id',
      summary:
        'Change a name, role or password, or disable somebody; all but a name ends their sign-ins. For admins.',
      body: updateUserSchema,
      response: userViewSchema,
      adminOnly: true,
      secret: true,
    },
    ({ owner, params, body }) => users.update(owner, params.id, body),
  );
  api.delete(
    {
      path: '/api/users/:id',
      summary: 'Remove somebody with everything that is theirs. For admins.',
      status: 204,
      adminOnly: true,
    },
    async ({ owner, params }) => {
      await users.delete(owner, params.id);
      return {};
    },
  );
}
