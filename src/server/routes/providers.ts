import { z } from 'zod';
import type { Host } from '#chat/host.ts';
import { createProviderSchema, providerSchema, updateProviderSchema } from '#shared/api.ts';
import type { Api } from '../api.ts';

export function providerRoutes(api: Api, host: Host): void {
  const { providers } = host;
  api.get(
    {
      path: '/api/providers',
      summary: 'The configured model vendors; keys are never read back.',
      response: z.object({ providers: z.array(providerSchema) }),
    },
    async ({ owner }) => ({ providers: await providers.list(owner) }),
  );
  api.post(
    {
      path: '/api/providers',
      summary: 'Add a model vendor.',
      body: createProviderSchema,
      status: 201,
      response: providerSchema,
    },
    ({ owner, body }) => providers.create(owner, body),
  );
  api.patch(
    {
      path: '/api/providers/:id',
      summary: 'Change a model vendor; an empty key removes it.',
      body: updateProviderSchema,
      response: providerSchema,
    },
    ({ owner, params, body }) => providers.update(owner, params.id, body),
  );
  api.delete(
    { path: '/api/providers/:id', summary: 'Remove a model vendor.', status: 204 },
    async ({ owner, params }) => {
      await providers.delete(owner, params.id);
      return {};
    },
  );
}
