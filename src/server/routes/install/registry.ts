import type { Host } from '#chat/host/host.ts';
import {
  checkRegistrySchema,
  installedEntrySchema,
  installEntrySchema,
  registriesSchema,
  registrySearchSchema,
  searchRegistrySchema,
  setRegistriesSchema,
} from '#shared/api/registry-api.ts';
import { admins, freshServers, json, manage, secret } from '../../api/access.ts';
import type { Api } from '../../api/api.ts';

/** The catalogue of servers. Only a check fetches anything. */
export function registryRoutes(api: Api, { registry }: Host): void {
  api.get(
    {
      path: '/api/registry',
      access: manage,
      summary: 'List the registries of the catalogue and how old their copies are.',
      response: registriesSchema,
    },
    () => registry.list(),
  );
  api.put(
    {
      path: '/api/registry',
      access: { ...admins, ...json },
      summary: 'Set the registries of the catalogue.',
      body: setRegistriesSchema,
      response: registriesSchema,
    },
    ({ owner, body }) => registry.set(owner, body),
  );
  api.post(
    {
      path: '/api/registry/check',
      access: { ...manage, ...json },
      summary: 'Fetch one registry, or all of them. If one fails, its last copy stays.',
      body: checkRegistrySchema,
      response: registriesSchema,
    },
    ({ body, c }) => registry.check(body.registry, c.req.raw.signal),
  );
  api.get(
    {
      path: '/api/registry/servers',
      access: manage,
      summary: 'Search the last copies of the registries.',
      query: searchRegistrySchema,
      response: registrySearchSchema,
    },
    ({ query }) => registry.search(query),
  );
  api.post(
    {
      path: '/api/registry/install',
      access: { ...manage, ...json, ...secret, ...freshServers },
      summary:
        'Add a server of the catalogue as a draft, pinned to its version. A dry run shows what it would run.',
      body: installEntrySchema,
      response: installedEntrySchema,
    },
    ({ visitor, body }) => registry.install(visitor, body),
  );
}
