import { sql } from 'kysely';
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import type { KeyView, MeView } from '#shared/api/people-api.ts';
import { temporaryDatabase } from './databases.ts';
import { dump, errorOf, openApi, type TestApi } from './fixtures/http.ts';
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
} from './fixtures/people.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

const keyOf = (who: Pick<TestApi, 'json'>, fields: object = {}) =>
  who.json<KeyView & { key: string }>('POST', '/api/keys', { name: 'script', ...fields });

async function open(api: Pick<TestApi, 'raw'>, code: string): Promise<string | undefined> {
  return cookieOf(await api.raw('GET', `/sign-in?code=${code}`));
}

describe('T87: what was there before a change of rights', () => {
  it.each([
    ['a new password', { password: 'another long one' }],
    ['another role', { role: 'admin' }],
    ['disabling', { disabled: true }],
  ])('is ended by %s, or named and offered', async (_, change) => {
    const api = await openApi();
    const ana = await addPerson(api, 'Ana');
    const { key, id } = await keyOf(ana);
    const streams = [
      await ana.send('GET', '/api/events'),
      await api.raw('GET', '/api/events', { headers: { 'x-api-key': key } }),
    ];
    const changed = await api.json<{ keys: KeyView[] }>('PATCH', `/api/users/${ana.id}`, change);
    for (const stream of streams) await ended(stream);
    expect(await statusWith(api, { cookie: ana.cookie })).toBe(401);
    expect(changed.keys).toMatchObject([{ id, name: 'script', scopes: ['chat'] }]);
    expect(JSON.stringify(changed)).not.toContain(key);
    const offered = await api.json<{ keys: KeyView[] }>('PATCH', `/api/users/${ana.id}`, {
      endKeys: true,
      disabled: false,
    });
    expect(offered.keys).toEqual([]);
    expect(await statusWith(api, { 'x-api-key': key })).toBe(401);
  });

  it('is ended by a new password of one’s own, keys where that is wanted', async () => {
    const api = await openApi();
    const ana = await addPerson(api, 'Ana');
    const other = await signIn(api, 'Ana');
    const { key, id } = await keyOf(ana);
    const first = await ana.send('POST', '/api/me/password', {
      current: password,
      password: 'a second long one',
    });
    expect(await first.json()).toMatchObject({ keys: [{ id, name: 'script' }] });
    expect(await statusWith(api, { cookie: other })).toBe(401);
    expect(await statusWith(api, { 'x-api-key': key })).toBe(200);
    const stream = await api.raw('GET', '/api/events', { headers: { 'x-api-key': key } });
    const now = browserOf(api, { ...ana, cookie: cookieOf(first) ?? '' });
    const second = await now.send('POST', '/api/me/password', {
      current: 'a second long one',
      password: 'a third long one',
      endKeys: true,
    });
    expect(await second.json()).toEqual({ keys: [] });
    await ended(stream);
    expect(await statusWith(api, { 'x-api-key': key })).toBe(401);
  });

  it('are links for the console, where its admin has a new password', async () => {
    const api = await openApi();
    const [first, second] = [await linkCode(api.host), await linkCode(api.host)];
    await api.send('PATCH', '/api/users/local', { password: 'another long one' });
    expect(await open(api, first)).toBeUndefined();
    expect(await open(api, second)).toBeUndefined();
    const third = await linkCode(api.host);
    await api.send('POST', '/api/me/password', { password: 'one more long one' });
    expect(await open(api, third)).toBeUndefined();
  });

  it('shows admins the keys of everybody, without the keys, and lets them end each', async () => {
    const api = await openApi();
    const ana = await addPerson(api, 'Ana');
    const { key, id } = await keyOf(ana, { expiresAt: Date.now() + day });
    const mine = await keyOf(api);
    await statusWith(api, { 'x-api-key': key });
    const text = await (await api.send('GET', '/api/users/keys')).text();
    const { keys } = JSON.parse(text) as { keys: object[] };
    expect(keys).toHaveLength(2);
    expect(keys).toContainEqual({
      id,
      owner: { id: ana.id, name: 'Ana' },
      name: 'script',
      scopes: ['chat'],
      createdAt: expect.any(Number),
      lastUsedAt: expect.any(Number),
      expiresAt: expect.any(Number),
    });
    for (const secret of [key, mine.key, 'hash']) expect(text).not.toContain(secret);
    const stream = await api.raw('GET', '/api/events', { headers: { 'x-api-key': key } });
    const wrong = await api.send('DELETE', `/api/users/local/keys/${id}`);
    expect(await errorOf(wrong)).toMatchObject({ code: 'key_not_found' });
    expect((await api.send('DELETE', `/api/users/${ana.id}/keys/${id}`)).status).toBe(204);
    await ended(stream);
    expect(await statusWith(api, { 'x-api-key': key })).toBe(401);
    for (const [method, path] of [
      ['GET', '/api/users/keys'],
      ['DELETE', `/api/users/local/keys/${mine.id}`],
    ] as const)
      expect(await errorOf(await ana.send(method, path))).toMatchObject({ code: 'admin_only' });
  });
});

