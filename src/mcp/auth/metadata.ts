import { z } from 'zod';
import { say } from '#shared/errors/sentence.ts';
import { signInFailed } from './ask.ts';
import { splitScope } from './challenge.ts';
import { dpopAlgorithm } from './dpop.ts';
import { checkEndpoint, resourceCovers } from './endpoint-url.ts';

const names = z.array(z.string().max(256)).max(1000);

const resourceMetadataSchema = z.object({
  resource: z.string(),
  authorization_servers: z.array(z.unknown()).max(20).optional().catch(undefined),
  scopes_supported: names.optional().catch(undefined),
  dpop_bound_access_tokens_required: z.boolean().optional().catch(undefined),
});

/** What a protected server says about itself (RFC 9728), judged. */
export interface ResourceMetadata {
  /** As it was published: it is sent back letter by letter. */
  resource: string;
  issuers: string[];
  scopes?: string[] | undefined;
  dpopRequired: boolean;
}

/** Undefined if the text is no such document. Throws CeriseError if it is about another server. */
export function readResourceMetadata(document: unknown, server: URL): ResourceMetadata | undefined {
  const parsed = resourceMetadataSchema.safeParse(document);
  if (!parsed.success) return undefined;
  const { resource, authorization_servers: servers = [], scopes_supported: scopes } = parsed.data;
  if (!resourceCovers(resource, server)) {
    throw signInFailed(
      say(
        'auth-other-resource',
      )`Sign-in stopped: the server identifies itself as a different server.`,
      {
        hint: say(
          'auth-other-resource-hint',
        )`Its protected resource metadata contains a different URL from the one configured here.`,
      },
    );
  }
  return {
    resource,
    issuers: servers.map((issuer) => checkIssuer(issuer, server)),
    scopes: scopes && splitScope(scopes.join(' ')),
    dpopRequired: parsed.data.dpop_bound_access_tokens_required === true,
  };
}

const serverMetadataSchema = z.object({
  issuer: z.string(),
  authorization_endpoint: z.unknown().optional(),
  token_endpoint: z.unknown().optional(),
  registration_endpoint: z.unknown().optional(),
  revocation_endpoint: z.unknown().optional(),
  scopes_supported: names.optional().catch(undefined),
  grant_types_supported: names.optional().catch(undefined),
  code_challenge_methods_supported: names.optional().catch(undefined),
  token_endpoint_auth_methods_supported: names.optional().catch(undefined),
  token_endpoint_auth_signing_alg_values_supported: names.optional().catch(undefined),
  dpop_signing_alg_values_supported: names.optional().catch(undefined),
  authorization_response_iss_parameter_supported: z.boolean().optional().catch(undefined),
  client_id_metadata_document_supported: z.boolean().optional().catch(undefined),
});

/** What an authorization server says about itself (RFC 8414 or OpenID Connect), judged. */
export const authorizationServerSchema = z.object({
  issuer: z.string(),
  tokenEndpoint: z.string(),
  authorizationEndpoint: z.string().optional(),
  registrationEndpoint: z.string().optional(),
  revocationEndpoint: z.string().optional(),
  /** PKCE with S256 is offered. */
  pkce: z.boolean(),
  offlineAccess: z.boolean(),
  /** Its redirects always name the issuer (RFC 9207). */
  namesIssuer: z.boolean(),
  clientMetadataDocuments: z.boolean(),
  dpop: z.boolean(),
  authMethods: z.array(z.string()).optional(),
  authAlgorithms: z.array(z.string()).optional(),
});
export type AuthorizationServer = z.infer<typeof authorizationServerSchema>;

/** Undefined if the text is no such document. Throws CeriseError if it is another issuer's or unsafe. */
export function readServerMetadata(
  document: unknown,
  issuer: string,
  server: URL,
): AuthorizationServer | undefined {
  const parsed = serverMetadataSchema.safeParse(document);
  if (!parsed.success) return undefined;
  const { data } = parsed;
  if (!isSameIssuer(data.issuer, issuer)) {
    throw signInFailed(
      say(
        'auth-other-issuer',
      )`Sign-in stopped: the authorization server reports a different issuer.`,
      {
        hint: say(
          'auth-other-issuer-hint',
        )`The issuer in its metadata must exactly match the one the server points to.`,
      },
    );
  }
  const endpoint = (name: string, text: unknown): string | undefined =>
    text === undefined ? undefined : checkEndpoint(text, name, server).href;
  return {
    issuer: data.issuer,
    tokenEndpoint: checkEndpoint(data.token_endpoint, 'token_endpoint', server).href,
    authorizationEndpoint: endpoint('authorization_endpoint', data.authorization_endpoint),
    registrationEndpoint: endpoint('registration_endpoint', data.registration_endpoint),
    revocationEndpoint: endpoint('revocation_endpoint', data.revocation_endpoint),
    pkce: data.code_challenge_methods_supported?.includes('S256') === true,
    offlineAccess: data.scopes_supported?.includes('offline_access') === true,
    namesIssuer: data.authorization_response_iss_parameter_supported === true,
    clientMetadataDocuments: data.client_id_metadata_document_supported === true,
    dpop: data.dpop_signing_alg_values_supported?.includes(dpopAlgorithm) === true,
    authMethods: data.token_endpoint_auth_methods_supported,
    authAlgorithms: data.token_endpoint_auth_signing_alg_values_supported,
  };
}

/** What the 2025-03-26 revision assumes of a server that publishes nothing. */
export function defaultServerMetadata(origin: string): AuthorizationServer {
  return {
    issuer: origin,
    tokenEndpoint: `${origin}/token`,
    authorizationEndpoint: `${origin}/authorize`,
    registrationEndpoint: `${origin}/register`,
    pkce: true,
    offlineAccess: false,
    namesIssuer: false,
    clientMetadataDocuments: false,
    dpop: false,
  };
}

/** An issuer as it was written, if a sign-in may go there. */
export function checkIssuer(issuer: unknown, server: URL): string {
  const url = checkEndpoint(issuer, say('auth-server')`the authorization server`, server);
  if (url.search !== '')
    throw signInFailed(
      say('auth-issuer-query')`Sign-in stopped: the issuer URL has a query string.`,
    );
  return String(issuer);
}

/** Letter by letter, but for the slash that URL parsers put after a bare host. */
export function isSameIssuer(one: string, other: string): boolean {
  return one === other || withoutRootSlash(one) === withoutRootSlash(other);
}

function withoutRootSlash(issuer: string): string {
  return /^https?:\/\/[^/]+\/$/.test(issuer) ? issuer.slice(0, -1) : issuer;
}
