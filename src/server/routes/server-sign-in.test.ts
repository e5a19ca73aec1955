import { describe, expect, it } from 'vitest';
import type { HostOptions } from '#chat/host/host.ts';
import type { ServerView } from '#shared/api/api.ts';
import type { SignInStartView, SignInStateView } from '#shared/api/sign-in-api.ts';
import { toErrorInfo } from '#shared/errors/errors.ts';
import {
  type AuthorizationScript,
  AuthorizationServer,
} from '../../../test/fakes/authorization-server.ts';
import { createProtectedServer } from '../../../test/fakes/protected-server.ts';
import { errorOf, openApi, ownHost, type TestApi } from '../../../test/fixtures/http.ts';
import { closeAfterTest } from '../../../test/fixtures/oauth.ts';
import { linkCode } from '../../../test/fixtures/people.ts';

const redirectUri = 'http://127.0.0.1:4999/callback';
const own = `http://${ownHost}`;

/** A host that knows a protected server, and a browser that is signed in to the host. */
async function start(options: Partial<HostOptions> = {}, script: AuthorizationScript = {}) {
  const issuer = await AuthorizationServer.start({ autoApprove: true, ...script });
  closeAfterTest(issuer);
  const server = closeAfterTest(await createProtectedServer(issuer));
  const api = await openApi(options);
  const body = { name: 'protected', type: 'streamableHttp', baseUrl: server.url };
  const { id } = await api.json<ServerView>('POST', '/api/servers', body);
  const session = await api.host.signIns.redeem(await linkCode(api.host));
  const path = `/api/servers/${id}`;
  return {
    api,
    issuer,
    server,
    id,
    path,
    cookie: `cerise_session=${session?.token ?? ''}`,
    begin: () => api.json<SignInStartView>('POST', `${path}/sign-in`, { redirectUri }),
    finish: (url: string) => api.send('POST', '/api/servers/sign-in/finish', { url }),
    state: () => api.json<SignInStateView>('GET', `${path}/sign-in`),
    serverState: async () => (await api.json<ServerView>('GET', path)).state,
  };
}

/** The address a browser comes back to. */
async function agree({ authorizationUrl }: { authorizationUrl: string }): Promise<string> {
  const response = await fetch(authorizationUrl, { redirect: 'manual' });
  return response.headers.get('location') ?? '';
}

/** Opens the callback as a browser does, with its cookie if it has one. */
function visit(api: TestApi, url: string, cookie?: string): Promise<Response> {
  const { pathname, search } = new URL(url);
  const headers = {
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
    ...(cookie && { cookie }),
  };
  return api.raw('GET', `${pathname}${search}`, { headers });
}