describe('T87: a stream that is opened while its key is ended', () => {
  it.each(['/api/events', '/api/streams/one'])('ends too: %s', async (path) => {
    const api = await openApi();
    for (let n = 0; n < 10; n += 1) {
      const { key, id } = await keyOf(api, { scopes: ['read'] });
      const [stream] = await Promise.all([
        api.raw('GET', path, { headers: { 'x-api-key': key } }),
        api.send('DELETE', `/api/keys/${id}`),
      ]);
      expect([200, 401]).toContain(stream.status);
      if (stream.status === 200) await ended(stream);
    }
  });
});

describe('T88: a sign-in link', () => {
  it('ends after 10 minutes, and a clock that is set back gives it no more', async () => {
    let time = Date.now();
    const api = await openApi({ now: () => time });
    const [first, second, third] = [
      await linkCode(api.host),
      await linkCode(api.host),
      await linkCode(api.host),
    ];
    time += 10 * minute - 1;
    expect(await open(api, first)).toBeDefined();
    time += 1;
    expect(await open(api, second)).toBeUndefined();
    time -= hour;
    expect(await open(api, third)).toBeUndefined();
    expect(await open(api, await linkCode(api.host))).toBeDefined();
  });

  it('is made by the console alone, and by nobody where links are switched off', async () => {
    const api = await openApi();
    const path = '/api/sign-in/link';
    const made = await api.json<{ url: string }>('POST', path, {});
    expect(await dump(api)).not.toContain(new URL(made.url).searchParams.get('code'));
    const boss = await addPerson(api, 'Boss', 'admin');
    const { key } = await keyOf(api, { scopes: ['admin'] });
    const others = [
      await boss.send('POST', path, {}),
      await api.send('POST', path, {}, { authorization: `Bearer ${key}` }),
    ];
    for (const response of others)
      expect(await errorOf(response)).toMatchObject({ code: 'forbidden' });
    const off = await openApi({ place: api.place, signInLink: false, ...(await closed(api)) });
    expect(await errorOf(await off.send('POST', path, {}))).toMatchObject({ code: 'forbidden' });
    expect(await open(off, new URL(made.url).searchParams.get('code') ?? '')).toBeUndefined();
    expect(await (await off.raw('GET', '/api/sign-in')).json()).toMatchObject({ link: false });
  });

  it('is not used up by whoever only looks at it', async () => {
    const api = await openApi();
    const code = await linkCode(api.host);
    const looked = await api.raw('HEAD', `/sign-in?code=${code}`);
    expect(cookieOf(looked)).toBeUndefined();
    expect(await open(api, code)).toBeDefined();
  });

  const url = inject('postgresUrl');
  it.skipIf(url === null)(
    'signs in one browser of two that open it on two hosts at once',
    async () => {
      const cleanups: (() => Promise<unknown>)[] = [];
      const place = await temporaryDatabase(url ?? '', cleanups);
      onTestFinished(async () => {
        for (const cleanup of cleanups.toReversed()) await cleanup();
      });
      const hosts = [await openApi({ place }), await openApi({ place })] as const;
      for (let round = 0; round < 5; round += 1) {
        const code = await linkCode(hosts[round % 2 === 0 ? 0 : 1].host);
        const opened = await Promise.all(
          [0, 1, 0, 1].map((n) => open(hosts[n === 0 ? 0 : 1], code)),
        );
        expect(opened.filter((cookie) => cookie !== undefined)).toHaveLength(1);
      }
    },
  );
});

