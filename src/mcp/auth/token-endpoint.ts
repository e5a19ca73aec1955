import { z } from 'zod';
import type { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { HttpAnswer } from '../http/http-request.ts';
import { answerBytes, answerMs, type Ask, parseObject, quoted, signInFailed } from './ask.ts';
import { type ClientProof, type OAuthClient, proveClient } from './client-auth.ts';
import type { DpopProver } from './dpop.ts';
import type { AuthorizationServer } from './metadata.ts';

const tokenText = z
  .string()
  .regex(/^[\u0021-\u007e]+$/)
  .max(65_536);

const tokenAnswerSchema = z.object({
  access_token: tokenText,
  token_type: z.string().optional(),
  issued_token_type: z.string().optional(),
  expires_in: z
    .union([z.number(), z.string().regex(/\d/)])
    .transform(Number)
    .pipe(z.number().nonnegative())
    .optional()
    .catch(undefined),
  refresh_token: tokenText.optional().catch(undefined),
  scope: z.string().max(8192).optional().catch(undefined),
});

/** What a token endpoint gave. Times are milliseconds. */
export interface TokenAnswer {
  accessToken: string;
  tokenType: 'Bearer' | 'DPoP';
  refreshToken?: string | undefined;
  scope?: string | undefined;
  expiresAt?: number | undefined;
}

/** The fields of a form; those that are undefined are not sent. */
type Form = Record<string, string | undefined>;

/** One request to a token endpoint. */
export interface TokenRequest {
  server: Pick<AuthorizationServer, 'issuer' | 'tokenEndpoint' | 'authMethods' | 'authAlgorithms'>;
  client: OAuthClient;
  parameters: Form;
  dpop?: DpopProver | undefined;
  now: () => number;
}

/**
 * Asks for a token. Nothing of what is sent appears in an error; `details.error` of one holds the
 * OAuth code, where the server gave one.
 */
export async function requestToken(ask: Ask, request: TokenRequest): Promise<TokenAnswer> {
  const { client, server, now } = request;
  const proof = proveClient(client, server, now());
  const form = { ...request.parameters, ...proof.parameters };
  const answer = await post(ask, proof, form, request);
  const given = readTokenAnswer(answer, { ...form, client_secret: client.secret });
  const tokenType = readTokenType(given.token_type);
  if (tokenType === 'DPoP' && !request.dpop) {
    throw signInFailed(
      say(
        'auth-token-key',
      )`The authorization server issued a token bound to a key that Cerise didn't offer.`,
    );
  }
  return {
    accessToken: given.access_token,
    tokenType,
    refreshToken: given.refresh_token,
    scope: given.scope,
    expiresAt: given.expires_in === undefined ? undefined : now() + given.expires_in * 1000,
  };
}

/** Trades a person's identity token for a grant at another authorization server (RFC 8693, ID-JAG). */
export async function exchangeIdentity(
  ask: Ask,
  exchange: {
    endpoint: URL;
    clientId: string;
    clientSecret?: string | undefined;
    idToken: string;
    issuer: string;
    resource: string;
    scope?: string | undefined;
  },
): Promise<string> {
  const grantType = 'urn:ietf:params:oauth:token-type:id-jag';
  const parameters = {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    requested_token_type: grantType,
    audience: exchange.issuer,
    resource: exchange.resource,
    subject_token: exchange.idToken,
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    client_id: exchange.clientId,
    client_secret: exchange.clientSecret,
    scope: exchange.scope,
  };
  const answer = await postForm(ask, exchange.endpoint, {}, parameters);
  const given = readTokenAnswer(answer, parameters);
  if (given.issued_token_type === grantType) return given.access_token;
  throw signInFailed(
    say('auth-token-kind')`The identity provider issued a different type of token than requested.`,
    {
      hint: say(
        'auth-token-kind-hint',
      )`It must support identity assertion grants (ID-JAG) for this server.`,
    },
  );
}

/** Tells the authorization server that a token is no longer used (RFC 7009). Throws CeriseError. */
export async function revokeToken(
  ask: Ask,
  request: Pick<TokenRequest, 'server' | 'client' | 'now'> & {
    endpoint: string;
    token: string;
    hint: 'refresh_token' | 'access_token';
  },
): Promise<void> {
  const proof = proveClient(request.client, request.server, request.now());
  const parameters = { token: request.token, token_type_hint: request.hint, ...proof.parameters };
  const answer = await postForm(ask, new URL(request.endpoint), proof.headers, parameters);
  if (answer.status !== 200) throw refusal(answer, parameters);
}

/** One retry where the server wants its own nonce in the proof. */
async function post(
  ask: Ask,
  proof: ClientProof,
  form: Form,
  { server, dpop, now }: TokenRequest,
): Promise<HttpAnswer> {
  const url = new URL(server.tokenEndpoint);
  const send = (nonce?: string): Promise<HttpAnswer> => {
    const dpopProof = dpop?.prove({ method: 'POST', url, now: now(), nonce });
    return postForm(ask, url, { ...proof.headers, ...(dpopProof && { dpop: dpopProof }) }, form);
  };
  const answer = await send();
  const nonce = answer.headers['dpop-nonce'];
  const wantsNonce = parseObject(answer.text)?.['error'] === 'use_dpop_nonce';
  return answer.status === 400 && wantsNonce && nonce && dpop ? await send(nonce) : answer;
}

function postForm(
  ask: Ask,
  url: URL,
  headers: Record<string, string>,
  form: Form,
): Promise<HttpAnswer> {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(form)) if (value !== undefined) body.set(name, value);
  return ask({
    method: 'POST',
    url,
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    body: body.toString(),
    maxBytes: answerBytes,
    time: answerMs,
  });
}