describe('a sign-in to a protected server', () => {
  it('leads from needing one to being connected, by itself', async () => {
    const { api, path, begin, finish, state, serverState, id, issuer } = await start();
    expect(await errorOf(await api.send('POST', `${path}/connect`, {}))).toMatchObject({
      code: 'sign_in_required',
    });
    expect(await serverState()).toBe('needs-auth');
    const begun = await begin();
    expect(begun.authorizationUrl.startsWith(`${issuer.url}/authorize?`)).toBe(true);
    expect(begun.expiresAt - Date.now()).toBeLessThanOrEqual(5 * 60_000);
    expect(await (await finish(await agree(begun))).json()).toEqual({ serverId: id });
    await expect.poll(serverState).toBe('connected');
    expect(await state()).toMatchObject({ status: 'signed-in', issuer: issuer.url });
    const result = await api.json<object>('POST', `${path}/tools/whoami/call`, { arguments: {} });
    expect(result).toHaveProperty('toolCallId');
  });

  it('ends with a sign-out, which revokes and asks for the next sign-in', async () => {
    const { api, path, begin, finish, state, serverState, issuer, server } = await start();
    await finish(await agree(await begin()));
    await expect.poll(serverState).toBe('connected');
    expect((await api.send('POST', `${path}/sign-out`, {})).status).toBe(204);
    const token = server.requests.findLast(({ authorization }) => authorization)?.['authorization'];
    expect(issuer.inspect(token?.split(' ')[1] ?? '')).toBeUndefined();
    expect(issuer.count('/revoke')).toBe(2);
    expect((await state()).status).toBe('none');
    await expect.poll(serverState).toBe('needs-auth');
  });

  it('takes each answer once, and only of the newest sign-in', async () => {
    const { begin, finish, serverState } = await start();
    const [first, second] = [await begin(), await begin()];
    const refused = { status: 502, code: 'sign_in_failed', details: { reason: 'no_such_flow' } };
    expect(await errorOf(await finish(await agree(first)))).toMatchObject(refused);
    const url = await agree(second);
    expect((await finish(url)).status).toBe(200);
    expect(await errorOf(await finish(url))).toMatchObject(refused);
    await expect.poll(serverState).toBe('connected');
  });

  it('does not take an answer with another state, of another owner, or after 5 minutes', async () => {
    let time = Date.now();
    const { api, begin, finish } = await start({ now: () => time });
    const url = await agree(await begin());
    const wrong = new URL(url);
    wrong.searchParams.set('state', 'wrong');
    expect((await errorOf(await finish(wrong.href))).code).toBe('sign_in_failed');
    const stranger = api.host.serverSignIn.finish('somebody else', url).catch(toErrorInfo);
    expect(await stranger).toMatchObject({ details: { reason: 'no_such_flow' } });
    time += 5 * 60_000;
    expect(await errorOf(await finish(url))).toMatchObject({ details: { reason: 'no_such_flow' } });
  });

  it('says at once what the authorization server said no with', async () => {
    const { begin, finish } = await start();
    const { state, authorizationUrl } = await begin();
    const url = new URL(redirectUri);
    const issuer = new URL(authorizationUrl).origin;
    const query = { state, iss: issuer, error: 'access_denied', error_description: 'Not today' };
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    expect(await errorOf(await finish(url.href))).toMatchObject({
      code: 'sign_in_failed',
      message: expect.stringContaining('Not today'),
      hint: 'Sign in again and allow access.',
    });
  });

  it('sends programs only to their own machine, and nobody to a server that has no door', async () => {
    const { api, path } = await start();
    for (const address of ['https://evil.test/callback', 'http://evil.test/', 'javascript:1', 'x'])
      expect(
        await errorOf(await api.send('POST', `${path}/sign-in`, { redirectUri: address })),
      ).toMatchObject({ code: 'invalid_request' });
    const response = await api.send('POST', '/api/servers/time/sign-in', {});
    expect((await errorOf(response)).code).toBe('invalid_request');
    const unknown = await api.send('POST', '/api/servers/none/sign-in', {});
    expect((await errorOf(unknown)).code).toBe('server_not_found');
  });

  it('does not follow a server into a private network that nobody named', async () => {
    const { api, path, begin, server } = await start();
    server.script.overrides = { authorization_servers: ['https://10.0.0.1'] };
    expect(await begin()).toMatchObject({
      error: { code: 'address_blocked', hint: expect.stringContaining('authorization server') },
    });
    const refused = await errorOf(await api.send('POST', `${path}/connect`, {}));
    expect(refused.code).toBe('address_blocked');
  });

  it('asks for more rights when a call needs them, and keeps those it had', async () => {
    const { api, path, begin, finish, serverState, state, issuer } = await start();
    const call = (tool: string) =>
      api.send('POST', `${path}/tools/${tool}/call`, { arguments: {} });
    await api.send('PATCH', path, { autoApprove: ['*'] });
    await finish(await agree(await begin()));
    await expect.poll(serverState).toBe('connected');
    expect(await errorOf(await call('admin_action'))).toMatchObject({
      code: 'sign_in_required',
      hint: expect.stringContaining('Sign in'),
    });
    expect(await serverState()).toBe('needs-auth');
    expect((await call('whoami')).status).toBe(200);
    await finish(await agree(await begin()));
    expect(issuer.authorizations.at(-1)?.get('scope')?.split(' ')).toContain('admin');
    await expect.poll(serverState).toBe('connected');
    expect((await call('admin_action')).status).toBe(200);
    expect((await state()).scope).toContain('admin');
  });
});

