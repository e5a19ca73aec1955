import { describe, expect, it } from 'vitest';
import type { MeView, SignInView } from '#shared/api/people-api.ts';
import { dump, errorOf, openApi } from '../../../test/fixtures/http.ts';
import {
  addPerson,
  browserOf,
  cookieOf,
  ended,
  linkCode,
  password,
  signIn,
  statusWith,
  trySignIn,
} from '../../../test/fixtures/people.ts';

const hour = 3_600_000;
const day = 24 * hour;

describe('signing in with a password', () => {
  it('gives a session to who knows it', async () => {
    const api = await openApi();
    const ana = await addPerson(api, 'Ana');
    const { user, signIn: mine } = await ana.json<MeView>('GET', '/api/me');
    expect(user).toMatchObject({ id: ana.id, name: 'Ana', role: 'user', hasPassword: true });
    expect(mine?.method).toBe('password');
    expect(await signIn(api, ' aNA ')).not.toBe(ana.cookie);
  });

  it('says the same to an unknown name, a wrong password and somebody disabled', async () => {
    const api = await openApi();
    const ana = await addPerson(api, 'Ana');
    const answers = [
      await trySignIn(api, 'nobody', password),
      await trySignIn(api, 'Ana', 'wrong'),
    ];
    await api.send('PATCH', `/api/users/${ana.id}`, { disabled: true });
    answers.push(await trySignIn(api, 'Ana', password));
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    expect(new Set(texts).size).toBe(1);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(answers.flatMap((answer) => answer.headers.getSetCookie())).toEqual([]);
  });

  it('is slowed for a name and for one that does not exist alike, and not for others', async () => {
    let time = Date.now();
    const api = await openApi({ now: () => time });
    await addPerson(api, 'Ana');
    await addPerson(api, 'Ben');
    for (const name of ['Ana', 'nobody']) {
      const guesses = await Promise.all(
        Array.from({ length: 9 }, (_, n) => trySignIn(api, name, `guess number ${n}`)),
      );
      const statuses = guesses.map(({ status }) => status).toSorted((a, b) => a - b);
      expect(statuses, name).toEqual([401, 401, 401, 401, 401, 429, 429, 429, 429]);
      expect((await trySignIn(api, name, password)).status).toBe(429);
    }
    const elsewhere = { ...api, ...api.from('192.0.2.5') };
    expect((await trySignIn(elsewhere, 'Ana', password)).status).toBe(429);
    expect((await trySignIn(elsewhere, 'Ben', password)).status).toBe(204);
    time += 1000;
    expect((await trySignIn(elsewhere, 'Ana', password)).status).toBe(204);
    expect((await trySignIn(elsewhere, 'Ana', 'wrong')).status).toBe(401);
  });

  it('is slowed on every host of the same data, and remembered over a restart', async () => {
    const api = await openApi();
    await addPerson(api, 'Ana');
    for (let n = 0; n < 5; n += 1) await trySignIn(api, 'Ana', 'wrong');
    const { place } = api;
    await api.close();
    const again = await openApi({ place });
    expect((await trySignIn(again, 'Ana', password)).status).toBe(429);
  });

  it('ignores the session a browser came with: each sign-in has a new token', async () => {
    const api = await openApi();
    const ana = await addPerson(api, 'Ana');
    const planted = await trySignIn(api, 'Ana', password, { cookie: 'cerise_session=planted' });
    expect(cookieOf(planted)).not.toBe('cerise_session=planted');
    expect(await statusWith(api, { cookie: 'cerise_session=planted' })).toBe(401);
    const next = await trySignIn(api, 'Ana', password, { cookie: ana.cookie });
    expect(cookieOf(next)).not.toBe(ana.cookie);
    expect(await statusWith(api, { cookie: ana.cookie })).toBe(401);
  });

  it('is refused from other sites and as anything but JSON, and nothing is counted', async () => {
    const api = await openApi();
    await addPerson(api, 'Ana');
    const before = await dump(api);
    const foreign: Record<string, string>[] = [
      { origin: 'http://evil.test' },
      { 'sec-fetch-site': 'cross-site' },
      { 'content-type': 'text/plain' },
    ];
    for (const headers of foreign)
      expect([403, 415]).toContain((await trySignIn(api, 'Ana', password, headers)).status);
    expect(await dump(api)).toBe(before);
  });

  it('is not remembered for an Idempotency-Key', async () => {
    const api = await openApi();
    await addPerson(api, 'Ana');
    const key = { 'idempotency-key': 'one' };
    const first = await trySignIn(api, 'Ana', password, key);
    const second = await trySignIn(api, 'Ana', password, key);
    expect(cookieOf(second)).not.toBe(cookieOf(first));
    expect(await dump(api)).not.toContain('"idempotency",[{');
  });

  it('tells everybody which ways there are', async () => {
    const api = await openApi();
    const ways = async () => (await api.raw('GET', '/api/sign-in')).json();
    expect(await ways()).toEqual({ password: false, link: true, command: 'cerise' });
    await addPerson(api, 'Ana');
    expect(await ways()).toEqual({ password: true, link: false, command: 'cerise' });
  });
});

