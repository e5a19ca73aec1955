import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { ServerAuth } from '#shared/vocabulary/server-auth.ts';
import { type Ask, signInFailed } from './ask.ts';
import { splitScope } from './challenge.ts';
import { configuredClient, type OAuthClient } from './client-auth.ts';
import type { Discovery } from './discovery.ts';
import { createDpopProver, type DpopProver } from './dpop.ts';
import type { Tokens } from './records.ts';
import { requestToken, type TokenAnswer } from './token-endpoint.ts';

/** Puts what a token endpoint gave together with all that is needed to renew it. */
export function makeTokens(made: {
  answer: TokenAnswer;
  serverUrl: string;
  discovery: Discovery;
  grant: string;
  client: OAuthClient;
  requestedScope?: string[] | undefined;
  dpopKey?: string | undefined;
  now: number;
}): Tokens {
  const { answer, discovery, requestedScope, now } = made;
  const { issuer, tokenEndpoint, revocationEndpoint, authMethods, authAlgorithms } =
    discovery.authorizationServer;
  return {
    serverUrl: made.serverUrl,
    resource: discovery.resource,
    issuer,
    tokenEndpoint,
    revocationEndpoint,
    authMethods,
    authAlgorithms,
    grant: made.grant,
    client: withoutSecrets(made.client),
    accessToken: answer.accessToken,
    tokenType: answer.tokenType,
    refreshToken: answer.refreshToken,
    dpopKey: made.dpopKey,
    scope: answer.scope === undefined ? requestedScope : splitScope(answer.scope),
    requestedScope,
    obtainedAt: now,
    expiresAt: answer.expiresAt,
  };
}

/** The value of `Authorization`. */
export function authorizationValue({ tokenType, accessToken }: Tokens): string {
  return `${tokenType} ${accessToken}`;
}

const maxMarginMs = 30_000;

/** Whether tokens are about to run out: in the last tenth of their life, but at most 30 s before. */
export function isEnding({ obtainedAt, expiresAt }: Tokens, now: number): boolean {
  if (expiresAt === undefined) return false;
  return now >= expiresAt - Math.min(maxMarginMs, (expiresAt - obtainedAt) / 10);
}

/** Whether nothing can be done with tokens any more without a person. */
export function isDead(tokens: Tokens, now: number): boolean {
  return (
    tokens.grant === 'authorization_code' &&
    tokens.refreshToken === undefined &&
    tokens.expiresAt !== undefined &&
    now >= tokens.expiresAt
  );
}

/** Tokens that were refused and cannot be renewed; what they were for is kept. */
export function withoutRefresh(tokens: Tokens, now: number): Tokens {
  const expiresAt = Math.min(tokens.expiresAt ?? now, now);
  return { ...tokens, refreshToken: undefined, expiresAt };
}

/**
 * New tokens for a refresh token, which goes to the endpoint it came from and nowhere else. Throws
 * CeriseError; `isGrantRefused` tells whether another attempt could ever succeed.
 */
export async function refreshTokens(
  ask: Ask,
  tokens: Tokens,
  settings: ServerAuth | undefined,
  now: () => number,
): Promise<Tokens> {
  const { refreshToken, requestedScope } = tokens;
  if (refreshToken === undefined)
    throw signInFailed(say('auth-no-refresh')`There is no refresh token.`);
  const answer = await requestToken(ask, {
    server: tokens,
    client: withSecrets(tokens.client, settings),
    parameters: {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      resource: tokens.resource,
    },
    dpop: proverOf(tokens),
    now,
  });
  return {
    ...tokens,
    accessToken: answer.accessToken,
    tokenType: answer.tokenType,
    refreshToken: answer.refreshToken ?? refreshToken,
    scope: answer.scope === undefined ? (tokens.scope ?? requestedScope) : splitScope(answer.scope),
    obtainedAt: now(),
    expiresAt: answer.expiresAt,
  };
}

/** Whether the authorization server said no, rather than failed to say anything. */
export function isGrantRefused(error: unknown): error is CeriseError {
  if (!(error instanceof CeriseError) || error.code !== 'sign_in_failed') return false;
  const { status, error: code } = (error.details ?? {}) as {
    status?: number | undefined;
    error?: string;
  };
  return code !== undefined && status !== undefined && status >= 400 && status < 500;
}

/** A stored client with the secrets that are not stored with it. */
export function withSecrets(client: OAuthClient, settings: ServerAuth | undefined): OAuthClient {
  if (client.source !== 'configured') return client;
  const configured = configuredClient(settings);
  if (configured?.id === client.id) return configured;
  throw signInFailed(
    say('auth-client-changed')`This server's client was changed after the sign-in.`,
    {
      hint: say('sign-in-again')`Sign in again.`,
    },
  );
}

/** The key of tokens that are bound to one. */
export function proverOf({ dpopKey }: { dpopKey?: string | undefined }): DpopProver | undefined {
  return dpopKey === undefined ? undefined : createDpopProver(dpopKey);
}

/** A client as it is stored: what is configured stays in the configuration. */
export function withoutSecrets(client: OAuthClient): OAuthClient {
  return client.source === 'configured' ? { id: client.id, source: 'configured' } : client;
}
