import { describe, expect, inject, it, onTestFinished } from 'vitest';
import type { ServerView } from '#shared/api/api.ts';
import { temporaryDatabase } from './databases.ts';
import { openApi, type TestApi } from './fixtures/http.ts';
import {
  addPerson,
  browserOf,
  ended,
  password,
  type Person,
  statusWith,
  trySignIn,
} from './fixtures/people.ts';

const url = inject('postgresUrl');

/** Two hosts on one database, and somebody who is known to both. */
async function start(): Promise<{ here: TestApi; there: TestApi; ana: Person }> {
  const cleanups: (() => Promise<unknown>)[] = [];
  onTestFinished(async () => {
    for (const cleanup of cleanups.toReversed()) await cleanup();
  });
  const place = await temporaryDatabase(url ?? '', cleanups);
  const secretKey = 'the same long passphrase for both of them';
  const here = await openApi({ place, secretKey });
  const home = (await temporaryDatabase(url ?? '', cleanups)).home;
  const there = await openApi({ place: { ...place, home }, secretKey });
  return { here, there, ana: await addPerson(here, 'Ana') };
}

describe.skipIf(url === null)('people on several hosts', () => {
  it('are known by their session everywhere, and out everywhere at once', async () => {
    const { here, there, ana } = await start();
    const elsewhere = browserOf(there, ana);
    expect((await elsewhere.send('GET', '/api/me')).status).toBe(200);
    const stream = await elsewhere.send('GET', '/api/events');
    await here.send('PATCH', `/api/users/${ana.id}`, { disabled: true });
    await ended(stream);
    expect(await statusWith(there, { cookie: ana.cookie })).toBe(401);
  });

  it('end a session of another host', async () => {
    const { here, there, ana } = await start();
    const elsewhere = browserOf(there, { ...ana });
    const stream = await elsewhere.send('GET', '/api/events');
    await ana.send('POST', '/api/sign-out', {});
    await ended(stream);
    expect(await statusWith(there, { cookie: ana.cookie })).toBe(401);
    expect(await statusWith(here, { cookie: ana.cookie })).toBe(401);
  });

  it('cannot guess at one what they may not guess at the other', async () => {
    const { here, there } = await start();
    for (let n = 0; n < 5; n += 1) await trySignIn(n % 2 ? here : there, 'Ana', 'wrong');
    expect((await trySignIn(here, 'Ana', password)).status).toBe(429);
    expect((await trySignIn(there, 'Ana', password)).status).toBe(429);
  });

  it('see there what was shared here, and no longer when it is not', async () => {
    const { here, there, ana } = await start();
    const elsewhere = browserOf(there, ana);
    const names = async () =>
      (await elsewhere.json<{ servers: ServerView[] }>('GET', '/api/servers')).servers
        .filter(({ builtin }) => !builtin)
        .map(({ name }) => name);
    expect(await names()).toEqual([]);
    const config = { type: 'streamableHttp', name: 'team', baseUrl: 'https://mcp.example/mcp' };
    const { id } = await here.json<ServerView>('POST', '/api/servers', config);
    await expect.poll(names).toEqual(['team']);
    await here.send('PATCH', `/api/servers/${id}`, { shared: false });
    await expect.poll(names).toEqual([]);
  });
});