function readTokenAnswer(answer: HttpAnswer, sent: Form): z.infer<typeof tokenAnswerSchema> {
  if (answer.status !== 200) throw refusal(answer, sent);
  const parsed = tokenAnswerSchema.safeParse(parseObject(answer.text));
  if (parsed.success) return parsed.data;
  throw signInFailed(say('auth-no-token')`${answer.url.host} didn't return a token.`, {
    hint: say('auth-no-token-hint')`Its token endpoint doesn't follow OAuth 2. Contact its owner.`,
  });
}

function readTokenType(type: string | undefined): 'Bearer' | 'DPoP' {
  const name = (type ?? 'bearer').toLowerCase();
  if (name === 'bearer') return 'Bearer';
  if (name === 'dpop') return 'DPoP';
  throw signInFailed(say('auth-token-type')`Tokens of type "${quoted(name)}" aren't supported.`);
}

function refusal(answer: HttpAnswer, sent: Form): CeriseError {
  const body = parseObject(answer.text) ?? {};
  const shown = (value: unknown): string => (typeof value === 'string' ? hide(value, sent) : '');
  const error = shown(body['error']);
  const reason = [error, shown(body['error_description'])].filter((text) => text !== '').join(': ');
  const what =
    reason === ''
      ? say('auth-with-status')`the request with HTTP status ${answer.status}`
      : say('auth-the-request')`the request (${reason})`;
  return signInFailed(say('auth-refused-what')`${answer.url.host} rejected ${what}.`, {
    details: { status: answer.status, error: error === '' ? undefined : error },
  });
}

const minSecretChars = 6;

/** A server may echo what it was sent, so that is taken out first. */
function hide(text: string, sent: Form): string {
  let shown = text;
  for (const [name, value = ''] of Object.entries(sent)) {
    const open = ['grant_type', 'scope', 'resource', 'client_id', 'redirect_uri'].includes(name);
    if (!open && value.length >= minSecretChars) shown = shown.replaceAll(value, '•••');
  }
  return quoted(shown);
}
