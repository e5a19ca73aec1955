import { createHash, createPublicKey, randomUUID, verify } from 'node:crypto';
import { listen } from './loopback.ts';

/** How the authorization server behaves. Every field may be changed while it runs. */
export interface AuthorizationScript {
  /** The path of its issuer. */
  path?: string;
  /** Which well-known documents it serves. */
  metadata?: 'oauth' | 'openid' | 'openid-appended' | 'none';
  /** Replaces or (undefined) removes fields of the document. */
  overrides?: Record<string, unknown>;
  /** Approves without showing the page. */
  autoApprove?: boolean;
  registration?: boolean;
  /** Accepts addresses as client ids without fetching them. */
  clientDocuments?: boolean;
  /** Seconds. */
  tokenLife?: number;
  refreshTokens?: boolean;
  scopes?: string[];
  authMethods?: string[];
  clients?: Record<
    string,
    { secret?: string | undefined; publicKey?: string; redirectUris?: string[] }
  >;
  dpop?: 'on' | 'nonce';
  /** The `iss` of redirects: as it should be, none, or another. */
  iss?: 'right' | 'none' | { wrong: string };
  /** Answers instead of the endpoint, as long as it is set. */
  faults?: Partial<Record<'token' | 'register' | 'revoke' | 'metadata', () => Response>>;
}

interface Grant {
  clientId: string;
  scope: string[];
  resource: string | undefined;
  jkt: string | undefined;
  /** Tokens that came from one sign-in die together. */
  family: string;
}
interface Code extends Grant {
  redirectUri: string;
  challenge: string;
}
/** What a token is good for. */
export interface TokenFacts extends Grant {
  expiresAt: number;
}

const nonce = 'nonce-of-the-authorization-server';
const wellKnown = '/.well-known';

/** A small real authorization server on loopback, with a page for people and counters for tests. */
export class AuthorizationServer {
  readonly script: AuthorizationScript;
  /** How often each endpoint was asked. */
  readonly counts: Record<string, number> = {};
  /** What the endpoints were sent, in order. */
  readonly requests: { path: string; headers: Record<string, string>; body: string }[] = [];
  /** The queries of the authorization requests. */
  readonly authorizations: URLSearchParams[] = [];
  /** Every code, token and client secret it gave out. */
  readonly issued: string[] = [];
  url = '';
  readonly #access = new Map<string, TokenFacts>();
  readonly #refresh = new Map<string, Grant & { used: boolean }>();
  readonly #codes = new Map<string, Code>();
  readonly #deadFamilies = new Set<string>();
  readonly #consents = new Map<string, URLSearchParams>();
  #close: () => Promise<void> = async () => undefined;

  private constructor(script: AuthorizationScript) {
    this.script = script;
  }

