import { describe, expect, it, onTestFinished } from 'vitest';
import type { AuthorizationQuery } from '#shared/api/people-api.ts';
import { listen } from './fakes/loopback.ts';
import { dump, errorOf, openApi } from './fixtures/http.ts';
import { addPerson } from './fixtures/people.ts';
import {
  allowed,
  codeFields,
  connect,
  consentPath,
  decide,
  failure,
  issuer,
  newRequest,
  post,
  redirectUri,
  refusalOf,
  register,
  registered,
  statusOf,
} from './fixtures/program.ts';

const publicUrl = issuer;

describe('a code (T96)', () => {
  it.each([
    ['verifier', { code_verifier: 'x'.repeat(43) }],
    ['redirect', { redirect_uri: 'http://127.0.0.1:1/other' }],
    ['program', { client_id: '' }],
  ])('is used up by a wrong %s', async (_, wrong) => {
    const api = await openApi({ publicUrl });
    const clientId = await registered(api);
    const { query, verifier } = newRequest(clientId);
    const exchange = codeFields(await allowed(api, query), clientId, verifier);
    const other = 'client_id' in wrong ? { client_id: await registered(api) } : wrong;
    for (const fields of [{ ...exchange, ...other }, exchange])
      expect((await failure(await post(api, '/oauth/token', fields))).error).toBe('invalid_grant');
  });

  it('is good for a minute', async () => {
    let now = Date.now();
    const api = await openApi({ publicUrl, now: () => now });
    const clientId = await registered(api);
    for (const step of [61_000, -24 * 3_600_000]) {
      const { query, verifier } = newRequest(clientId);
      const exchange = codeFields(await allowed(api, query), clientId, verifier);
      now += step;
      expect((await failure(await post(api, '/oauth/token', exchange))).error).toBe(
        'invalid_grant',
      );
    }
  });

  it('comes back with the state and the issuer; a denial has no code', async () => {
    const api = await openApi({ publicUrl });
    const clientId = await registered(api);
    const back = await allowed(api, newRequest(clientId, { state: 'a & b' }).query);
    expect(back.href.startsWith(`${redirectUri}?code=`)).toBe(true);
    expect(back.searchParams.get('state')).toBe('a & b');
    expect(back.searchParams.get('iss')).toBe(issuer);
    const denied = await allowed(api, newRequest(clientId).query, { decision: 'deny' });
    expect(Object.fromEntries(denied.searchParams)).toEqual({
      error: 'access_denied',
      state: 'a state',
      iss: issuer,
    });
  });

  it('and every token are stored as hashes alone', async () => {
    const api = await openApi({ publicUrl });
    const { tokens, exchange } = await connect(api);
    const rows = await dump(api);
    for (const secret of [tokens.access_token, tokens.refresh_token.slice(-32), exchange.code])
      expect(rows).not.toContain(secret);
  });

  it('of a program with a secret needs the secret', async () => {
    const api = await openApi({ publicUrl });
    for (const method of ['client_secret_basic', 'client_secret_post']) {
      const response = await register(api, { token_endpoint_auth_method: method });
      const { client_id: id, client_secret: secret } = (await response.json()) as Record<
        string,
        string
      >;
      const { query, verifier } = newRequest(id ?? '');
      const fields = codeFields(await allowed(api, query), id ?? '', verifier);
      for (const wrong of [{}, { client_secret: 'wrong' }])
        expect(await failure(await post(api, '/oauth/token', { ...fields, ...wrong }))).toEqual({
          status: 401,
          error: 'invalid_client',
        });
      const basic = { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
      const right =
        method === 'client_secret_basic'
          ? await post(api, '/oauth/token', fields, basic)
          : await post(api, '/oauth/token', { ...fields, client_secret: secret ?? '' });
      expect(right.status).toBe(200);
    }
  });
});

describe('a request that is not quite right (T96)', () => {
  it.each([
    ['another redirect', { redirect_uri: 'http://127.0.0.1:3118/callback/' }, 'program-redirect'],
    ['another query in it', { redirect_uri: `${redirectUri}?a=b` }, 'program-redirect'],
    ['another host', { redirect_uri: 'http://localhost:3118/callback' }, 'program-redirect'],
    [
      'a name like the host',
      { redirect_uri: 'http://127.0.0.1.evil.example/callback' },
      'program-redirect',
    ],
    [
      'a username',
      { redirect_uri: 'http://127.0.0.1:3118@evil.example/callback' },
      'program-redirect',
    ],
    ['no PKCE', { code_challenge: undefined }, 'program-pkce'],
    ['plain PKCE', { code_challenge_method: 'plain' }, 'program-pkce'],
    ['another kind of response', { response_type: 'token' }, 'program-response-type'],
    ['another resource', { resource: 'https://evil.example/mcp' }, 'program-resource'],
    ['a resource that is not /mcp', { resource: `${issuer}/api` }, 'program-resource'],
    ['an unknown program', { client_id: 'x' }, 'program-unknown'],
  ])('with %s is shown to the person and goes nowhere', async (_, more, id) => {
    const api = await openApi({ publicUrl });
    const { query } = newRequest(await registered(api), more);
    expect(await refusalOf(api, query)).toMatchObject({ status: 400, messageSaid: { id } });
    const decision = await errorOf(await decide(api, query));
    expect(decision.messageSaid?.id).toBe(id);
  });

  it('may return to any port of this machine, and to schemes of programs', async () => {
    const api = await openApi({ publicUrl });
    const uris = [redirectUri, 'http://[::1]/x', 'example.app:/back', 'https://app.example/back'];
    const clientId = await registered(api, { redirect_uris: uris });
    const ports = ['http://127.0.0.1:9/callback', 'http://127.0.0.1/callback', 'http://[::1]:7/x'];
    for (const uri of [...uris, ...ports]) {
      const back = await allowed(api, newRequest(clientId, { redirect_uri: uri }).query);
      expect(back.href.startsWith(new URL(uri).href)).toBe(true);
    }
    const other = await decide(
      api,
      newRequest(clientId, { redirect_uri: 'https://app.example:8/back' }).query,
    );
    expect((await errorOf(other)).messageSaid?.id).toBe('program-redirect');
  });

  it.each([
    ['javascript:alert(1)'],
    ['data:text/html,x'],
    ['http://app.example/back'],
    ['https://app.example/back#x'],
    ['https://me@app.example/back'],
    ['file:///etc/passwd'],
    ['https://app.example/\nback'],
    ['nonsense'],
  ])('cannot even be registered with a redirect to %s', async (uri) => {
    const api = await openApi({ publicUrl });
    const response = await register(api, { redirect_uris: [redirectUri, uri] });
    expect(await failure(response)).toEqual({ status: 400, error: 'invalid_redirect_uri' });
  });

  it('is not decided by an API key, another site or a stranger', async () => {
    const api = await openApi({ publicUrl });
    const { query: request } = newRequest(await registered(api));
    const body = { request, decision: 'allow' };
    const { key } = await api.json<{ key: string }>('POST', '/api/keys', {
      name: 'all',
      scopes: ['admin'],
    });
    const byKey = await api.send('POST', '/api/grants', body, { authorization: `Bearer ${key}` });
    expect((await errorOf(byKey)).messageSaid?.id).toBe('consent-by-key');
    const { cookie } = await addPerson(api, 'Ana');
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ] as Record<string, string>[]) {
      const foreign = await api.raw('POST', '/api/grants', {
        headers: { cookie, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
      expect((await errorOf(foreign)).code).toBe('foreign_origin');
    }
    const asForm = await api.raw('POST', '/api/grants', {
      headers: { cookie, 'content-type': 'text/plain' },
      body: JSON.stringify(body),
    });
    expect((await errorOf(asForm)).code).toBe('unsupported_media_type');
    const stranger = await api.raw('GET', consentPath(request));
    expect(stranger.status).toBe(401);
  });

  it('is not allowed by a sign-in that ended while the person decided', async () => {
    const api = await openApi({ publicUrl });
    const { id } = await addPerson(api, 'Ana');
    const { host } = api;
    const { token } = await host.signIns.open(id, 'password');
    const visitor = await host.signIns.visitor({ cookie: token });
    if (!visitor) throw new Error('not signed in');
    const { query } = newRequest(await registered(api));
    const own = { hosts: new Set([new URL(issuer).host]) };
    const request = await host.consents.read(query as AuthorizationQuery, own);
    await host.signIns.end(id, visitor.credential.id);
    const deciding = host.consents.decide(visitor, request, { decision: 'allow', issuer });
    await expect(deciding).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(await host.store.db.selectFrom('grants').select('id').execute()).toEqual([]);
  });

  it('has a name without anything invisible in it', async () => {
    const api = await openApi({ publicUrl });
    const clientId = await registered(api, {
      client_name: '\u202e Cer\u200bise \n\u3164\u2800\ufe0f\u034f',
    });
    expect(await api.json('GET', consentPath(newRequest(clientId).query))).toEqual({
      program: { name: 'Cerise' },
      place: '127.0.0.1:3118',
      isLocal: true,
      servers: expect.arrayContaining(['time']),
    });
  });
});

describe('registrations (T96)', () => {
  it('of one address are slowed down', async () => {
    const api = await openApi({ publicUrl });
    const from = api.from('198.51.100.7');
    const statuses: number[] = [];
    for (let time = 0; time < 25; time += 1) statuses.push((await register(from)).status);
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(201));
    expect(statuses).toContain(429);
    expect((await register(api.from('198.51.100.8'))).status).toBe(201);
  });
});

describe('a program that is named by its metadata document (T96)', () => {
  async function publish(document: (url: string) => unknown) {
    let served = 0;
    const server = await listen((request) => {
      served += 1;
      const { pathname } = new URL(request.url);
      if (pathname === '/moved')
        return Response.redirect(new URL('/client.json', request.url), 302);
      return Response.json(document(`${server.url}/client.json`));
    });
    onTestFinished(() => server.close());
    return { url: `${server.url}/client.json`, moved: `${server.url}/moved`, served: () => served };
  }
  const document = (url: string) => ({
    client_id: url,
    client_name: 'Documented',
    redirect_uris: [redirectUri],
  });

  it('is not read at a private address, unless an admin allowed that', async () => {
    const { url, served } = await publish(document);
    const refusing = await openApi({ publicUrl });
    expect((await refusalOf(refusing, newRequest(url).query)).code).toBe('address_blocked');
    expect(served()).toBe(0);
    for (const address of ['https://10.0.0.1/a', 'https://[::1]/a', 'https://169.254.169.254/a'])
      expect((await refusalOf(refusing, newRequest(address).query)).code).toBe('address_blocked');
    const api = await openApi({ publicUrl, fetchAllow: [new URL(url).host] });
    const { tokens } = await connect(api, { clientId: url });
    expect(await statusOf(api, tokens.access_token)).toBe(200);
    expect(await api.json('GET', consentPath(newRequest(url).query))).toMatchObject({
      program: { name: 'Documented', host: new URL(url).host },
    });
  });

  it.each([
    ['names another program', () => ({ ...document('https://app.example/client.json') })],
    ['has no redirects', (url: string) => ({ client_id: url })],
    [
      'wants a secret',
      (url: string) => ({ ...document(url), token_endpoint_auth_method: 'client_secret_post' }),
    ],
    ['is too large', (url: string) => ({ ...document(url), filler: 'x'.repeat(20_000) })],
    ['is no object', () => []],
  ])('is refused if its document %s', async (_, made) => {
    const { url } = await publish(made);
    const api = await openApi({ publicUrl, fetchAllow: [new URL(url).host] });
    const refusal = await refusalOf(api, newRequest(url).query);
    expect(['program-document', 'fetch-large']).toContain(refusal.messageSaid?.id);
  });

  it('is refused if its document is somewhere else', async () => {
    // What another host says in the name of one that redirects there is not that one's.
    const { url, moved } = await publish((at) => document(at.replace('/client.json', '/moved')));
    const api = await openApi({ publicUrl, fetchAllow: [new URL(url).host] });
    expect((await refusalOf(api, newRequest(moved).query)).messageSaid?.id).toBe(
      'program-document',
    );
  });
});
