import { createMemoryCredentials } from '../fakes/memory-credentials.ts';
import { createAuthorizer } from '#mcp/auth/server-authorizer.ts';
import { SignInFlows } from '#mcp/auth/sign-in.ts';
import { createHttp } from '#mcp/http/http-client.ts';
import { requestText } from '#mcp/http/http-request.ts';
import type { McpServiceOptions } from '#mcp/service/mcp-service.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { usualLimits } from '#shared/vocabulary/limits.ts';
import { type ServerAuth, serverAuthSchema } from '#shared/vocabulary/server-auth.ts';
import { silentLogger } from '../fakes/mcp-servers.ts';

const redirectUri = 'http://127.0.0.1:4310/api/oauth/callback';
/** Far more than any honest server asks for. */
const mostSignIns = 10;

/** Credentials for a server and a person who signs in wherever a server asks for it. */
export interface SignIns {
  authorizer: NonNullable<McpServiceOptions['authorizer']>;
  /** Does the work, again after each sign-in that it turns out to need. */
  signedIn<T>(serverId: string, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** `context` holds the client's own credentials where a scenario has any. */
export function createSignIns(url: string, context: JsonObject): SignIns {
  const credentials = createMemoryCredentials();
  const http = createHttp({
    connectTime: usualLimits.connectTime,
    allow: (host) => host === 'localhost',
  });
  const settings = settingsFrom(context);
  const shared = {
    ...(settings && { settings }),
    ask: (request: Parameters<typeof requestText>[1]) => requestText(http, request),
  };
  const log = silentLogger;
  const flows = new SignInFlows({
    credentials,
    findServer: async () => ({ url, ...shared }),
    identity: {
      name: 'Cerise',
      metadataUrl: 'https://conformance-test.local/client-metadata.json',
    },
    log,
  });
  return {
    authorizer: ({ id, owner }) =>
      createAuthorizer({ server: { id, url, owner }, credentials, log, ...shared }),
    signedIn: (serverId, work) => signedIn(flows, serverId, work),
    close: () => http.close(),
  };
}

async function signedIn<T>(
  flows: SignInFlows,
  serverId: string,
  work: () => Promise<T>,
): Promise<T> {
  for (let round = 0; ; round += 1) {
    try {
      return await work();
    } catch (error) {
      const needed = error instanceof CeriseError && error.code === 'sign_in_required';
      if (!needed || round >= mostSignIns) throw error;
      const { scope } = (error.details ?? {}) as { scope?: string[] };
      const request = { owner: 'local', serverId, redirectUri, ...(scope && { scope }) };
      const { authorizationUrl } = await flows.begin(request);
      await flows.finish({ url: await visit(authorizationUrl) });
    }
  }
}

/** What a browser does there: goes where the page sends it. */
async function visit(address: string): Promise<string> {
  const response = await fetch(address, { redirect: 'manual' });
  const location = response.headers.get('location');
  if (location !== null) return new URL(location, address).href;
  throw new Error(`The sign-in page answered with ${response.status}.`);
}

/** The settings a person would enter for the credentials of a scenario. */
function settingsFrom(context: JsonObject): ServerAuth | undefined {
  if (context.client_id === undefined) return undefined;
  const settings = {
    grant: grantFor(context),
    clientId: context.client_id,
    clientSecret: context.client_secret,
    privateKey: context.private_key_pem,
    idpTokenEndpoint: context.idp_token_endpoint,
    idpClientId: context.idp_client_id,
    idToken: context.idp_id_token,
    assertion: context.valid_jwt,
  };
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  return serverAuthSchema.parse(Object.fromEntries(given));
}

function grantFor({ name, idp_id_token, valid_jwt }: JsonObject): string {
  if (idp_id_token !== undefined) return 'enterprise';
  if (valid_jwt !== undefined) return 'workload';
  const byItself = typeof name === 'string' && name.includes('client-credentials');
  return byItself ? 'client_credentials' : 'authorization_code';
}