  static async start(script: AuthorizationScript = {}): Promise<AuthorizationServer> {
    const server = new AuthorizationServer(script);
    const listener = await listen((request) => server.#handle(request));
    server.url = listener.url;
    server.#close = () => listener.close();
    return server;
  }

  close(): Promise<void> {
    return this.#close();
  }

  get issuer(): string {
    return `${this.url}${this.script.path ?? ''}`;
  }

  /** What a token is good for now. */
  inspect(token: string): TokenFacts | undefined {
    const facts = this.#access.get(token);
    if (!facts || facts.expiresAt <= Date.now() || this.#deadFamilies.has(facts.family)) {
      return undefined;
    }
    return facts;
  }

  /** Ends every access token; refresh tokens live on. */
  expireTokens(): void {
    this.#access.clear();
  }

  /** Forgets every registered client. */
  forgetClients(): void {
    this.script.clients = {};
  }

  count(path: string): number {
    return this.counts[path] ?? 0;
  }

  async #handle(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const base = this.script.path ?? '';
    const path = url.pathname.startsWith(`${base}/`)
      ? url.pathname.slice(base.length)
      : url.pathname;
    const body = await request.text();
    this.requests.push({ path: url.pathname, headers: Object.fromEntries(request.headers), body });
    this.counts[path] = this.count(path) + 1;
    const { faults = {} } = this.script;
    switch (path) {
      case '/authorize':
        return this.#authorize(url.searchParams);
      case '/consent':
        return this.#decide(new URLSearchParams(body));
      case '/token':
        return faults.token?.() ?? this.#token(request, new URLSearchParams(body));
      case '/register':
        return faults.register?.() ?? this.#register(JSON.parse(body));
      case '/revoke':
        return faults.revoke?.() ?? this.#revoke(new URLSearchParams(body));
      default:
        return url.pathname === this.#metadataPath()
          ? (faults.metadata?.() ?? json(this.#metadata()))
          : new Response('Nothing here', { status: 404 });
    }
  }

  #metadataPath(): string {
    const { path = '', metadata = 'oauth' } = this.script;
    const paths = {
      oauth: `${wellKnown}/oauth-authorization-server${path}`,
      openid: `${wellKnown}/openid-configuration${path}`,
      'openid-appended': `${path}${wellKnown}/openid-configuration`,
      none: '',
    };
    return paths[metadata];
  }

  #metadata(): object {
    const { script, issuer } = this;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      revocation_endpoint: `${issuer}/revoke`,
      ...(script.registration !== false && { registration_endpoint: `${issuer}/register` }),
      ...(script.clientDocuments && { client_id_metadata_document_supported: true }),
      ...(script.scopes && { scopes_supported: script.scopes }),
      ...(script.dpop && { dpop_signing_alg_values_supported: ['ES256'] }),
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: script.authMethods ?? ['none'],
      authorization_response_iss_parameter_supported: script.iss !== 'none',
      ...script.overrides,
    };
  }

  #register(body: { redirect_uris: string[]; token_endpoint_auth_method: string }): Response {
    const id = `client-${randomUUID()}`;
    const isPublic = body.token_endpoint_auth_method === 'none';
    const secret = isPublic ? undefined : `secret-${randomUUID()}`;
    this.script.clients ??= {};
    this.script.clients[id] = { secret, redirectUris: body.redirect_uris };
    if (secret) this.issued.push(secret);
    return json({ ...body, client_id: id, client_secret: secret }, 201);
  }

  #authorize(query: URLSearchParams): Response {
    this.authorizations.push(query);
    const client = this.#client(query.get('client_id') ?? '');
    const redirectUri = query.get('redirect_uri') ?? '';
    if (!client || (client.redirectUris && !client.redirectUris.includes(redirectUri))) {
      return new Response('Unknown client or redirect address', { status: 400 });
    }
    if (query.get('code_challenge_method') !== 'S256' || !query.get('resource')) {
      return this.#redirect(query, { error: 'invalid_request' });
    }
    if (this.script.autoApprove) return this.#approve(query);
    const id = randomUUID();
    this.#consents.set(id, query);
    return html(consentPage(id, query));
  }

  #decide(form: URLSearchParams): Response {
    const query = this.#consents.get(form.get('id') ?? '');
    if (!query) return new Response('Unknown consent', { status: 400 });
    if (form.get('decision') === 'allow') return this.#approve(query);
    return this.#redirect(query, { error: 'access_denied' });
  }

  #approve(query: URLSearchParams): Response {
    const code = randomUUID();
    this.issued.push(code);
    this.#codes.set(code, {
      clientId: query.get('client_id') ?? '',
      redirectUri: query.get('redirect_uri') ?? '',
      challenge: query.get('code_challenge') ?? '',
      scope: (query.get('scope') ?? 'basic').split(' '),
      resource: query.get('resource') ?? undefined,
      jkt: query.get('dpop_jkt') ?? undefined,
      family: randomUUID(),
    });
    return this.#redirect(query, { code });
  }

  #redirect(query: URLSearchParams, parameters: Record<string, string>): Response {
    const { iss = 'right' } = this.script;
    const url = new URL(query.get('redirect_uri') ?? '');
    const named = iss === 'right' ? this.issuer : iss === 'none' ? undefined : iss.wrong;
    const all = { ...parameters, state: query.get('state') ?? '', ...(named && { iss: named }) };
    for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value);
    return new Response(null, { status: 302, headers: { location: url.href } });
  }

  #token(request: Request, form: URLSearchParams): Response {
    const grantType = form.get('grant_type') ?? '';
    this.counts[grantType] = this.count(grantType) + 1;
    const clientId = this.#authenticate(request, form);
    if (clientId === undefined) return json({ error: 'invalid_client' }, 401);
    const proof = readProof(request.headers.get('dpop'));
    if (this.script.dpop && !proof) return json({ error: 'invalid_dpop_proof' }, 400);
    if (this.script.dpop === 'nonce' && proof?.nonce !== nonce) {
      return json({ error: 'use_dpop_nonce' }, 400, { 'dpop-nonce': nonce });
    }
    const grant = this.#redeem(grantType, form, clientId, proof?.jkt);
    return grant ? this.#issue(grant, grantType) : json({ error: 'invalid_grant' }, 400);
  }

  #redeem(
    grantType: string,
    form: URLSearchParams,
    clientId: string,
    jkt: string | undefined,
  ): Grant | undefined {
    const scope = form.get('scope')?.split(' ') ?? ['basic'];
    const resource = form.get('resource') ?? undefined;
    switch (grantType) {
      case 'authorization_code': {
        const code = this.#codes.get(form.get('code') ?? '');
        this.#codes.delete(form.get('code') ?? '');
        const challenge = sha256(form.get('code_verifier') ?? '');
        const fits =
          code?.challenge === challenge &&
          code.redirectUri === form.get('redirect_uri') &&
          code.clientId === clientId &&
          code.resource === resource;
        return fits ? { ...code, jkt } : undefined;
      }
      case 'refresh_token':
        return this.#useRefreshToken(form.get('refresh_token') ?? '', clientId);
      case 'client_credentials':
      case 'urn:ietf:params:oauth:grant-type:jwt-bearer':
        return { clientId, scope, resource, jkt, family: randomUUID() };
      default:
        return undefined;
    }
  }

  /** A refresh token that comes twice was stolen: everything from that sign-in ends. */
  #useRefreshToken(token: string, clientId: string): Grant | undefined {
    const grant = this.#refresh.get(token);
    if (!grant || grant.clientId !== clientId || this.#deadFamilies.has(grant.family)) {
      return undefined;
    }
    if (grant.used) {
      this.#deadFamilies.add(grant.family);
      this.counts['reuse'] = this.count('reuse') + 1;
      return undefined;
    }
    grant.used = true;
    return grant;
  }

  #issue(grant: Grant, grantType: string): Response {
    const { tokenLife = 3600, refreshTokens = true, dpop } = this.script;
    const accessToken = `access-${randomUUID()}`;
    const refreshToken = `refresh-${randomUUID()}`;
    this.#access.set(accessToken, { ...grant, expiresAt: Date.now() + tokenLife * 1000 });
    const renewable = refreshTokens && /^(authorization_code|refresh_token)$/.test(grantType);
    if (renewable) this.#refresh.set(refreshToken, { ...grant, used: false });
    this.issued.push(accessToken, ...(renewable ? [refreshToken] : []));
    return json({
      access_token: accessToken,
      token_type: dpop ? 'DPoP' : 'Bearer',
      expires_in: tokenLife,
      scope: grant.scope.join(' '),
      ...(renewable && { refresh_token: refreshToken }),
    });
  }

  #revoke(form: URLSearchParams): Response {
    const token = form.get('token') ?? '';
    const family = this.#access.get(token)?.family ?? this.#refresh.get(token)?.family;
    if (family !== undefined) this.#deadFamilies.add(family);
    return new Response(null, { status: 200 });
  }

  #client(
    id: string,
  ): { secret?: string | undefined; publicKey?: string; redirectUris?: string[] } | undefined {
    if (this.script.clientDocuments && id.startsWith('https://')) return {};
    return this.script.clients?.[id];
  }

  /** The client's id if it proved to be it, in one of the ways the metadata offers. */
  #authenticate(request: Request, form: URLSearchParams): string | undefined {
    const methods = this.script.authMethods ?? ['none'];
    const [scheme, text = ''] = (request.headers.get('authorization') ?? '').split(' ');
    const basic = scheme === 'Basic' ? Buffer.from(text, 'base64').toString().split(':') : [];
    const id = decodeURIComponent(basic[0] ?? form.get('client_id') ?? '');
    const client = this.#client(id);
    if (!client) return undefined;
    if (client.publicKey && methods.includes('private_key_jwt')) {
      const claims = readJwt(form.get('client_assertion') ?? '', client.publicKey);
      return claims?.['aud'] === this.issuer && claims['sub'] === id ? id : undefined;
    }
    if (client.secret === undefined) return methods.includes('none') ? id : undefined;
    const sent = basic.length > 0 ? decodeURIComponent(basic[1] ?? '') : form.get('client_secret');
    const method = basic.length > 0 ? 'client_secret_basic' : 'client_secret_post';
    return sent === client.secret && methods.includes(method) ? id : undefined;
  }
}

