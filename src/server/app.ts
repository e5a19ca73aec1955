import { Hono } from 'hono';
import type { Host } from '#chat/host/host.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import { type Access, read } from './api/access.ts';
import { Api } from './api/api.ts';
import { type Peer, type Env } from './api/env.ts';
import { refuseForeignHost, refuseForeignPage } from './api/guard.ts';
import { presentError } from './api/present-error.ts';
import { findReach, type ReachOptions } from './api/reach.ts';
import { withSafeHeaders } from './http/safe-headers.ts';
import { webPages } from './pages/web-pages.ts';
import { aboutRoutes } from './routes/about.ts';
import { assistantRoutes } from './routes/assistants.ts';
import { dataRoutes } from './routes/data.ts';
import { eventRoutes } from './routes/events.ts';
import { bundleRoutes } from './routes/install/bundles.ts';
import { registryRoutes } from './routes/install/registry.ts';
import { fileRoutes } from './routes/files.ts';
import { healthRoutes } from './routes/health.ts';
import { inputRoutes } from './routes/inputs.ts';
import { keyRoutes } from './routes/keys.ts';
import { meRoutes } from './routes/me.ts';
import { messageRoutes } from './routes/messages.ts';
import { modelRoutes } from './routes/models.ts';
import { oidcRoutes } from './routes/oidc.ts';
import { pictureRoutes } from './routes/pictures.ts';
import { policyRoutes } from './routes/policy.ts';
import { providerRoutes } from './routes/providers.ts';
import { serverContentRoutes } from './routes/server-contents.ts';
import { serverImportRoutes } from './routes/server-import.ts';
import { serverSignInRoutes } from './routes/server-sign-in.ts';
import { serverRoutes } from './routes/servers.ts';
import { signInRoutes } from './routes/sign-in.ts';
import { streamRoutes } from './routes/streams.ts';
import { toolCallRoutes } from './routes/tool-calls.ts';
import { topicRoutes } from './routes/topics.ts';
import { usageRoutes } from './routes/usage.ts';
import { userRoutes } from './routes/users.ts';

export interface AppOptions extends ReachOptions {
  logger: Logger;
  /** Values of the Host header that are ours; asked each time, since the port may not be known yet. */
  allowedHosts: () => ReadonlySet<string>;
  isDraining?: () => boolean;
  /** The folder of the built page; absent: the API alone. */
  webRoot?: string;
}

/** The whole HTTP surface as a function from Request to Response; it needs no port. */
interface App {
  /** Every route with its access. */
  routes: readonly { method: string; path: string; access: Access }[];
  /** `from` says who is at the other end of the connection. */
  fetch(input: string | URL | Request, init?: RequestInit, from?: Peer): Promise<Response>;
}

export function createApp(host: Host, options: AppOptions): App {
  const { isDraining = () => false } = options;
  const logger = host.troubles.counting(options.logger);
  const app = new Hono<Env>();
  const api = new Api(app, host);
  app.onError((error) => presentError(error, logger));
  app.use(refuseForeignHost(options.allowedHosts));
  app.use(findReach(options));

  healthRoutes(api, host, isDraining);
  signInRoutes(api, host, options.publicUrl);
  oidcRoutes(api, host, logger, options.publicUrl);
  meRoutes(api, host);
  keyRoutes(api, host);
  userRoutes(api, host);
  topicRoutes(api, host);
  messageRoutes(api, host);
  fileRoutes(api, host);
  bundleRoutes(api, host);
  registryRoutes(api, host);
  pictureRoutes(api, host);
  eventRoutes(api, host);
  streamRoutes(api, host);
  toolCallRoutes(api, host);
  policyRoutes(api, host);
  inputRoutes(api, host);
  serverImportRoutes(api, host);
  serverRoutes(api, host);
  serverContentRoutes(api, host);
  serverSignInRoutes(api, host);
  modelRoutes(api, host);
  providerRoutes(api, host);
  assistantRoutes(api, host);
  usageRoutes(api, host);
  dataRoutes(api, host);
  aboutRoutes(api, host);
  api.page(
    { path: '/api/openapi.json', access: read },
    async () => new Response(api.describe(), { headers: { 'content-type': 'application/json' } }),
  );
  if (options.webRoot) webPages(api, options.webRoot);
  app.all('*', (c) => {
    refuseForeignPage(c.req.raw, 'own');
    throw new CeriseError(
      'not_found',
      say('nothing-at')`There is nothing at ${c.req.path.slice(0, 200)}.`,
      {
        hint: say('nothing-at-hint')`See GET /api/openapi.json for all endpoints.`,
      },
    );
  });
  return {
    routes: api.routes,
    fetch: async (input, init, from = {}) =>
      withSafeHeaders(
        await app.fetch(input instanceof Request && !init ? input : new Request(input, init), from),
      ),
  };
}
