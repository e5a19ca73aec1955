import type { Host } from '#chat/host/host.ts';
import { serverViewSchema } from '#shared/api/api.ts';
import {
  bundleListSchema,
  bundleViewSchema,
  changeBundleSchema,
  fetchBundleSchema,
  installBundleSchema,
} from '#shared/api/bundle-api.ts';
import { freshServers, json, manage, secret } from '../../api/access.ts';
import type { Api } from '../../api/api.ts';
import { incomingBytes } from '../../http/incoming-bytes.ts';

/** Bundles: archives (.mcpb, .dxt) that become servers. Who is no admin is refused as for any command. */
export function bundleRoutes(api: Api, { bundles }: Host): void {
  api.get(
    {
      path: '/api/bundles',
      access: { ...manage, ...freshServers },
      summary: 'List the bundles that your servers run from.',
      response: bundleListSchema,
    },
    async ({ owner }) => bundles.list(owner),
  );
  api.upload(
    {
      path: '/api/bundles',
      access: { ...manage, ...freshServers, body: 'bytes', limit: 'bundleSize' },
      summary:
        'Upload a bundle (up to 50 MiB) and see what it would run. Nothing is installed yet.',
      status: 201,
      response: bundleViewSchema,
    },
    async ({ owner, c }) => {
      const announced = Number(c.req.header('content-length') ?? 0);
      return bundles.upload(owner, incomingBytes(c.req.raw), announced);
    },
  );
  api.post(
    {
      path: '/api/bundles/fetch',
      access: { ...manage, ...freshServers, ...json },
      summary: 'Download a bundle from a public URL and see what it would run.',
      body: fetchBundleSchema,
      status: 201,
      response: bundleViewSchema,
    },
    ({ owner, body, c }) => bundles.fetch(owner, body, c.req.raw.signal),
  );
  api.post(
    {
      path: '/api/bundles/install',
      access: { ...manage, ...freshServers, ...json, ...secret },
      summary: 'Install an uploaded bundle as a draft, or update the server that it is for.',
      body: installBundleSchema,
      status: 201,
      response: serverViewSchema,
    },
    ({ owner, body }) => bundles.install(owner, body),
  );
  api.get(
    {
      path: '/api/bundles/:id',
      access: { ...manage, ...freshServers },
      summary: 'Show the bundle that a server runs from, with its settings.',
      response: bundleViewSchema,
    },
    ({ owner, params }) => bundles.read(owner, params.id),
  );
  api.patch(
    {
      path: '/api/bundles/:id',
      access: { ...manage, ...freshServers, ...json, ...secret },
      summary: 'Change settings of the bundle that a server runs from. It needs a new approval.',
      body: changeBundleSchema,
      response: serverViewSchema,
    },
    ({ owner, params, body }) => bundles.change(owner, params.id, body.values),
  );
}
