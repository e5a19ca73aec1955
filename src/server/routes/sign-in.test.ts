import { describe, expect, it } from 'vitest';
import { emptyPlace, openApi, type TestApi } from '../../../test/fixtures/http.ts';
import { linkCode } from '../../../test/fixtures/people.ts';

/** Opens a link as a browser does; the cookie it was given, if any. */
async function open(api: TestApi, code: string, cookie?: string) {
  const response = await api.raw('GET', `/sign-in?code=${encodeURIComponent(code)}`, {
    headers: cookie ? { cookie } : {},
    redirect: 'manual',
  });
  const [setCookie] = response.headers.getSetCookie();
  return {
    status: response.status,
    location: response.headers.get('location'),
    setCookie,
    cookie: setCookie?.split(';')[0] ?? '',
  };
}

const isIn = async (api: TestApi, cookie: string) =>
  (await api.raw('GET', '/api/topics', { headers: { cookie } })).status === 200;

describe('the one-time link', () => {
  it('signs a browser in, once', async () => {
    const api = await openApi();
    const code = await linkCode(api.host);
    const first = await open(api, code);
    expect(first).toMatchObject({ status: 303, location: '/' });
    expect(await isIn(api, first.cookie)).toBe(true);
    const second = await open(api, code);
    expect(second).toMatchObject({ location: '/?sign-in=used', setCookie: undefined });
  });

  it('signs one browser in when two open it at the same moment', async () => {
    const api = await openApi();
    const code = await linkCode(api.host);
    const opened = await Promise.all([open(api, code), open(api, code), open(api, code)]);
    expect(opened.filter(({ setCookie }) => setCookie)).toHaveLength(1);
  });

  it('gives a cookie that scripts cannot read and other sites cannot send', async () => {
    const api = await openApi();
    const { setCookie } = await open(api, await linkCode(api.host));
    expect(setCookie).toMatch(/; HttpOnly/);
    expect(setCookie).toMatch(/; SameSite=Strict/);
    expect(setCookie).toMatch(/; Path=\/(;|$)/);
    expect(setCookie).toMatch(/; Max-Age=\d+/);
    expect(setCookie).not.toMatch(/Domain=/i);
  });

  it.each(['', 'wrong', '\0', 'a'.repeat(5000)])('does nothing with the code %j', async (code) => {
    const api = await openApi();
    const before = await linkCode(api.host);
    expect(await open(api, code)).toMatchObject({ status: 303, setCookie: undefined });
    expect((await open(api, before)).setCookie).toBeDefined();
  });

  it('T88: is used up by a browser that is signed in already, which stays so', async () => {
    const api = await openApi();
    const { cookie } = await open(api, await linkCode(api.host));
    const code = await linkCode(api.host);
    expect(await open(api, code, cookie)).toMatchObject({ location: '/', setCookie: undefined });
    expect(await isIn(api, cookie)).toBe(true);
    expect((await open(api, code)).setCookie).toBeUndefined();
  });
});

describe('a sign-in', () => {
  it('outlives a restart', async () => {
    const place = await emptyPlace();
    const before = await openApi({ place });
    const { cookie } = await open(before, await linkCode(before.host));
    await before.close();
    expect(await isIn(await openApi({ place }), cookie)).toBe(true);
  });

  it('ends with sign-out, in this browser alone', async () => {
    const api = await openApi();
    const one = await open(api, await linkCode(api.host));
    const two = await open(api, await linkCode(api.host));
    const response = await api.raw('POST', '/api/sign-out', { headers: { cookie: one.cookie } });
    expect(response.status).toBe(204);
    expect(response.headers.getSetCookie()[0]).toMatch(/^cerise_session=;.*Max-Age=0/);
    expect(await isIn(api, one.cookie)).toBe(false);
    expect(await isIn(api, two.cookie)).toBe(true);
  });
});
