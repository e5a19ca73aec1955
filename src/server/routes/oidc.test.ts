import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { MeView } from '#shared/api/people-api.ts';
import { silentLogger as quiet } from '../../../test/fakes/mcp-servers.ts';
import { type OpenIdIssuer, startOpenIdIssuer } from '../../../test/fakes/openid-issuer.ts';
import { openApi, type TestApi } from '../../../test/fixtures/http.ts';
import { addPerson, browserOf, statusWith } from '../../../test/fixtures/people.ts';

const client = { id: 'cerise', secret: 'client-secret' };

async function start(): Promise<{ api: TestApi; issuer: OpenIdIssuer }> {
  const issuer = await startOpenIdIssuer(client);
  onTestFinished(() => issuer.close());
  const oidc = {
    issuer: issuer.url,
    clientId: client.id,
    clientSecret: client.secret,
    name: 'Example',
    adminGroup: 'cerise-admins',
    groupsClaim: 'groups',
  };
  return { api: await openApi({ oidc, logger: quiet }), issuer };
}

/** The browser goes out: where to, and the cookie it has to bring back. */
async function begin(api: TestApi): Promise<{ address: string; flow: string }> {
  const response = await api.raw('GET', '/sign-in/oidc');
  const [flow = ''] = response.headers.getSetCookie();
  return { address: response.headers.get('location') ?? '', flow: flow.split(';')[0] ?? '' };
}

/** The browser comes back: its session, or undefined where it was refused. */
async function comeBack(api: TestApi, back: string, cookie: string): Promise<string | undefined> {
  const { pathname, search } = new URL(back);
  const response = await api.raw('GET', pathname + search, { headers: { cookie } });
  const session = response.headers.getSetCookie().find((set) => set.startsWith('cerise_session='));
  expect(response.headers.get('location')).toBe(session ? '/' : '/?sign-in=failed');
  return session?.split(';')[0];
}

async function signIn(api: TestApi, issuer: OpenIdIssuer): Promise<string | undefined> {
  const { address, flow } = await begin(api);
  return comeBack(api, issuer.authorize(address), flow);
}

async function me(api: TestApi, cookie: string | undefined): Promise<MeView> {
  return browserOf(api, { id: '', name: '', cookie: cookie ?? '' }).json('GET', '/api/me');
}