describe('the cookie', () => {
  it('is plain over http, and bound to the host over https', async () => {
    const publicUrl = 'https://cerise.test:4310';
    const plain = await openApi();
    await addPerson(plain, 'Ana');
    const [set = ''] = (await trySignIn(plain, 'Ana', password)).headers.getSetCookie();
    expect(set).toMatch(/^cerise_session=/);
    expect(set).toMatch(/HttpOnly/);
    expect(set).toMatch(/SameSite=Strict/);
    expect(set).not.toMatch(/Secure/);
    const secure = await openApi({ publicUrl });
    await addPerson(secure, 'Ana');
    const response = await trySignIn(secure, 'Ana', password);
    expect(response.headers.getSetCookie()[0]).toMatch(/^__Host-cerise_session=.*; Secure/);
    const cookie = cookieOf(response) ?? '';
    expect(await statusWith(secure, { cookie })).toBe(200);
    expect(await statusWith(secure, { cookie: cookie.replace('__Host-', '') })).toBe(401);
  });

  it('believes X-Forwarded-Proto of a trusted proxy alone', async () => {
    const api = await openApi({ trustedProxies: ['10.0.0.0/8'] });
    await addPerson(api, 'Ana');
    const https = { 'x-forwarded-proto': 'https' };
    const from = async (address: string) => {
      const answer = await api.from(address).raw('POST', '/api/sign-in', {
        headers: { 'content-type': 'application/json', ...https },
        body: JSON.stringify({ name: 'Ana', password }),
      });
      return cookieOf(answer)?.split('=')[0];
    };
    expect(await from('10.1.2.3')).toBe('__Host-cerise_session');
    expect(await from('::ffff:10.1.2.3')).toBe('__Host-cerise_session');
    expect(await from('192.0.2.1')).toBe('cerise_session');
  });

  it('counts guesses by the address behind a trusted proxy, which nobody can write themselves', async () => {
    const api = await openApi({ trustedProxies: ['10.0.0.1'] });
    const guess = (address: string, forwarded: string, n: number) =>
      api.from(address).raw('POST', '/api/sign-in', {
        headers: { 'content-type': 'application/json', 'x-forwarded-for': forwarded },
        body: JSON.stringify({ name: `nobody ${address} ${n}`, password }),
      });
    const statuses: number[] = [];
    for (let n = 0; n < 21; n += 1)
      statuses.push((await guess('10.0.0.1', `203.0.113.${n}, 198.51.100.7`, n)).status);
    expect(statuses.slice(-2)).toEqual([401, 429]);
    expect((await guess('10.0.0.1', '198.51.100.8', 50)).status).toBe(401);
    for (let n = 0; n < 20; n += 1) await guess('192.0.2.9', `203.0.113.${n}`, n);
    expect((await guess('192.0.2.9', '198.51.100.99', 51)).status).toBe(429);
  });
});

describe('T89: guesses through a trusted proxy', () => {
  it.each([
    ['an address with a port', '198.51.100.7:50123'],
    ['IPv6 with a port', '[2001:db8:1:2::7]:50123'],
    ['IPv6 in brackets', '[2001:db8:1:2::8]'],
    ['no address', 'unknown'],
    ['nothing', ''],
  ])('count for one address where it says %s', async (_, said) => {
    const api = await openApi({ trustedProxies: ['10.0.0.1'] });
    const statuses: number[] = [];
    for (let n = 0; n < 22; n += 1) {
      const headers = {
        authorization: `Bearer wrong-${n}`,
        'x-forwarded-for': `203.0.113.${n}, ${said}`,
      };
      statuses.push((await api.from('10.0.0.1').raw('GET', '/api/me', { headers })).status);
    }
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(401));
    expect(statuses.slice(-1)).toEqual([429]);
  });
});

