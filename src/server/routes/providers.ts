import type { Host } from '#chat/host/host.ts';
import { providerViewFor } from '#chat/servers/key-rights.ts';
import {
  createProviderSchema,
  providerSchema,
  providerTestSchema,
  testProviderSchema,
  updateProviderSchema,
  vendorsSchema,
  providersSchema,
} from '#shared/api/provider-api.ts';
import { admins, json, manage, read } from '../api/access.ts';
import type { Api } from '../api/api.ts';

export function providerRoutes(api: Api, host: Host): void {
  const { providers } = host;
  api.get(
    {
      path: '/api/vendors',
      access: read,
      summary: 'List the supported kinds of providers.',
      response: vendorsSchema,
    },
    async () => ({ vendors: providers.vendors() }),
  );
  api.get(
    {
      path: '/api/providers',
      access: read,
      summary:
        'List the providers: configured, from the environment, and discovered. Keys are never returned.',
      response: providersSchema,
    },
    async ({ owner, visitor }) => ({
      providers: (await providers.list(owner)).map((view) => providerViewFor(visitor, view)),
    }),
  );
  api.post(
    {
      path: '/api/providers',
      access: { ...manage, ...json },
      summary: 'Add a model provider.',
      body: createProviderSchema,
      status: 201,
      response: providerSchema,
    },
    ({ owner, body }) => providers.create(owner, body),
  );
  api.post(
    {
      path: '/api/providers/discover',
      access: admins,
      summary: 'Look for model servers on this machine, for up to 2 seconds. Admins only.',
      response: providersSchema,
    },
    async ({ owner }) => ({ providers: await providers.discover(owner) }),
  );
  api.post(
    {
      path: '/api/providers/:id/test',
      access: { ...manage, ...json },
      summary: "Test a provider's key and URL by asking a model for one word.",
      body: testProviderSchema,
      response: providerTestSchema,
    },
    ({ owner, params, body }) => providers.test(owner, params.id, body.model),
  );
  api.patch(
    {
      path: '/api/providers/:id',
      access: { ...manage, ...json },
      summary:
        'Update or disable a provider, or set the prices of its models. An empty key removes the stored one.',
      body: updateProviderSchema,
      response: providerSchema,
    },
    ({ owner, params, body }) => providers.update(owner, params.id, body),
  );
  api.delete(
    { path: '/api/providers/:id', access: manage, summary: 'Delete a provider.', status: 204 },
    async ({ owner, params }) => {
      await providers.delete(owner, params.id);
      return {};
    },
  );
}
