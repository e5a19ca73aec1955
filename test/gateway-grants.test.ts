import { describe, expect, it } from 'vitest';
import { createApp } from '#server/app.ts';
import { describeEachDatabase } from './databases.ts';
import { openApi, type TestApi } from './fixtures/http.ts';
import { addPerson, browserOf, ended, password } from './fixtures/people.ts';
import {
  allowed,
  callMcp,
  codeFields,
  connect,
  consentPath,
  failure,
  issuer,
  newRequest,
  post,
  refreshFields,
  refusalOf,
  register,
  registered,
  statusOf,
  type Tokens,
} from './fixtures/program.ts';

const publicUrl = issuer;

/** The stream of a program that wants to hear of changes. */
function listen(api: TestApi, { access_token: token }: Tokens): Promise<Response> {
  const notifications = { toolsListChanged: true };
  return callMcp(api, token, '/mcp', 'subscriptions/listen', { notifications });
}

describe('a program that comes to /mcp without a token (T96)', () => {
  it('is told where to get one, for exactly the address it came to', async () => {
    const api = await openApi({ publicUrl });
    for (const path of ['/mcp', '/mcp/time']) {
      const response = await api.raw('POST', path);
      expect(response.status).toBe(401);
      const metadata = `${issuer}/.well-known/oauth-protected-resource${path}`;
      expect(response.headers.get('www-authenticate')).toBe(
        `Bearer realm="Cerise", resource_metadata="${metadata}"`,
      );
      const document = await (await api.raw('GET', new URL(metadata).pathname)).json();
      expect(document).toMatchObject({
        resource: `${issuer}${path}`,
        authorization_servers: [issuer],
      });
    }
    const wrong = await callMcp(api, 'cerise_access_wrong');
    expect(wrong.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  it('finds the same metadata where OpenID has it, and JSON in place of the page anywhere else', async () => {
    const api = await openApi({ publicUrl, webRoot: '/none' });
    const read = async (name: string) => (await api.raw('GET', `/.well-known/${name}`)).json();
    const metadata = await read('oauth-authorization-server');
    expect(metadata).toMatchObject({
      issuer,
      authorization_endpoint: `${issuer}/oauth/authorize`,
      token_endpoint: `${issuer}/oauth/token`,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    });
    expect(await read('openid-configuration')).toEqual(metadata);
    expect(await read('oauth-authorization-server/mcp')).toMatchObject({
      error: { code: 'not_found' },
    });
  });

  it('is offered no token over plain http, unless it is on this machine', async () => {
    const api = await openApi();
    const response = await api.raw('POST', '/mcp');
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="Cerise"');
    expect((await api.raw('GET', '/.well-known/oauth-authorization-server')).status).toBe(404);
    expect((await register(api)).status).toBe(404);
  });
});

describeEachDatabase((_, fresh) => {
  const open = async (options: Parameters<typeof openApi>[0] = {}) =>
    openApi({ publicUrl, place: await fresh(), ...options });

  it('T96: a code gives tokens once; a second use ends what the first gave', async () => {
    const api = await open();
    const { tokens, exchange, clientId } = await connect(api);
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
    expect(await statusOf(api, tokens.access_token)).toBe(200);
    expect(await failure(await post(api, '/oauth/token', exchange))).toEqual({
      status: 400,
      error: 'invalid_grant',
    });
    expect(await statusOf(api, tokens.access_token)).toBe(401);
    const refresh = await post(api, '/oauth/token', refreshFields(tokens, clientId));
    expect((await failure(refresh)).error).toBe('invalid_grant');
    expect(await api.json('GET', '/api/grants')).toEqual({ grants: [] });
  });

  it('T96: a code with a wrong verifier is used up, and connects nothing', async () => {
    const api = await open();
    const clientId = await registered(api);
    const { query, verifier } = newRequest(clientId);
    const exchange = codeFields(await allowed(api, query), clientId, verifier);
    const wrong = { ...exchange, code_verifier: 'x'.repeat(43) };
    expect((await failure(await post(api, '/oauth/token', wrong))).error).toBe('invalid_grant');
    expect(await api.json('GET', '/api/grants')).toEqual({ grants: [] });
    expect((await failure(await post(api, '/oauth/token', exchange))).error).toBe('invalid_grant');
  });

  it('T96: of requests with the same code at once, at most one gets tokens, and they do not last', async () => {
    const api = await open();
    const clientId = await registered(api);
    const { query, verifier } = newRequest(clientId);
    const exchange = codeFields(await allowed(api, query), clientId, verifier);
    const all = await Promise.all([1, 2, 3].map(() => post(api, '/oauth/token', exchange)));
    const winners = all.filter(({ ok }) => ok);
    expect(winners).toHaveLength(1);
    for (const winner of winners) {
      const { access_token: token } = (await winner.json()) as Tokens;
      expect(await statusOf(api, token)).toBe(401);
    }
  });

  it('T96: a refresh token works once; a replay ends the whole grant', async () => {
    const api = await open();
    const { tokens, clientId } = await connect(api);
    const first = await post(api, '/oauth/token', refreshFields(tokens, clientId));
    const next = (await first.json()) as Tokens;
    expect(next.refresh_token).not.toBe(tokens.refresh_token);
    expect(await statusOf(api, next.access_token)).toBe(200);
    expect(await statusOf(api, tokens.access_token)).toBe(200);
    const stream = await listen(api, next);
    const replay = await post(api, '/oauth/token', refreshFields(tokens, clientId));
    expect((await failure(replay)).error).toBe('invalid_grant');
    // At once, not only when credentials are looked at again.
    expect(api.host.streams.size).toBe(0);
    await ended(stream);
    for (const token of [next.access_token, tokens.access_token])
      expect(await statusOf(api, token)).toBe(401);
    const again = await post(api, '/oauth/token', refreshFields(next, clientId));
    expect((await failure(again)).error).toBe('invalid_grant');
  });

  it('T96: a refresh token is of no use to another program, and ends with the attempt', async () => {
    const api = await open();
    const { tokens, clientId } = await connect(api);
    const other = await registered(api);
    for (const id of [other, clientId]) {
      const refresh = await post(api, '/oauth/token', refreshFields(tokens, id));
      expect((await failure(refresh)).error).toBe('invalid_grant');
    }
    expect(await statusOf(api, tokens.access_token)).toBe(401);
  });

  it('T96: every step works on another instance', async () => {
    const place = await fresh();
    if (!place.databaseUrl) return;
    const one = await openApi({ publicUrl, place });
    const two = await openApi({ publicUrl, place });
    const clientId = await registered(one);
    const { query, verifier } = newRequest(clientId);
    const exchange = codeFields(await allowed(two, query), clientId, verifier);
    const tokens = (await (await post(one, '/oauth/token', exchange)).json()) as Tokens;
    expect(await statusOf(two, tokens.access_token)).toBe(200);
    const refreshed = await post(two, '/oauth/token', refreshFields(tokens, clientId));
    const next = (await refreshed.json()) as Tokens;
    expect(await statusOf(one, next.access_token)).toBe(200);
    await post(one, '/oauth/revoke', { token: next.refresh_token, client_id: clientId });
    expect(await statusOf(two, next.access_token)).toBe(401);
  });

  const count = Number(process.env.CERISE_MANY_REGISTRATIONS ?? 150);
  const timeout = 30_000 + count * 30;
  it('T96: registrations are bounded, and those that are connected stay', { timeout }, async () => {
    const api = await open({ limits: { programRegistrations: 30 } });
    const { clientId, tokens } = await connect(api);
    for (let number = 0; number < count; number += 1) {
      const address = `203.0.${number >> 8}.${number & 255}`;
      expect((await register(api.from(address))).status).toBe(201);
    }
    const { db } = api.host.store;
    const { length } = await db.selectFrom('programs').select('id').execute();
    expect(length).toBe(31);
    expect((await post(api, '/oauth/token', refreshFields(tokens, clientId))).status).toBe(200);
  });

  it('T96: a registration that nobody connects expires', async () => {
    let now = Date.now();
    const api = await open({ now: () => now, limits: { programRegistrationTime: 3_600_000 } });
    const [unused, used] = [await registered(api), (await connect(api)).clientId];
    now += 3_700_000;
    await registered(api);
    const refusal = await refusalOf(api, newRequest(unused).query);
    expect(refusal.messageSaid?.id).toBe('program-unknown');
    const request = consentPath(newRequest(used).query);
    expect((await api.send('GET', request)).ok).toBe(true);
  });

  it('T87: ends with a new password, a new role, a disabled person and their removal', async () => {
    const api = await open();
    const { id } = await addPerson(api, 'Ana');
    const signedIn = async () => {
      const { token } = await api.host.signIns.open(id, 'password');
      return browserOf(api, { id, name: 'Ana', cookie: `__Host-cerise_session=${token}` });
    };
    const own = { current: password, password: 'another password' };
    const ana = await signedIn();
    const changes: [string, () => Promise<Response>][] = [
      ['own password', () => ana.send('POST', '/api/me/password', own)],
      ['password', () => api.send('PATCH', `/api/users/${id}`, { password: 'a third password' })],
      ['role', () => api.send('PATCH', `/api/users/${id}`, { role: 'admin' })],
      ['disabled', () => api.send('PATCH', `/api/users/${id}`, { disabled: true })],
      ['enabled', () => api.send('PATCH', `/api/users/${id}`, { disabled: false })],
      ['removed', () => api.send('DELETE', `/api/users/${id}`)],
    ];
    for (const [what, change] of changes) {
      if (what === 'enabled') {
        await change();
        continue;
      }
      const { tokens, clientId } = await connect(api, { who: await signedIn() });
      expect(await statusOf(api, tokens.access_token)).toBe(200);
      expect((await change()).ok, what).toBe(true);
      expect(await statusOf(api, tokens.access_token), what).toBe(401);
      const refresh = await post(api, '/oauth/token', refreshFields(tokens, clientId));
      expect((await failure(refresh)).error, what).toBe('invalid_grant');
    }
  });

  it('T96: a clock that is set back keeps nobody out, and makes nothing last longer', async () => {
    let now = Date.now();
    const api = await open({ now: () => now });
    const { tokens, clientId } = await connect(api);
    now -= 7 * 24 * 3_600_000;
    expect(await statusOf(api, tokens.access_token)).toBe(401);
    const refresh = await post(api, '/oauth/token', refreshFields(tokens, clientId));
    const next = (await refresh.json()) as Tokens;
    expect(await statusOf(api, next.access_token)).toBe(200);
    await connect(api);
    now += 3_601_000;
    expect(await statusOf(api, next.access_token)).toBe(401);
  });
});

describe('what a token may do (T96)', () => {
  it('is what the person allowed on /mcp, and nothing on any other route', async () => {
    const api = await openApi({ publicUrl });
    const { tokens } = await connect(api);
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    const { routes } = createApp(api.host, { allowedHosts: () => new Set() });
    const others = routes.filter(({ access, path }) => !access.public && !path.startsWith('/mcp'));
    expect(others.length).toBeGreaterThan(80);
    for (const { method, path } of others) {
      const response = await api.raw(method.toUpperCase(), path.replaceAll(/:\w+/g, 'x'), {
        headers,
      });
      expect(response.status, `${method} ${path}`).toBe(403);
    }
    expect(await statusOf(api, tokens.access_token, '/mcp/time')).toBe(200);
  });

  it('is limited to the servers that the person chose', async () => {
    const api = await openApi({ publicUrl });
    const { tokens } = await connect(api, { decision: { servers: [{ id: 'time' }] } });
    const { result } = (await (await callMcp(api, tokens.access_token)).json()) as {
      result: { tools: { name: string }[] };
    };
    expect(result.tools.length).toBeGreaterThan(0);
    expect(result.tools.every(({ name }) => name.startsWith('mcp__time__'))).toBe(true);
    expect(await statusOf(api, tokens.access_token, '/mcp/calculator')).toBe(404);
  });

  it('is one server where the program asked for that, and its token opens no other address', async () => {
    const api = await openApi({ publicUrl });
    const { tokens } = await connect(api, {
      query: { resource: `${issuer}/mcp/time` },
      decision: { servers: [{ id: 'calculator' }] },
    });
    expect(await statusOf(api, tokens.access_token, '/mcp/time')).toBe(200);
    for (const path of ['/mcp', '/mcp/calculator'])
      expect(await statusOf(api, tokens.access_token, path)).toBe(401);
  });

  it('is untrusted: a call that could change something asks, whatever the rules allow', async () => {
    const api = await openApi({ publicUrl, limits: { mcpApprovalTime: 100 } });
    await api.json('PUT', '/api/policy', { rules: [{ action: 'allow', toolName: '*' }] });
    const { tokens } = await connect(api);
    const params = { name: 'write_file', arguments: { path: 'a.txt', content: 'a' } };
    const path = '/mcp/filesystem';
    const response = await callMcp(api, tokens.access_token, path, 'tools/call', params);
    expect(await response.text()).toContain("wasn't approved in time");
  });

  it('ends when the person ends it, with what is open under it', async () => {
    const api = await openApi({ publicUrl });
    const { tokens } = await connect(api);
    const { grants } = await api.json<{ grants: { id: string }[] }>('GET', '/api/grants');
    expect(grants).toEqual([
      expect.objectContaining({ name: 'Example', place: '127.0.0.1:3118', isLocal: true }),
    ]);
    const stream = await listen(api, tokens);
    expect(stream.status).toBe(200);
    expect((await api.send('DELETE', `/api/grants/${grants[0]?.id}`)).status).toBe(204);
    await ended(stream);
    expect(await statusOf(api, tokens.access_token)).toBe(401);
  });

  it('is over after its time, which counts as no guess of a token', async () => {
    let now = Date.now();
    const api = await openApi({ publicUrl, now: () => now });
    const { tokens } = await connect(api);
    now += 3_601_000;
    for (let time = 0; time < 30; time += 1)
      expect(await statusOf(api.from('192.0.2.1'), tokens.access_token)).toBe(401);
    const guesses = Array.from(
      { length: 30 },
      (_, at) => `cerise_access_${String(at).padStart(32, 'x')}`,
    );
    const statuses: number[] = [];
    for (const guess of guesses) statuses.push(await statusOf(api.from('192.0.2.1'), guess));
    expect(statuses).toContain(429);
  });

  it('T96: revocation ends an access token alone, and a refresh token with everything', async () => {
    const api = await openApi({ publicUrl });
    const { tokens, clientId } = await connect(api);
    const other = await registered(api);
    const revoke = (token: string, id: string) =>
      post(api, '/oauth/revoke', { token, client_id: id });
    expect((await revoke(tokens.refresh_token, other)).status).toBe(200);
    expect((await revoke('no token', clientId)).status).toBe(200);
    expect(await statusOf(api, tokens.access_token)).toBe(200);
    await revoke(tokens.access_token, clientId);
    expect(await statusOf(api, tokens.access_token)).toBe(401);
    const refreshed = await post(api, '/oauth/token', refreshFields(tokens, clientId));
    const next = (await refreshed.json()) as Tokens;
    const stream = await listen(api, next);
    await revoke(next.refresh_token, clientId);
    expect(api.host.streams.size).toBe(0);
    await ended(stream);
    expect(await statusOf(api, next.access_token)).toBe(401);
  });
});
