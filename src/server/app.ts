import { type Context, Hono } from 'hono';
import type { Host } from '#chat/host/host.ts';
import { CeriseError, type ErrorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { type Access, read } from './api/access.ts';
import { Api } from './api/api.ts';
import { type Peer, type Env } from './api/env.ts';
import { refuseForeignHost, refuseForeignPage } from './api/guard.ts';
import { presentError } from './api/present-error.ts';
import { findReach, issuerOf, type ReachOptions } from './api/reach.ts';
import { createChecks } from './http/readiness.ts';
import { withSafeHeaders } from './http/safe-headers.ts';
import { mcpRoutes } from './mcp/mcp-routes.ts';
import { vendorError, vendorOf } from './v1/v1-errors.ts';
import { webPages } from './pages/web-pages.ts';
import { aboutRoutes } from './routes/about.ts';
import { assistantRoutes } from './routes/assistants.ts';
import { dataRoutes } from './routes/data.ts';
import { eventRoutes } from './routes/events.ts';
import { bundleRoutes } from './routes/install/bundles.ts';
import { registryRoutes } from './routes/install/registry.ts';
import { fileRoutes } from './routes/files.ts';
import { healthRoutes } from './routes/probes/health.ts';
import { hostLogRoutes } from './routes/probes/host-logs.ts';
import { inputRoutes } from './routes/inputs.ts';
import { keyRoutes } from './routes/keys.ts';
import { meRoutes } from './routes/me.ts';
import { messageRoutes } from './routes/messages.ts';
import { metricsRoutes } from './routes/probes/metrics.ts';
import { modelRoutes } from './routes/models.ts';
import { grantRoutes } from './routes/oauth/grants.ts';
import { isForPrograms, oauthError } from './routes/oauth/oauth-errors.ts';
import { challengeFor } from './routes/oauth/oauth-paths.ts';
import { oauthRoutes } from './routes/oauth/oauth.ts';
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
import { v1Routes } from './routes/v1/v1.ts';

export interface AppOptions extends ReachOptions {
  /** Values of the Host header that are ours; asked each time, since the port may not be known yet. */
  allowedHosts: () => ReadonlySet<string>;
  isDraining?: () => boolean;
  /** How many connections are open; absent: there is no port. */
  connections?: () => number;
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
  const { logger } = host;
  const app = new Hono<Env>();
  const api = new Api(app, host);
  app.onError((error, c) => {
    const vendor = vendorOf(c.req.raw);
    const present = vendor
      ? (info: ErrorInfo) => vendorError(info, vendor)
      : isForPrograms(c.req.path)
        ? oauthError
        : undefined;
    return withChallenge(presentError(error, logger, present), c, options.publicUrl);
  });
  app.use(refuseForeignHost(options.allowedHosts));
  app.use(findReach(options));

  const findProblems = createChecks(host);
  healthRoutes(api, host, findProblems, isDraining);
  metricsRoutes(api, host, () => options.connections?.());
  signInRoutes(api, host, options.publicUrl);
  oidcRoutes(api, host, logger, options.publicUrl);
  meRoutes(api, host);
  keyRoutes(api, host);
  grantRoutes(api, host, options);
  oauthRoutes(api, host, options.publicUrl);
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
  hostLogRoutes(api, host);
  aboutRoutes(api, host, findProblems);
  mcpRoutes(api, host, { logger, publicUrl: options.publicUrl });
  v1Routes(api, host);
  api.page(
    { path: '/api/openapi.json', access: read },
    async () => new Response(api.describe(), { headers: { 'content-type': 'application/json' } }),
  );
  if (options.webRoot) webPages(api, host, options.webRoot);
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

/** Programs that speak MCP look there for how to show who they are. */
function withChallenge(response: Response, c: Context<Env>, publicUrl?: string): Response {
  const { pathname } = new URL(c.req.url);
  if (response.status !== 401 || !/^\/mcp(?:\/|$)/.test(pathname)) return response;
  const isWrong = c.req.header('authorization') !== undefined;
  const challenge = challengeFor(issuerOf(c, publicUrl), pathname, isWrong);
  response.headers.set('www-authenticate', challenge);
  return response;
}