/** Reads a DPoP proof, if its signature is right. */
export function readProof(
  proof: string | null,
): { jkt: string; nonce?: unknown; ath?: unknown; htu?: unknown; jti?: unknown } | undefined {
  const [head = ''] = (proof ?? '').split('.');
  if (head === '') return undefined;
  const { jwk } = JSON.parse(Buffer.from(head, 'base64url').toString());
  const claims = readJwt(proof ?? '', createPublicKey({ key: jwk, format: 'jwk' }));
  const { crv, kty, x, y } = jwk;
  return claims && { jkt: sha256(JSON.stringify({ crv, kty, x, y })), ...claims };
}

/** The claims of an ES256 JWT, if its signature is right. */
function readJwt(
  text: string,
  key: Parameters<typeof createPublicKey>[0] | ReturnType<typeof createPublicKey>,
): Record<string, unknown> | undefined {
  const [head = '', body = '', signature = ''] = text.split('.');
  const signed = Buffer.from(`${head}.${body}`);
  const publicKey = typeof key === 'string' ? createPublicKey(key) : (key as never);
  const options = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
  if (!verify('sha256', signed, options, Buffer.from(signature, 'base64url'))) return undefined;
  return JSON.parse(Buffer.from(body, 'base64url').toString());
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function json(value: object, status = 200, headers: Record<string, string> = {}): Response {
  return Response.json(value, { status, headers });
}

function html(text: string): Response {
  return new Response(text, { headers: { 'content-type': 'text/html; charset=utf-8' } });
}

function consentPage(id: string, query: URLSearchParams): string {
  const escape = (text: string): string =>
    text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<!doctype html><html lang="en"><title>Allow access?</title>
<h1>Allow access?</h1>
<p>Scopes: <span id="scope">${escape(query.get('scope') ?? 'basic')}</span></p>
<form method="post" action="consent"><input type="hidden" name="id" value="${id}">
<button name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Deny</button></form></html>`;
}