describe('signing in by an identity provider', () => {
  it('adds whoever comes for the first time, and knows them afterwards', async () => {
    const { api, issuer } = await start();
    expect(await (await api.raw('GET', '/api/sign-in')).json()).toMatchObject({
      oidc: { name: 'Example' },
      link: false,
    });
    issuer.person = { sub: 'a', preferred_username: 'Ana' };
    const first = await me(api, await signIn(api, issuer));
    expect(first).toMatchObject({
      user: { name: 'Ana', role: 'user', hasOidc: true, hasPassword: false },
      signIn: { method: 'oidc' },
    });
    issuer.person = { sub: 'a', preferred_username: 'Renamed' };
    expect((await me(api, await signIn(api, issuer))).user.id).toBe(first.user.id);
  });

  it('adds somebody once who comes for the first time in two browsers at once', async () => {
    const { api, issuer } = await start();
    issuer.person = { sub: 'a', preferred_username: 'Ana' };
    const both = Promise.withResolvers<void>();
    const { users } = api.host;
    const add = users.add.bind(users);
    let adding = 0;
    vi.spyOn(users, 'add').mockImplementation(async (...person) => {
      if (++adding === 2) both.resolve();
      await both.promise;
      return add(...person);
    });
    const cookies = await Promise.all([signIn(api, issuer), signIn(api, issuer)]);
    const [first, second] = await Promise.all(cookies.map((cookie) => me(api, cookie)));
    expect(second?.user).toMatchObject({ id: first?.user.id, name: 'Ana' });
  });

  it('asks with PKCE, a state and a nonce, and comes back by a cookie scripts cannot read', async () => {
    const { api } = await start();
    const response = await api.raw('GET', '/sign-in/oidc');
    const asked = new URL(response.headers.get('location') ?? '').searchParams;
    expect(asked.get('code_challenge_method')).toBe('S256');
    for (const name of ['code_challenge', 'state', 'nonce'])
      expect(asked.get(name)?.length, name).toBeGreaterThan(20);
    expect(response.headers.getSetCookie()[0]).toMatch(/HttpOnly.*SameSite=Lax/);
  });

  it('never takes somebody for a person with a password of the same name', async () => {
    const { api, issuer } = await start();
    const ana = await addPerson(api, 'Ana');
    issuer.person = { sub: 'x', preferred_username: 'Ana' };
    const other = await me(api, await signIn(api, issuer));
    expect(other.user.id).not.toBe(ana.id);
    expect(other.user.name).toBe('Ana 2');
    issuer.person = { sub: 'y', preferred_username: 'local' };
    expect((await me(api, await signIn(api, issuer))).user).toMatchObject({ role: 'user' });
  });

  it('makes admins of a group, and no longer when they have left it', async () => {
    const { api, issuer } = await start();
    issuer.person = { sub: 'a', name: 'Ana', groups: ['cerise-admins'] };
    expect((await me(api, await signIn(api, issuer))).user.role).toBe('admin');
    issuer.person = { sub: 'a', name: 'Ana', groups: [] };
    expect((await me(api, await signIn(api, issuer))).user.role).toBe('user');
  });

  it('lets nobody in who was disabled', async () => {
    const { api, issuer } = await start();
    issuer.person = { sub: 'a', name: 'Ana' };
    const { user } = await me(api, await signIn(api, issuer));
    await api.send('PATCH', `/api/users/${user.id}`, { disabled: true });
    expect(await signIn(api, issuer)).toBeUndefined();
  });

  const past = Math.floor(Date.now() / 1000) - 3600;
  it.each([
    ['of another nonce', { nonce: 'another' }],
    ['without a nonce', { nonce: undefined }],
    ['for another client', { aud: 'another' }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['that has run out', { exp: past, iat: past - 300 }],
    ['without a subject', { sub: undefined }],
  ])('refuses a token %s', async (_, lies) => {
    const { api, issuer } = await start();
    issuer.lies = lies;
    expect(await signIn(api, issuer)).toBeUndefined();
    const { users } = await api.json<{ users: unknown[] }>('GET', '/api/users');
    expect(users).toHaveLength(1);
  });

  it('refuses a token that the issuer did not sign', async () => {
    const { api, issuer } = await start();
    issuer.forges = true;
    expect(await signIn(api, issuer)).toBeUndefined();
  });

  it('refuses what comes back twice, from another browser, or unasked', async () => {
    const { api, issuer } = await start();
    const one = await begin(api);
    const back = issuer.authorize(one.address);
    const stolen = await begin(api);
    expect(await comeBack(api, back, stolen.flow)).toBeUndefined();
    expect(await comeBack(api, back, one.flow)).toBeUndefined();
    const two = await begin(api);
    const again = issuer.authorize(two.address);
    const session = await comeBack(api, again, two.flow);
    expect(await statusWith(api, { cookie: session ?? '' })).toBe(200);
    expect(await comeBack(api, again, two.flow)).toBeUndefined();
    const three = await begin(api);
    for (const change of [
      { state: 'another' },
      { code: 'another' },
      { iss: 'https://evil.example' },
    ]) {
      const url = new URL(issuer.authorize(three.address));
      for (const [name, value] of Object.entries(change)) url.searchParams.set(name, value);
      expect(await comeBack(api, url.href, three.flow)).toBeUndefined();
    }
  });

  it('refuses a flow that took too long', async () => {
    let time = Date.now();
    const issuer = await startOpenIdIssuer(client);
    onTestFinished(() => issuer.close());
    const oidc = {
      issuer: issuer.url,
      clientId: client.id,
      clientSecret: client.secret,
      name: 'Example',
      groupsClaim: 'groups',
    };
    const api = await openApi({ oidc, logger: quiet, now: () => time });
    const { address, flow } = await begin(api);
    time += 10 * 60_000;
    expect(await comeBack(api, issuer.authorize(address), flow)).toBeUndefined();
  });

  it('says that it failed where the issuer cannot be reached', async () => {
    const { api, issuer } = await start();
    await issuer.close();
    const response = await api.raw('GET', '/sign-in/oidc');
    expect(response.headers.get('location')).toBe('/?sign-in=failed');
    expect(response.headers.getSetCookie()).toEqual([]);
  });
});