describe('T89: guesses of bearer tokens and keys', () => {
  it('are slowed by address, and never whoever has a right one, or comes from elsewhere', async () => {
    let time = Date.now();
    const api = await openApi({ now: () => time });
    const { key } = await keyOf(api);
    const from = api.from('192.0.2.7');
    const attempt = async (who: Pick<TestApi, 'raw'>, header: Record<string, string>) =>
      (await who.raw('GET', '/api/topics', { headers: header })).status;
    const guess = (n: number): Record<string, string> =>
      n % 2 === 0
        ? { authorization: `Bearer guess-${n}` }
        : { 'x-api-key': `cerise_${String(n).padStart(32, 'x')}` };
    const execute = vi.spyOn(api.host.store.db, 'insertInto');
    const statuses = new Map<number, number>();
    for (let n = 0; n < 10_000; n += 1) {
      const status = await attempt(from, guess(n));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (n % 1000 === 0) expect(await attempt(from, { 'x-api-key': key })).toBe(200);
    }
    expect([...statuses]).toEqual([
      [401, 20],
      [429, 9980],
    ]);
    expect(execute.mock.calls.filter(([table]) => table === 'sign_in_attempts')).toHaveLength(21);
    expect(await attempt(api.from('192.0.2.8'), guess(1))).toBe(401);
    expect((await trySignIn({ ...api, ...from }, 'nobody', 'x')).status).toBe(401);
    time += 1000;
    expect(await attempt(from, guess(2))).toBe(401);
    expect(await attempt(from, guess(3))).toBe(429);
    time += 2 * hour;
    expect(await attempt(from, guess(4))).toBe(401);
  });

  it('are counted on every host of the same data, and over a restart', async () => {
    const api = await openApi();
    const headers = { authorization: 'Bearer wrong' };
    const guess = async (who: TestApi) =>
      (await who.from('192.0.2.7').raw('GET', '/api/topics', { headers })).status;
    for (let n = 0; n < 20; n += 1) expect(await guess(api)).toBe(401);
    const again = await openApi({ place: api.place, ...(await closed(api)) });
    expect(await guess(again)).toBe(429);
  });
});