describe('the page a browser comes back to', () => {
  it('finishes the sign-in of the browser that is signed in to Cerise', async () => {
    const { api, path, cookie, serverState } = await start({}, {});
    const headers = {
      cookie,
      origin: 'http://127.0.0.1:4310',
      host: '127.0.0.1:4310',
      'content-type': 'application/json',
    };
    const refused = await api.raw('POST', `${path}/sign-in`, { headers, body: '{}' });
    expect((await errorOf(refused)).code).toBe('foreign_host');
    const begun = await api.json<SignInStartView>('POST', `${path}/sign-in`, { redirectUri });
    const url = `${own}/api/oauth/callback${new URL(await agree(begun)).search}`;

    const first = await visit(api, url);
    const again = await first.text();
    expect(again).toContain('data-outcome="again"');
    expect(await serverState()).not.toBe('connected');
    const next = /url=([^"]+)"/.exec(again)?.[1]?.replaceAll('&#38;', '&') ?? '';

    const page = await visit(api, `${own}${next}`, cookie);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('You&#39;re signed in to protected');
    await expect.poll(serverState).toBe('connected');
  });

  it('does nothing for a browser that is not, however often it comes', async () => {
    const { api, begin, finish } = await start();
    const url = `${own}/api/oauth/callback${new URL(await agree(await begin())).search}`;
    const page = await visit(api, `${url}&cerise_again=1`, 'cerise_session=wrong');
    expect(page.status).toBe(400);
    expect(await page.text()).toContain('isn&#39;t signed in to Cerise');
    expect((await finish(url)).status).toBe(200);
  });

  it('shows what strangers wrote as text, and can run nothing', async () => {
    const { api, cookie, begin } = await start();
    const { state, authorizationUrl } = await begin();
    const url = new URL(`${own}/api/oauth/callback`);
    const error_description = '"><script>alert(1)</script><img src=x onerror=alert(1)>';
    const query = { state, iss: new URL(authorizationUrl).origin, error: 'x', error_description };
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const page = await visit(api, url.href, cookie);
    const text = await page.text();
    expect(text).not.toMatch(/<script|<img/);
    expect(text).toContain('script&#62;');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+';/);
    expect(policy).not.toContain('unsafe');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    const bounce = await (await visit(api, `${own}/api/oauth/callback?a="><script>`)).text();
    expect(bounce).not.toContain('<script');
  });

  it('speaks the language of the browser', async () => {
    const { api } = await start();
    const headers = { 'accept-language': 'zh-CN,zh;q=0.9' };
    const page = await api.raw('GET', '/api/oauth/callback?cerise_again=1', { headers });
    const text = await page.text();
    expect(text).toContain('登录失败');
    expect(text).toContain('这个浏览器尚未登录 Cerise。');
  });
});

describe('the host as a client', () => {
  it('has a document about itself where it has a public address', async () => {
    const { api } = await start({ publicUrl: `https://${ownHost}` });
    const response = await api.raw('GET', '/oauth/client.json');
    expect(await response.json()).toMatchObject({
      client_id: `https://${ownHost}/oauth/client.json`,
      redirect_uris: [`https://${ownHost}/api/oauth/callback`, 'http://127.0.0.1/callback'],
      token_endpoint_auth_method: 'none',
    });
  });

  it('names itself by it, and sends browsers back to its public address', async () => {
    const publicUrl = `https://${ownHost}`;
    const { api, path, issuer } = await start({ publicUrl }, { clientDocuments: true });
    const { authorizationUrl } = await api.json<SignInStartView>('POST', `${path}/sign-in`, {});
    const query = new URL(authorizationUrl).searchParams;
    expect(query.get('client_id')).toBe(`${publicUrl}/oauth/client.json`);
    expect(query.get('redirect_uri')).toBe(`${publicUrl}/api/oauth/callback`);
    expect(issuer.count('/register')).toBe(0);
  });

  it('has none without one, and refuses to let people come back over an open way', async () => {
    const { api, path } = await start();
    expect((await api.raw('GET', '/oauth/client.json')).status).toBe(404);
    const refused = await errorOf(await api.send('POST', `${path}/sign-in`, {}));
    expect(refused).toMatchObject({ code: 'sign_in_failed' });
    expect(refused.hint).toContain('https');
  });

  it('shows the settings of a sign-in without their secrets, and keeps those it is sent back', async () => {
    const { api, path, issuer } = await start({}, { authMethods: ['client_secret_basic'] });
    const secret = 'the-secret-of-the-client';
    issuer.script.clients = { mine: { secret, redirectUris: [redirectUri] } };
    const auth = { grant: 'authorization_code', clientId: 'mine', clientSecret: secret };
    await api.send('PATCH', path, { auth });
    const { config } = await api.json<{ config: { auth: object } }>('GET', path);
    expect(config.auth).toEqual({ ...auth, clientSecret: '•••' });
    await api.send('PATCH', path, { auth: { ...config.auth, scopes: ['basic'] } });
    const begun = await api.json<SignInStartView>('POST', `${path}/sign-in`, { redirectUri });
    const finished = await api.send('POST', '/api/servers/sign-in/finish', {
      url: await agree(begun),
    });
    expect(finished.status).toBe(200);
    expect(issuer.authorizations.at(-1)?.get('client_id')).toBe('mine');
  });
});