describe('a session', () => {
  it('runs out when it is old, and when nobody used it for long', async () => {
    let time = Date.now();
    const api = await openApi({ now: () => time });
    const { cookie } = await addPerson(api, 'Ana');
    for (let days = 20; days < 90; days += 20) {
      time += 20 * day;
      expect(await statusWith(api, { cookie })).toBe(200);
    }
    time += 20 * day;
    expect(await statusWith(api, { cookie })).toBe(401);
    const idle = await signIn(api, 'Ana');
    time += 31 * day;
    expect(await statusWith(api, { cookie: idle })).toBe(401);
  });

  it('keeps its token where a request shows a key as well', async () => {
    let time = Date.now();
    const api = await openApi({ now: () => time });
    const ana = await addPerson(api, 'Ana');
    const { key } = await ana.json<{ key: string }>('POST', '/api/keys', { name: 'k' });
    time += day;
    const both = { cookie: ana.cookie, authorization: `Bearer ${key}` };
    expect((await api.raw('GET', '/api/me', { headers: both })).status).toBe(200);
    time += 61_000;
    expect(await statusWith(api, { cookie: ana.cookie })).toBe(200);
  });

  it('gets a new token after a day; the old one is good for requests under way', async () => {
    let time = Date.now();
    const api = await openApi({ now: () => time });
    const ana = await addPerson(api, 'Ana');
    expect((await ana.send('GET', '/api/me')).headers.getSetCookie()).toEqual([]);
    time += day;
    const cookie = cookieOf(await ana.send('GET', '/api/me')) ?? '';
    expect(cookie).not.toBe(ana.cookie);
    expect(await statusWith(api, { cookie: ana.cookie })).toBe(200);
    expect(await statusWith(api, { cookie })).toBe(200);
    time += 61_000;
    expect(await statusWith(api, { cookie: ana.cookie })).toBe(401);
    expect(await statusWith(api, { cookie })).toBe(200);
  });

  it('is listed without its token, and ends with what it holds open', async () => {
    const api = await openApi();
    const ana = await addPerson(api, 'Ana');
    const headers = { 'user-agent': 'Firefox on a phone' };
    const phone = cookieOf(await trySignIn(api, 'Ana', password, headers)) ?? '';
    const { signIns } = await ana.json<{ signIns: SignInView[] }>('GET', '/api/sign-ins');
    expect(signIns.map(({ current }) => current)).toEqual([false, true]);
    const [other] = signIns;
    expect(other).toMatchObject({ browser: 'Firefox on a phone', method: 'password' });
    const text = JSON.stringify(signIns);
    expect(text).not.toContain(phone.split('=')[1]);
    const stream = await api.raw('GET', '/api/events', { headers: { cookie: phone } });
    const mine = await ana.send('GET', '/api/events');
    expect((await ana.send('DELETE', `/api/sign-ins/${other?.id}`)).status).toBe(204);
    await ended(stream);
    expect(await statusWith(api, { cookie: phone })).toBe(401);
    expect(await statusWith(api, { cookie: ana.cookie })).toBe(200);
    await mine.body?.cancel();
  });

  it('ends with a new password everywhere but here, where its token is a new one', async () => {
    const api = await openApi();
    const ana = await addPerson(api, 'Ana');
    const other = await signIn(api, 'Ana');
    const stream = await api.raw('GET', '/api/events', { headers: { cookie: other } });
    const set = (current: string) =>
      ana.send('POST', '/api/me/password', { current, password: 'a new long one' });
    expect(await errorOf(await set('wrong'))).toMatchObject({
      status: 403,
      code: 'wrong_password',
    });
    const changed = await set(password);
    expect(changed.status).toBe(200);
    await ended(stream);
    expect(await statusWith(api, { cookie: other })).toBe(401);
    expect(await statusWith(api, { cookie: ana.cookie })).toBe(401);
    expect(await statusWith(api, { cookie: cookieOf(changed) ?? '' })).toBe(200);
    expect((await trySignIn(api, 'Ana', password)).status).toBe(401);
    expect((await trySignIn(api, 'Ana', 'a new long one')).status).toBe(204);
  });

  it('lets nobody guess the present password from a stolen session', async () => {
    const api = await openApi();
    const ana = await addPerson(api, 'Ana');
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      const guess = { current: `guess ${n}`, password: 'a new long one' };
      statuses.push((await ana.send('POST', '/api/me/password', guess)).status);
    }
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429]);
  });

  it('by the link of the console sets the password of the admin, later only with the present one', async () => {
    let time = Date.now();
    const api = await openApi({ now: () => time });
    const link = await api.raw('GET', `/sign-in?code=${await linkCode(api.host)}`);
    const admin = browserOf(api, { id: 'local', name: 'Local', cookie: cookieOf(link) ?? '' });
    expect(await admin.json<MeView>('GET', '/api/me')).toMatchObject({ asksPassword: false });
    const set = await admin.send('POST', '/api/me/password', { password: 'of the console' });
    expect(set.status).toBe(200);
    expect((await trySignIn(api, 'local', 'of the console')).status).toBe(204);
    time += hour;
    const later = browserOf(api, { ...admin, cookie: cookieOf(set) ?? '' });
    const without = await later.send('POST', '/api/me/password', { password: 'somebody else' });
    expect(await errorOf(without)).toMatchObject({ code: 'wrong_password' });
  });
});
