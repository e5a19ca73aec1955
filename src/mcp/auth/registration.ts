import { z } from 'zod';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { isLoopback } from '#shared/text/loopback.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { ServerAuth } from '#shared/vocabulary/server-auth.ts';
import { answerBytes, answerMs, type Ask, parseObject, quoted, signInFailed } from './ask.ts';
import { configuredClient, type OAuthClient } from './client-auth.ts';
import type { AuthorizationServer } from './metadata.ts';

/** Who we say we are. */
export interface ClientIdentity {
  /** Shown to people on consent pages. */
  name: string;
  /** The public https address of our client-id metadata document, where there is one. */
  metadataUrl?: string;
  /** The redirect addresses that document lists. */
  redirectUris?: readonly string[];
}

/** The client-id metadata document that belongs at `metadataUrl`. */
export function clientMetadata(
  identity: ClientIdentity & Required<Pick<ClientIdentity, 'metadataUrl' | 'redirectUris'>>,
): JsonObject {
  return {
    client_id: identity.metadataUrl,
    client_uri: new URL(identity.metadataUrl).origin,
    ...description(identity.name, [...identity.redirectUris]),
    token_endpoint_auth_method: 'none',
  };
}

/** What a registration was made with, so that it can be used again. */
export const registrationSchema = z.object({
  id: z.string(),
  secret: z.string().optional(),
  method: z.string().optional(),
  redirectUri: z.string(),
  /** Milliseconds; absent if the secret does not run out. */
  secretExpiresAt: z.number().optional(),
});
export type Registration = z.infer<typeof registrationSchema>;

/** What decides which client is used for a sign-in. */
export interface RegistrationRequest {
  server: AuthorizationServer;
  redirectUri: string;
  identity: ClientIdentity;
  settings?: ServerAuth | undefined;
  /** An earlier registration with the same issuer. */
  known?: Registration | undefined;
  now: number;
}

/**
 * The client for a sign-in: the configured one, our metadata document, an earlier registration or a
 * new one (then `made` is to be kept). Throws CeriseError where only a person can help.
 */
export async function findClient(
  ask: Ask,
  request: RegistrationRequest,
): Promise<{ client: OAuthClient; made?: Registration }> {
  const configured = configuredClient(request.settings);
  if (configured) return { client: configured };
  const { metadataUrl } = request.identity;
  if (metadataUrl !== undefined && suitsDocument(request)) {
    return { client: { id: metadataUrl, source: 'document' } };
  }
  if (request.known && isUsable(request.known, request)) return { client: asClient(request.known) };
  const made = await register(ask, request);
  return { client: asClient(made), made };
}

function suitsDocument({ server, identity, redirectUri }: RegistrationRequest): boolean {
  const url = URL.parse(identity.metadataUrl ?? '');
  if (!server.clientMetadataDocuments || url?.protocol !== 'https:') return false;
  if (url.pathname === '/') return false;
  return identity.redirectUris?.some((listed) => isSameRedirect(listed, redirectUri)) ?? true;
}

/** Ports of loopback addresses are free to differ (RFC 8252). */
function isSameRedirect(listed: string, used: string): boolean {
  if (listed === used) return true;
  const [one, other] = [URL.parse(listed), URL.parse(used)];
  if (!one || !other || !isLoopback(one) || one.protocol !== 'http:') return false;
  one.port = other.port;
  return one.href === other.href;
}

function isUsable(registration: Registration, { redirectUri, now }: RegistrationRequest): boolean {
  const { secretExpiresAt } = registration;
  return registration.redirectUri === redirectUri && !(secretExpiresAt && secretExpiresAt <= now);
}

function asClient({ id, secret, method }: Registration): OAuthClient {
  return { id, source: 'registered', secret, method };
}

const answerSchema = z.object({
  client_id: z.string().min(1).max(2048),
  client_secret: z.string().min(1).max(8192).optional().catch(undefined),
  client_secret_expires_at: z.number().positive().optional().catch(undefined),
  token_endpoint_auth_method: z.string().optional().catch(undefined),
});

