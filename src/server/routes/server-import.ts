import type { Host } from '#chat/host/host.ts';
import { withSuggestedAccess } from '#chat/registry/suggested-access.ts';
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
        "Import servers from another app's settings or an install link, as drafts. A dry run only lists them.",
      body: importServersSchema,
      response: importViewSchema,
    },
    ({ visitor, body }) =>
      // Who is no admin adds no command, and learns of no folder.
      importServers(
        host.servers,
        visitor,
        body,
        visitor.role === 'admin' ? withSuggestedAccess : undefined,
      ),
  );
  api.get(
    {
      path: '/api/servers/export',
      access: { ...manage, ...secret, ...freshServers },
      summary: 'Export your servers as settings for this or another app, without secrets.',
      query: exportQuerySchema,
      response: exportSchema,
    },
    async ({ owner, query }) => exportServers(host.servers.list(owner), query.format),
  );
}
