import type { Host } from '#chat/host/host.ts';
import { usageFor } from '#chat/servers/key-rights.ts';
import { usageQuerySchema, usageSchema } from '#shared/api/usage-api.ts';
import { read } from '../api/access.ts';
import type { Api } from '../api/api.ts';

export function usageRoutes(api: Api, host: Host): void {
  api.get(
    {
      path: '/api/usage',
      access: read,
      summary: 'Get recent calls, answers, tokens and durations, by day, server and model.',
      query: usageQuerySchema,
      response: usageSchema,
    },
    async ({ owner, visitor, query }) => usageFor(visitor, await host.usage(owner, query)),
  );
}
