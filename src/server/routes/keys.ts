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
      summary: 'List your API keys, without the keys themselves.',
      response: keysSchema,
    },
    async ({ owner }) => ({ keys: await keys.list(owner) }),
  );
  api.post(
    {
      path: '/api/keys',
      access: { ...manage, ...json, ...secret, ...freshServers },
      summary: 'Create an API key. The key is only returned here.',
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
      summary: 'Delete an API key. It stops working immediately.',
      status: 204,
    },
    async ({ owner, params }) => {
      await keys.delete(owner, params.id);
      return {};
    },
  );
}
