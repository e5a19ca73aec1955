import type { Host } from '#chat/host/host.ts';
import { exportServers } from '#chat/servers/server-export.ts';
import { importServers } from '#chat/servers/server-import.ts';
import {
  exportQuerySchema,
  exportSchema,
  importServersSchema,
  importViewSchema,
} from '#shared/api/import-api.ts';
import { json, manage, secret, freshServers } from '../api/access.ts';
import type { Api } from '../api/api.ts';

/** Servers from other hosts and for them. Come before `/api/servers/:id`, which would take the words. */
export function serverImportRoutes(api: Api, host: Host): void {
  api.post(
    {
      path: '/api/servers/import',
      access: { ...manage, ...json, ...secret, ...freshServers },
      summary:
        'Add the servers of another host’s settings or of an install link, as drafts; a dry run only says which.',
      body: importServersSchema,
      response: importViewSchema,
    },
    ({ visitor, body }) => importServers(host.servers, visitor, body),
  );
  api.get(
    {
      path: '/api/servers/export',
      access: { ...manage, ...secret, ...freshServers },
      summary: 'Your servers as settings of this or another host, without secrets.',
      query: exportQuerySchema,
      response: exportSchema,
    },
    async ({ owner, query }) => exportServers(host.servers.list(owner), query.format),
  );
}
