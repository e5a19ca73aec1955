import {
  createHash,
  createSign,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
} from 'node:crypto';
import { listen } from './loopback.ts';

/** What the issuer says of the person who signs in next, besides what every token has. */
export type Claims = Record<string, unknown>;

/** An OpenID provider on loopback that signs real tokens, and lies where a test wants it to. */
export interface OpenIdIssuer {
  url: string;
  /** Who signs in at it. */
  person: Claims;
  /** Replaces claims of the id token. */
  lies: Claims;
  /** Signs with a key that nobody was told of. */
  forges: boolean;
  /** Goes where a browser was sent to: where it is sent back. */
  authorize(address: string): string;
  close(): Promise<void>;
}

interface Asked {
  nonce: string;
  challenge: string;
  clientId: string;
}

/** Starts it; it knows one client with its secret. */
export async function startOpenIdIssuer(client: {
  id: string;
  secret: string;
}): Promise<OpenIdIssuer> {
  const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const codes = new Map<string, Asked>();
  const server = await listen(async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/.well-known/openid-configuration') return Response.json(metadata(url));
    if (pathname === '/jwks')
      return Response.json({ keys: [{ ...own.publicKey.export({ format: 'jwk' }), ...keyFacts }] });
    if (pathname === '/token') return token(new URLSearchParams(await request.text()), request);
    return new Response(null, { status: 404 });
  });

  const { url } = server;

  function token(form: URLSearchParams, request: Request): Response {
    const code = form.get('code') ?? '';
    const asked = codes.get(code);
    codes.delete(code);
    const verifier = createHash('sha256').update(form.get('code_verifier') ?? '');
    const isClient = knows(client, form, request);
    if (!asked || !isClient || verifier.digest('base64url') !== asked.challenge)
      return Response.json({ error: 'invalid_grant' }, { status: 400 });
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: url,
      sub: 'subject',
      aud: client.id,
      nonce: asked.nonce,
      iat: now,
      exp: now + 300,
      ...issuer.person,
      ...issuer.lies,
    };
    const key = issuer.forges ? other.privateKey : own.privateKey;
    return Response.json({
      access_token: randomUUID(),
      token_type: 'Bearer',
      expires_in: 300,
      id_token: sign(claims, key),
    });
  }

  const issuer: OpenIdIssuer = {
    url,
    person: {},
    lies: {},
    forges: false,
    authorize(address) {
      const { searchParams: asked } = new URL(address);
      const code = randomUUID();
      codes.set(code, {
        nonce: asked.get('nonce') ?? '',
        challenge: asked.get('code_challenge') ?? '',
        clientId: asked.get('client_id') ?? '',
      });
      const back = new URL(asked.get('redirect_uri') ?? '');
      back.search = new URLSearchParams({
        code,
        state: asked.get('state') ?? '',
        iss: url,
      }).toString();
      return back.href;
    },
    close: () => server.close(),
  };
  return issuer;
}

const keyFacts = { kid: 'one', alg: 'RS256', use: 'sig' };

function metadata(url: string): object {
  return {
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    jwks_uri: `${url}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    authorization_response_iss_parameter_supported: true,
  };
}

function knows(
  client: { id: string; secret: string },
  form: URLSearchParams,
  request: Request,
): boolean {
  const basic = `Basic ${btoa(`${client.id}:${client.secret}`)}`;
  const posted = form.get('client_id') === client.id && form.get('client_secret') === client.secret;
  return posted || request.headers.get('authorization') === basic;
}

function sign(claims: object, key: KeyObject): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: 'RS256', kid: 'one', typ: 'JWT' })}.${part(claims)}`;
  return `${text}.${createSign('RSA-SHA256').update(text).sign(key, 'base64url')}`;
}
