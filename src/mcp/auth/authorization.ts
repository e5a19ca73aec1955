import { createHash, randomBytes } from 'node:crypto';
import { say } from '#shared/errors/sentence.ts';
import { quoted, signInFailed } from './ask.ts';
import type { Discovery } from './discovery.ts';

/** Random text nobody can guess, fit for a URL: a `state`, or the verifier of PKCE. */
export function randomText(): string {
  return randomBytes(32).toString('base64url');
}

/** What a sign-in asks for, least first: the refusal's scopes, else the server's own list, else none. */
export function chooseScope(wishes: {
  discovery: Discovery;
  /** What the server's refusal asked for. */
  challenged?: readonly string[] | undefined;
  /** What a person configured: replaces the server's own list. */
  configured?: readonly string[] | undefined;
  /** What was asked for before, which a new token must not lose. */
  before?: readonly string[] | undefined;
}): string[] | undefined {
  const { discovery, challenged, configured, before = [] } = wishes;
  const first = configured
    ? [...configured, ...(challenged ?? [])]
    : (challenged ?? discovery.scopes ?? []);
  const scopes = [...before, ...first].filter((name) => name !== 'offline_access');
  // Alone it would replace what the authorization server gives to those who ask for nothing.
  if (scopes.length === 0) return undefined;
  if (discovery.authorizationServer.offlineAccess) scopes.push('offline_access');
  return [...new Set(scopes)];
}

/** The address to which a person's browser is sent. */
export function authorizationUrl(request: {
  discovery: Discovery;
  clientId: string;
  redirectUri: string;
  state: string;
  verifier: string;
  scope?: readonly string[] | undefined;
  dpopThumbprint?: string | undefined;
}): URL {
  const { discovery, scope, dpopThumbprint } = request;
  const { authorizationEndpoint, pkce, issuer } = discovery.authorizationServer;
  if (authorizationEndpoint === undefined) {
    throw signInFailed(say('auth-no-page')`${new URL(issuer).host} doesn't offer a sign-in page.`, {
      hint: say(
        'auth-machines',
      )`If it's meant for machine access, configure client credentials for this server.`,
    });
  }
  if (!pkce) {
    throw signInFailed(say('auth-no-pkce')`${new URL(issuer).host} doesn't support PKCE (S256).`, {
      hint: say(
        'auth-no-pkce-hint',
      )`Cerise requires PKCE, because without it a stolen authorization code could be misused. Contact the server's owner.`,
    });
  }
  const url = new URL(authorizationEndpoint);
  const parameters = {
    response_type: 'code',
    client_id: request.clientId,
    redirect_uri: request.redirectUri,
    state: request.state,
    code_challenge: createHash('sha256').update(request.verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource: discovery.resource,
    ...(scope && { scope: scope.join(' ') }),
    ...(dpopThumbprint !== undefined && { dpop_jkt: dpopThumbprint }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  if (scope?.includes('offline_access')) url.searchParams.append('prompt', 'consent');
  return url;
}

/** What a redirect back to us carries; a parameter that is there twice is as if not there. */
export interface Callback {
  state?: string | undefined;
  code?: string | undefined;
  issuer?: string | undefined;
  error?: string | undefined;
  errorDescription?: string | undefined;
}

/** Reads the address a browser came back to. */
export function readCallback(url: URL): Callback {
  const one = (name: string): string | undefined => {
    const values = url.searchParams.getAll(name);
    return values.length === 1 && values[0] !== '' ? values[0] : undefined;
  };
  return {
    state: one('state'),
    code: one('code'),
    issuer: one('iss'),
    error: one('error'),
    errorDescription: one('error_description'),
  };
}

/**
 * The code of a callback whose `state` led to this flow. The issuer is judged first (RFC 9207), and
 * nothing a wrong issuer says is shown. Throws CeriseError `sign_in_failed`.
 */
export function acceptCallback(
  callback: Callback,
  flow: { issuer: string; namesIssuer: boolean },
): string {
  if (callback.issuer === undefined ? flow.namesIssuer : callback.issuer !== flow.issuer) {
    throw signInFailed(
      say(
        'auth-other-origin',
      )`The response doesn't come from the authorization server where the sign-in started.`,
      {
        hint: say(
          'auth-tampered',
        )`It may have been tampered with. Nothing was sent. Sign in again.`,
        details: { reason: 'wrong_issuer' },
      },
    );
  }
  if (callback.error !== undefined) throw errorRedirect(callback);
  if (callback.code !== undefined) return callback.code;
  throw signInFailed(
    say('auth-no-code')`The authorization server's response has no authorization code.`,
    {
      details: { reason: 'no_code' },
    },
  );
}

function errorRedirect({ error = '', errorDescription = '' }: Callback): Error {
  const why = quoted(errorDescription === '' ? error : `${error}: ${errorDescription}`);
  const denied = error === 'access_denied';
  const message = denied
    ? say('auth-declined')`Access was denied (${why}).`
    : say('auth-refused')`The authorization server rejected the sign-in (${why}).`;
  return signInFailed(message, {
    hint: denied
      ? say('auth-allow-access')`Sign in again and allow access.`
      : say('auth-check-client')`Check the client ID and the scopes.`,
    details: { reason: 'error_redirect', error: quoted(error) },
  });
}
