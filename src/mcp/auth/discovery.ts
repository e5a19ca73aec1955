import { z } from 'zod';
import { say } from '#shared/errors/sentence.ts';
import { answerBytes, answerMs, type Ask, parseObject, signInFailed } from './ask.ts';
import { canonicalResource, checkEndpoint } from './endpoint-url.ts';
import {
  type AuthorizationServer,
  authorizationServerSchema,
  checkIssuer,
  defaultServerMetadata,
  isSameIssuer,
  readResourceMetadata,
  readServerMetadata,
  type ResourceMetadata,
} from './metadata.ts';

/** Who gives out tokens for a server, and what the server wants of them. */
export const discoverySchema = z.object({
  resource: z.string(),
  scopes: z.array(z.string()).optional(),
  dpopRequired: z.boolean(),
  /** Nobody published anything: the paths are those of the 2025-03-26 revision. */
  assumed: z.boolean(),
  authorizationServer: authorizationServerSchema,
});
export type Discovery = z.infer<typeof discoverySchema>;

/** Where to look, and whom to expect. */
export interface DiscoveryRequest {
  server: URL;
  /** The address the server's refusal named. */
  resourceMetadata?: string | undefined;
  /** The only issuer to accept. */
  requiredIssuer?: string | undefined;
  /** The issuer to stay with if the server still names it. */
  knownIssuer?: string | undefined;
}

/** Asks the server and its authorization server who they are. Throws CeriseError. */
export async function discover(ask: Ask, request: DiscoveryRequest): Promise<Discovery> {
  const { server } = request;
  const resource = await findResourceMetadata(ask, request);
  const issuer = chooseIssuer(resource, request);
  const found =
    issuer === undefined
      ? await readFirst(ask, checkIssuer(server.origin, server), server)
      : await findAuthorizationServer(ask, issuer, server);
  return {
    resource: resource?.resource ?? canonicalResource(server),
    scopes: resource?.scopes,
    dpopRequired: resource?.dpopRequired ?? false,
    assumed: found === undefined,
    // Before 2025-06-18 a server was its own authorization server.
    authorizationServer: found ?? defaultServerMetadata(server.origin),
  };
}

/** The addresses of a protected resource's metadata, in the order of the specification. */
export function resourceMetadataUrls(server: URL): URL[] {
  const wellKnown = '/.well-known/oauth-protected-resource';
  const path = server.pathname.replace(/\/+$/, '');
  const root = new URL(wellKnown, server.origin);
  return path === ''
    ? [root]
    : [new URL(`${wellKnown}${path}${server.search}`, server.origin), root];
}

/** The addresses of an authorization server's metadata, in the order of the specification. */
export function serverMetadataUrls(issuer: string): URL[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/+$/, '');
  const all = [
    `/.well-known/oauth-authorization-server${path}`,
    `/.well-known/openid-configuration${path}`,
    ...(path === '' ? [] : [`${path}/.well-known/openid-configuration`]),
  ];
  return all.map((place) => new URL(`${origin}${place}`));
}

async function findResourceMetadata(
  ask: Ask,
  { server, resourceMetadata }: DiscoveryRequest,
): Promise<ResourceMetadata | undefined> {
  const named =
    resourceMetadata === undefined
      ? []
      : [checkEndpoint(resourceMetadata, 'resource_metadata', server)];
  for (const url of [...named, ...resourceMetadataUrls(server)]) {
    const metadata = readResourceMetadata(await fetchDocument(ask, url, server), server);
    if (metadata) return metadata;
  }
  return undefined;
}

/** Undefined where the server names nobody and the configuration neither. */
function chooseIssuer(
  resource: ResourceMetadata | undefined,
  { server, requiredIssuer, knownIssuer }: DiscoveryRequest,
): string | undefined {
  const named = resource?.issuers ?? [];
  const pick = (issuer: string): string | undefined =>
    named.find((candidate) => isSameIssuer(candidate, issuer));
  if (requiredIssuer === undefined) {
    return (knownIssuer === undefined ? undefined : pick(knownIssuer)) ?? named[0];
  }
  if (named.length === 0) return checkIssuer(requiredIssuer, server);
  const chosen = pick(requiredIssuer);
  if (chosen !== undefined) return chosen;
  throw signInFailed(
    say(
      'auth-server-changed',
    )`The server no longer uses the authorization server that's configured for it.`,
    {
      hint: say(
        'auth-server-changed-hint',
      )`Check with the server's owner, then update its authorization server and client.`,
    },
  );
}

async function findAuthorizationServer(
  ask: Ask,
  issuer: string,
  server: URL,
): Promise<AuthorizationServer> {
  const metadata = await readFirst(ask, issuer, server);
  if (metadata) return metadata;
  throw signInFailed(
    say('auth-no-metadata')`${new URL(issuer).host} doesn't describe how to sign in.`,
    {
      hint: say(
        'auth-no-metadata-hint',
      )`It publishes neither OAuth nor OpenID Connect metadata. Contact the server's owner.`,
    },
  );
}

async function readFirst(
  ask: Ask,
  issuer: string,
  server: URL,
): Promise<AuthorizationServer | undefined> {
  for (const url of serverMetadataUrls(issuer)) {
    const metadata = readServerMetadata(await fetchDocument(ask, url, server), issuer, server);
    if (metadata) return metadata;
  }
  return undefined;
}

/** Undefined where nothing is there: a 4xx, or a page made for people. */
async function fetchDocument(ask: Ask, url: URL, server: URL): Promise<unknown> {
  const answer = await ask({ method: 'GET', url, maxBytes: answerBytes, time: answerMs });
  checkEndpoint(answer.url.href, say('auth-metadata-address')`the metadata URL`, server);
  if (answer.status === 200) return parseObject(answer.text);
  if (answer.status >= 400 && answer.status < 500) return undefined;
  throw signInFailed(
    say(
      'auth-metadata-status',
    )`${url.host} responded with HTTP status ${answer.status} instead of metadata.`,
    {
      hint: say('try-later')`Try again later.`,
      details: { status: answer.status },
    },
  );
}
