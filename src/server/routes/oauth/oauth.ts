import type { Context } from 'hono';
import { OAuthFailure } from '#chat/grants/oauth-failure.ts';
import type { ProgramTokens } from '#chat/grants/grants.ts';
import { authMethods } from '#chat/grants/program-metadata.ts';
import type { ProgramCredentials } from '#chat/grants/programs.ts';
import type { Host } from '#chat/host/host.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { type Access, everyone, json } from '../../api/access.ts';
import type { Api } from '../../api/api.ts';
import type { Env } from '../../api/env.ts';
import { readText } from '../../api/guard.ts';
import { parseBody } from '../../api/parse-body.ts';
import { issuerOf } from '../../api/reach.ts';
import { oauthFailure } from './oauth-errors.ts';
import { oauthPaths, resourceMetadataPaths, resourceOf } from './oauth-paths.ts';

/** For programs, wherever they run; cookies are not looked at. */
const program = { ...everyone, origins: 'any-without-cookies' } as const satisfies Access;
const form = { ...program, body: 'form' } as const satisfies Access;
/** The one scope: what a token may do is up to the person who gave it. */
const scope = 'mcp';

/** Cerise as the authorization server of its own `/mcp`: what programs ask for, in the words of OAuth 2.1. */
export function oauthRoutes(api: Api, host: Host, publicUrl?: string): void {
  for (const path of resourceMetadataPaths)
    api.page({ path, access: program }, async (c) => {
      const issuer = requireIssuer(c, publicUrl);
      return c.json({
        resource: `${issuer}${resourceOf(new URL(c.req.url).pathname)}`,
        resource_name: 'Cerise',
        authorization_servers: [issuer],
        bearer_methods_supported: ['header'],
        scopes_supported: [scope],
      });
    });
  // Programs that know of OpenID alone look for the same at another address.
  for (const name of ['oauth-authorization-server', 'openid-configuration'])
    api.page({ path: `/.well-known/${name}`, access: program }, async (c) =>
      c.json(serverMetadata(requireIssuer(c, publicUrl))),
    );
  api.raw('post', { path: oauthPaths.register, access: { ...program, ...json } }, (c) =>
    orFailed(async () => {
      requireIssuer(c, publicUrl);
      const { limits } = host;
      const document = parseBody(await readText(c.req.raw, limits.httpBody), limits);
      return presentProgram(await host.programs.register(document, c.var.reach.address));
    }),
  );
  api.raw('post', { path: oauthPaths.token, access: form }, (c) =>
    orFailed(async () => {
      requireIssuer(c, publicUrl);
      return presentTokens(await giveTokens(host, c));
    }),
  );
  api.raw('post', { path: oauthPaths.revoke, access: form }, (c) =>
    orFailed(async () => {
      const fields = await readForm(host, c);
      const credentials = credentialsOf(c, fields);
      await host.programs.authenticate(credentials);
      await host.grants.revoke(required(fields, 'token'), credentials.id);
      return new Response(null);
    }),
  );
}

function serverMetadata(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}${oauthPaths.authorize}`,
    token_endpoint: `${issuer}${oauthPaths.token}`,
    registration_endpoint: `${issuer}${oauthPaths.register}`,
    revocation_endpoint: `${issuer}${oauthPaths.revoke}`,
    scopes_supported: [scope],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: authMethods,
    revocation_endpoint_auth_methods_supported: authMethods,
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  };
}

async function giveTokens(host: Host, c: Context<Env>): Promise<ProgramTokens> {
  const { grants, programs, signIns } = host;
  const fields = await readForm(host, c);
  const type = required(fields, 'grant_type');
  if (type !== 'authorization_code' && type !== 'refresh_token')
    throw new OAuthFailure('unsupported_grant_type', 'Use authorization_code or refresh_token.');
  const credentials = credentialsOf(c, fields);
  await programs.authenticate(credentials);
  try {
    if (type === 'refresh_token')
      return await grants.refresh(required(fields, type), credentials.id);
    return await grants.redeem({
      programId: credentials.id,
      code: required(fields, 'code'),
      verifier: required(fields, 'code_verifier'),
      redirectUri: fields.get('redirect_uri') ?? undefined,
    });
  } catch (error) {
    if (error instanceof OAuthFailure && error.code === 'invalid_grant')
      await signIns.wrongBearer(c.var.reach.address);
    throw error;
  }
}

async function readForm(host: Host, c: Context<Env>): Promise<URLSearchParams> {
  const fields = new URLSearchParams(await readText(c.req.raw, host.limits.httpBody));
  for (const name of fields.keys())
    if (fields.getAll(name).length > 1 && name !== 'resource')
      throw new OAuthFailure('invalid_request', `${name} is there more than once.`);
  return fields;
}

function required(fields: URLSearchParams, name: string): string {
  const value = fields.get(name);
  if (value) return value;
  throw new OAuthFailure('invalid_request', `${name} is missing.`);
}

/** By its header or its fields, as it registered. */
function credentialsOf(c: Context<Env>, fields: URLSearchParams): ProgramCredentials {
  const header = /^Basic (.+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
  if (header === undefined)
    return { id: required(fields, 'client_id'), secret: fields.get('client_secret') ?? undefined };
  const [id = '', secret = ''] = Buffer.from(header, 'base64').toString().split(':');
  return { id: decodeField(id), secret: decodeField(secret) };
}

/** The parts of the header are written as those of a form are. */
function decodeField(text: string): string {
  return new URLSearchParams(`a=${text}`).get('a') ?? '';
}

function presentTokens({ accessToken, refreshToken, expiresIn }: ProgramTokens): Response {
  return Response.json({
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: expiresIn,
    refresh_token: refreshToken,
    scope,
  });
}

function presentProgram(program: Awaited<ReturnType<Host['programs']['register']>>): Response {
  const { id, secret, name, redirectUris, authMethod, createdAt } = program;
  const registered = {
    client_id: id,
    client_id_issued_at: Math.floor(createdAt / 1000),
    ...(secret !== undefined && { client_secret: secret, client_secret_expires_at: 0 }),
    ...(name !== '' && { client_name: name }),
    redirect_uris: redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: authMethod,
    scope,
  };
  return Response.json(registered, { status: 201 });
}

async function orFailed(work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OAuthFailure)) throw error;
    return oauthFailure(error);
  }
}

/** Tokens never travel over plain http from one machine to another. */
function requireIssuer(c: Context<Env>, publicUrl: string | undefined): string {
  const issuer = issuerOf(c, publicUrl);
  if (issuer !== undefined) return issuer;
  throw new CeriseError('not_found', say('no-public-address')`This host has no public URL.`, {
    hint: say('no-public-address-hint')`Set CERISE_PUBLIC_URL to the https URL of this host.`,
  });
}