async function register(ask: Ask, request: RegistrationRequest): Promise<Registration> {
  const { server, redirectUri, identity } = request;
  if (server.registrationEndpoint === undefined) throw needsClient(request);
  const url = new URL(server.registrationEndpoint);
  const answer = await ask({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...description(identity.name, [redirectUri]),
      token_endpoint_auth_method: wantedMethod(server.authMethods),
      application_type: isLoopback(new URL(redirectUri)) ? 'native' : 'web',
    }),
    maxBytes: answerBytes,
    time: answerMs,
  });
  if (answer.status === 404 || answer.status === 405) throw needsClient(request);
  const body = parseObject(answer.text);
  const parsed = answerSchema.safeParse(body);
  if (answer.status >= 300 || !parsed.success)
    throw refused(request, url.host, answer.status, body);
  const { client_secret_expires_at: expiresAt, ...data } = parsed.data;
  return {
    id: data.client_id,
    redirectUri,
    secret: data.client_secret,
    method: data.token_endpoint_auth_method,
    secretExpiresAt: expiresAt && expiresAt * 1000,
  };
}

function description(name: string, redirectUris: string[]): JsonObject {
  return {
    client_name: name,
    redirect_uris: redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };
}

/** A client that runs on people's machines keeps no secret, so it asks for one only if it must. */
function wantedMethod(supported: readonly string[] | undefined): string {
  if (!supported || supported.includes('none')) return 'none';
  const methods = ['client_secret_basic', 'client_secret_post'];
  return methods.find((method) => supported.includes(method)) ?? 'none';
}

function needsClient({ server, identity, redirectUri }: RegistrationRequest): CeriseError {
  const { host } = new URL(server.issuer);
  const details = clientDetails(server, redirectUri);
  if (!server.clientMetadataDocuments)
    return new CeriseError(
      'sign_in_required',
      say('auth-no-registration')`${host} doesn't let clients register automatically.`,
      {
        hint: say(
          'auth-no-registration-hint',
        )`Register Cerise there with the redirect URI ${redirectUri}, then enter its client ID. If the server uses an API key, set it as a header.`,
        details,
      },
    );
  const { metadataUrl } = identity;
  return new CeriseError(
    'sign_in_required',
    say('auth-documents-only')`${host} only accepts clients that have a public https URL.`,
    {
      hint:
        metadataUrl === undefined
          ? say(
              'auth-documents-hint',
            )`Set CERISE_PUBLIC_URL to this host's https URL and restart Cerise. Or register Cerise at ${host} with the redirect URI ${redirectUri}, then enter its client ID.`
          : say(
              'auth-documents-elsewhere-hint',
            )`Open Cerise at ${new URL(metadataUrl).origin} and sign in there. Or register Cerise at ${host} with the redirect URI ${redirectUri}, then enter its client ID.`,
      details,
    },
  );
}

/** What a person needs to know to register a client by hand. */
function clientDetails(server: AuthorizationServer, redirectUri: string): JsonObject {
  return { issuer: server.issuer, needs: 'client_id', redirectUri };
}

function refused(
  { server, redirectUri }: RegistrationRequest,
  host: string,
  status: number,
  body: Record<string, unknown> | undefined,
) {
  const text = (name: string): string => (typeof body?.[name] === 'string' ? body[name] : '');
  const why = [text('error'), text('error_description')].filter((part) => part !== '').join(': ');
  const isTheirs = status >= 500 || status === 429;
  return signInFailed(
    say(
      'auth-registration-refused',
    )`${host} rejected the registration of Cerise (${quoted(why) || `HTTP ${status}`}).`,
    {
      hint: isTheirs
        ? say(
            'auth-register-later',
          )`Try again later, or register Cerise there with the redirect URI ${redirectUri} and enter its client ID.`
        : say(
            'auth-register-by-hand',
          )`Register Cerise there with the redirect URI ${redirectUri}, then enter its client ID.`,
      details: { ...clientDetails(server, redirectUri), status },
    },
  );
}