describe('T90: a clock that is set', () => {
  const jumps = [hour, year].flatMap((by) => [by, -by]);

  it.each(jumps)('%i ms keeps nobody out who signs in', async (jump) => {
    let time = Date.now();
    const api = await openApi({ now: () => time });
    await addPerson(api, 'Ana');
    for (let n = 0; n < 12; n += 1) {
      expect([401, 429]).toContain((await trySignIn(api, 'Ana', 'wrong')).status);
      time += n < 5 ? 0 : 2 ** (n - 5) * 1000;
    }
    for (let n = 0; n < 30; n += 1)
      await api.from('192.0.2.7').raw('GET', '/api/me', { headers: { 'x-api-key': 'x' } });
    time += jump;
    expect((await trySignIn(api, 'Ana', password)).status).toBe(204);
    const guess = await api
      .from('192.0.2.7')
      .raw('GET', '/api/me', { headers: { 'x-api-key': 'x' } });
    expect(guess.status).toBe(401);
    expect(await open(api, await linkCode(api.host))).toBeDefined();
  });

  it.each([-hour, -year])('%i ms gives a sign-in no more time than it had', async (jump) => {
    let time = Date.now();
    const api = await openApi({ now: () => time });
    const ana = await addPerson(api, 'Ana');
    time += 20 * day;
    expect(await statusWith(api, { cookie: ana.cookie })).toBe(200);
    time += jump;
    expect(await statusWith(api, { cookie: ana.cookie })).toBe(200);
    for (let passed = 0; passed < 70; passed += 10) {
      expect(await statusWith(api, { cookie: ana.cookie })).toBe(200);
      time += 10 * day;
    }
    expect(await statusWith(api, { cookie: ana.cookie })).toBe(401);
  });

  it.each([-hour, -year])('%i ms gives a replaced token no more than its minute', async (jump) => {
    let time = Date.now();
    const api = await openApi({ now: () => time });
    const ana = await addPerson(api, 'Ana');
    time += day;
    const fresh = cookieOf(await ana.send('GET', '/api/me'));
    expect(fresh).toBeDefined();
    expect(await statusWith(api, { cookie: ana.cookie })).toBe(200);
    time += jump;
    expect(await statusWith(api, { cookie: ana.cookie })).toBe(401);
    expect(await statusWith(api, { cookie: fresh ?? '' })).toBe(200);
    time += day;
    const next = browserOf(api, { ...ana, cookie: fresh ?? '' });
    expect(cookieOf(await next.send('GET', '/api/me'))).toBeDefined();
  });

  it.each([-hour, -year])(
    '%i ms does not lengthen the trust in a new link sign-in',
    async (jump) => {
      let time = Date.now();
      const api = await openApi({ now: () => time });
      await api.send('POST', '/api/me/password', { password });
      const cookie = (await open(api, await linkCode(api.host))) ?? '';
      const admin = browserOf(api, { id: 'local', name: 'local', cookie });
      expect(await admin.json<MeView>('GET', '/api/me')).toMatchObject({ asksPassword: false });
      time += jump;
      expect(await admin.json<MeView>('GET', '/api/me')).toMatchObject({ asksPassword: true });
    },
  );

  it.each(jumps)('%i ms moves the end of no key', async (jump) => {
    let time = Date.now();
    const api = await openApi({ now: () => time });
    const { key, expiresAt = 0 } = await keyOf(api, { expiresAt: time + 30 * minute });
    expect(await statusWith(api, { 'x-api-key': key })).toBe(200);
    const before = time;
    time += jump;
    expect(await statusWith(api, { 'x-api-key': key })).toBe(jump > 0 ? 401 : 200);
    time = before;
    expect(await statusWith(api, { 'x-api-key': key })).toBe(200);
    time = expiresAt;
    expect(await statusWith(api, { 'x-api-key': key })).toBe(401);
    const { keys } = await api.json<{ keys: KeyView[] }>('GET', '/api/keys');
    expect(keys[0]?.expiresAt).toBe(expiresAt);
  });

  it.each(jumps)(
    '%i ms loses no request with an Idempotency-Key that has its answer',
    async (jump) => {
      let time = Date.now();
      const api = await openApi({ now: () => time });
      const send = () => api.send('POST', '/api/topics', {}, { 'idempotency-key': 'one' });
      const first = await (await send()).text();
      time += jump;
      const second = await (await send()).text();
      // A day is what keys are kept for: a clock a year ahead has forgotten it, any other has not.
      expect(second === first).toBe(jump !== year);
      const { rows } = await sql<{ count: number }>`select count(*) as count from topics`.execute(
        api.host.store.db,
      );
      expect(rows[0]?.count).toBe(jump === year ? 2 : 1);
    },
  );
});

/** Closes a host, so that another one can open its data. */
async function closed(api: TestApi): Promise<object> {
  await api.close();
  return {};
}
