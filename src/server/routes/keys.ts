import type { Host } from '#chat/host/host.ts';
import { createdKeySchema, createKeySchema, keysSchema } from '#shared/api/people-api.ts';
import { freshServers, json, manage, read, secret } from '../api/access.ts';
import type { Api } from '../api/api.ts';

/** Keys with which programs act as their owner. */
export function keyRoutes(api: Api, { keys, servers }: Host): void {
  api.get(
    {
      path: '/api/keys',
      access: read,
      summary: 'Your API keys; a key itself is never read back.',
      response: keysSchema,
    },
    async ({ owner }) => ({ keys: await keys.list(owner) }),
  );
  api.post(
    {
      path: '/api/keys',
      access: { ...manage, ...json, ...secret, ...freshServers },
      summary: 'Make an API key. This answer is the only one that has the key.',
      body: createKeySchema,
      status: 201,
      response: createdKeySchema,
    },
    ({ owner, visitor, body }) => {
      const limits = body.servers?.map((limit) => ({
        ...limit,
        id: servers.usable(owner, limit.id).id,
      }));
      return keys.create(visitor, { ...body, servers: limits });
    },
  );
  api.delete(
    {
      path: '/api/keys/:id',
      access: manage,
      summary: 'Remove an API key; it ends at once.',
      status: 204,
    },
    async ({ owner, params }) => {
      await keys.delete(owner, params.id);
      return {};
    },
  );
}
