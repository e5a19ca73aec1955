import type { Host } from '#chat/host/host.ts';
import {
  checkRegistrySchema,
  entryVersionsSchema,
  installedEntrySchema,
  installEntrySchema,
  installRequestSchema,
  installRequestsSchema,
  registriesSchema,
  registrySearchSchema,
  requestEntrySchema,
  searchRegistrySchema,
  serverUpdatesSchema,
  setRegistriesSchema,
  updatedEntrySchema,
  updateEntrySchema,
  versionListSchema,
} from '#shared/api/registry-api.ts';
import { admins, freshServers, json, manage, secret } from '../../api/access.ts';
import type { Api } from '../../api/api.ts';

/** The catalogue of servers. Only a check and a look at versions fetch anything. */
export function registryRoutes(api: Api, { catalogue }: Host): void {
  const { registries, registry } = catalogue;
  updateRoutes(api, catalogue);
  requestRoutes(api, catalogue);
  api.get(
    {
      path: '/api/registry',
      access: manage,
      summary: 'List the registries of the catalogue and how old their copies are.',
      response: registriesSchema,
    },
    () => registries.list(),
  );
  api.put(
    {
      path: '/api/registry',
      access: { ...admins, ...json },
      summary: 'Set the registries of the catalogue, and what users can install from it.',
      body: setRegistriesSchema,
      response: registriesSchema,
    },
    ({ owner, body }) => registries.set(owner, body),
  );
  api.post(
    {
      path: '/api/registry/check',
      access: { ...manage, ...json },
      summary: 'Fetch one registry, or all of them. If one fails, its last copy stays.',
      body: checkRegistrySchema,
      response: registriesSchema,
    },
    ({ visitor, body, c }) => {
      // Who is no admin only looks: a registry is not asked again and again for them.
      const stale = body.stale || visitor.role !== 'admin';
      return registries.check({ ...body, stale }, c.req.raw.signal);
    },
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
      path: '/api/registry/versions',
      access: { ...manage, ...json },
      summary: 'Ask the registry of an entry for its versions, the latest first.',
      body: entryVersionsSchema,
      response: versionListSchema,
    },
    ({ body, c }) => registry.versions(body, c.req.raw.signal),
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
    ({ visitor, body, c }) => registry.install(visitor, body, c.req.raw.signal),
  );
}

function updateRoutes(api: Api, { updates }: Host['catalogue']): void {
  api.get(
    {
      path: '/api/registry/updates',
      access: { ...manage, ...freshServers },
      summary: 'List newer versions of your servers in the last copies of the registries.',
      response: serverUpdatesSchema,
    },
    ({ owner }) => updates.list(owner),
  );
  api.post(
    {
      path: '/api/registry/update',
      access: { ...manage, ...json, ...secret, ...freshServers },
      summary:
        'Update a server to another version of its entry. It needs a new approval. A dry run shows what would change.',
      body: updateEntrySchema,
      response: updatedEntrySchema,
    },
    ({ visitor, body, c }) => updates.update(visitor, body, c.req.raw.signal),
  );
}

function requestRoutes(api: Api, { requests }: Host['catalogue']): void {
  api.get(
    {
      path: '/api/registry/requests',
      access: manage,
      summary: 'List your requests to install servers; for admins, also the open ones of others.',
      response: installRequestsSchema,
    },
    ({ visitor }) => requests.list(visitor),
  );
  api.post(
    {
      path: '/api/registry/requests',
      access: { ...manage, ...json },
      summary: 'Ask an admin to install a server from the catalogue.',
      body: requestEntrySchema,
      status: 201,
      response: installRequestSchema,
    },
    ({ owner, body, c }) => requests.create(owner, body, c.req.raw.signal),
  );
  api.post(
    {
      path: '/api/registry/requests/:id/deny',
      access: admins,
      summary: 'Deny a request. To approve one, install its server with the ID of the request.',
      response: installRequestSchema,
    },
    ({ owner, params }) => requests.deny(owner, params.id),
  );
  api.delete(
    {
      path: '/api/registry/requests/:id',
      access: manage,
      summary: 'Withdraw one of your requests, or remove it once it is decided.',
      status: 204,
    },
    async ({ owner, params }) => {
      await requests.remove(owner, params.id);
      return {};
    },
  );
}
