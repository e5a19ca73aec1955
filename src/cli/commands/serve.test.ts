import { once } from 'node:events';
import { stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run, startServer } from '../../../test/fixtures/cerise-in-process.ts';
import * as real from '../../../test/fixtures/cerise-process.ts';
import { emptyPlace } from '../../../test/fixtures/http.ts';
import { readFrames } from '../../../test/fixtures/sse-reader.ts';
import { programName } from '../messages/program-name.ts';
import { greeting } from './serve.ts';

const oneLine = /^cerise: [^\n]+\n$/;

async function refused(env: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await run(['serve'], { CERISE_PORT: '0', ...env });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(oneLine);
  return stderr;
}

/** An answer that takes its time, and the stream of its topic. */
async function startAnswer(server: real.RunningServer, text: string) {
  const { id } = await server.json<{ id: string }>('POST', '/api/topics', { title: 'Topic' });
  const events = await server.send('GET', `/api/topics/${id}/events`);
  const begun = Promise.withResolvers<void>();
  const types: string[] = [];
  const reading = readFrames(events, ({ event }) => {
    if (event) types.push(event.type);
    if (event?.type === 'block-delta') begun.resolve();
  }).catch(() => 'cut' as const);
  await server.json('POST', `/api/topics/${id}/messages`, { text });
  await begun.promise;
  return { types, reading };
}

describe('cerise serve', () => {
  it('T88: says where it is, and in a log how to get a link instead of the link', async () => {
    const { home } = await emptyPlace();
    const server = await startServer({ CERISE_HOME: home, CERISE_TOKEN: '' });
    await server.says(/run: .*\bsign-in\n/);
    const made = await run(['sign-in'], { CERISE_HOME: home });
    expect([made.code, made.stderr]).toEqual([0, '']);
    const [link = ''] = /http:\/\/127\.0\.0\.1:\d+\/sign-in\?code=\S+/.exec(made.stdout) ?? [];
    const response = await fetch(link, { redirect: 'manual' });
    const [cookie = ''] = response.headers.getSetCookie();
    const headers = { cookie: cookie.split(';')[0] ?? '' };
    expect((await fetch(`${server.url}/api/topics`, { headers })).status).toBe(200);
    expect((await fetch(link, { redirect: 'manual' })).headers.getSetCookie()).toEqual([]);
    const next = await run(['sign-in'], { CERISE_HOME: home });
    expect(next.stdout).toContain('/sign-in?code=');
    expect(next.stdout).not.toContain(link);
    expect(server.stdout() + server.stderr()).not.toContain('code=');
    expect((await stat(join(home, 'cerise.db'))).mode & 0o077).toBe(0);
    expect((await stat(join(home, 'server.json'))).mode & 0o077).toBe(0);
    expect(server.stderr()).toBe('');
  });

  it('T88: gives a terminal the link, and nobody else', () => {
    const link = 'http://127.0.0.1:4310/sign-in?code=x';
    const on = { signInLink: true };
    expect(greeting('http://127.0.0.1:4310', on, link)).toContain(`\n  ${link}\n`);
    expect(greeting('http://127.0.0.1:4310', on, undefined)).toContain(`${programName()} sign-in`);
    expect(greeting('http://127.0.0.1:4310', { signInLink: false }, undefined)).toBe(
      'Cerise is ready at http://127.0.0.1:4310\n',
    );
  });

  it('T88: has no links where they are switched off, or where no Cerise runs', async () => {
    const { home } = await emptyPlace();
    const none = await run(['sign-in'], { CERISE_HOME: home });
    expect([none.code, none.stderr]).toEqual([1, expect.stringMatching(oneLine)]);
    const server = await startServer({ CERISE_HOME: home, CERISE_SIGN_IN_LINK: '0' });
    const off = await run(['sign-in'], { CERISE_HOME: home });
    expect([off.code, off.stdout]).toEqual([1, '']);
    expect(off.stderr).toContain('disabled');
    expect(server.stdout()).not.toContain('sign-in');
  });

  it('refuses a port that is in use', async () => {
    const { home } = await emptyPlace();
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const said = await refused({ CERISE_HOME: home, CERISE_PORT: String(port) });
    expect(said).toContain(`Port ${port} is already in use`);
  });

  it.each([
    [{ CERISE_PORT: 'abc' }, 'CERISE_PORT=abc'],
    [{ CERISE_PORT: '70000' }, 'CERISE_PORT=70000'],
    [{ CERISE_PORT: '-1' }, 'CERISE_PORT=-1'],
    [{ CERISE_HOST: '0.0.0.0' }, 'CERISE_TOKEN'],
    [{ CERISE_HOST: '::' }, 'CERISE_TOKEN'],
    [{ CERISE_HOST: '203.0.113.1', CERISE_TOKEN: 'x' }, 'CERISE_TOKEN'],
    [{ CERISE_HOST: '203.0.113.1', CERISE_TOKEN: 'bQ7xW2pLr9VtK4sZmN8c' }, 'CERISE_HOST'],
    [{ CERISE_DEMO_PACE: 'fast' }, 'CERISE_DEMO_PACE=fast'],
    [{ CERISE_LOG_LEVEL: 'loud' }, 'CERISE_LOG_LEVEL=loud'],
    [{ CERISE_SECRET_KEY: 'short' }, 'CERISE_SECRET_KEY'],
  ])('refuses %j', async (env, says) => {
    const { home } = await emptyPlace();
    expect(await refused({ CERISE_HOME: home, ...env })).toContain(says);
  });

  it('refuses a data folder that is a file', async () => {
    const { home } = await emptyPlace();
    const file = join(home, 'file');
    await writeFile(file, 'not a folder');
    expect(await refused({ CERISE_HOME: file })).toContain(file);
    expect(await refused({ CERISE_HOME: join(file, 'below') })).toContain(file);
  });

  it('refuses a database that is no database, and leaves it as it is', async () => {
    const { home } = await emptyPlace();
    await writeFile(join(home, 'cerise.db'), 'something else, kept here by mistake'.repeat(50));
    expect(await refused({ CERISE_HOME: home })).toContain(home);
    expect((await stat(join(home, 'cerise.db'))).size).toBe(1800);
  });

  it('refuses a data folder that another process uses, and names that process', async () => {
    const { home } = await emptyPlace();
    const first = await real.startServer({ CERISE_HOME: home });
    const said = await refused({ CERISE_HOME: home });
    expect(said).toContain(`process ${first.child.pid}`);
    expect((await first.send('GET', '/api/topics')).status).toBe(200);
  });

  it('refuses another secret key than the one its data was sealed with', async () => {
    const { home } = await emptyPlace();
    const first = await startServer({ CERISE_HOME: home });
    first.signal('SIGTERM');
    expect(await first.ended).toBe(0);
    const key = Buffer.alloc(32, 7).toString('base64');
    const said = await refused({ CERISE_HOME: home, CERISE_SECRET_KEY: key });
    expect(said).toContain('CERISE_SECRET_KEY');
    const again = await startServer({ CERISE_HOME: home });
    expect((await again.send('GET', '/api/topics')).status).toBe(200);
  });

  it('lets a running answer end at SIGTERM, takes no new one, and exits with 0', async () => {
    const { home } = await emptyPlace();
    const server = await real.startServer({ CERISE_HOME: home, CERISE_DEMO_PACE: '10' });
    const { types, reading } = await startAnswer(server, '/write 300');
    const { id } = await server.json<{ id: string }>('POST', '/api/topics', {});
    server.child.kill('SIGTERM');
    await server.says(/Shutting down/);
    expect((await server.send('GET', '/readyz')).status).toBe(503);
    const late = await server.send('POST', `/api/topics/${id}/messages`, { text: 'hi' });
    expect([late.status, await late.text()]).toEqual([
      503,
      expect.stringContaining('shutting_down'),
    ]);
    expect(types).not.toContain('message-end');
    expect(await server.ended).toBe(0);
    await reading;
    expect(types).toContain('message-end');
    expect(server.stderr()).toBe('');
  });

  it('ends at once at a second signal, and goes on with the answer at the next start', async () => {
    const { home } = await emptyPlace();
    const server = await real.startServer({ CERISE_HOME: home, CERISE_DEMO_PACE: '50' });
    const { reading, types } = await startAnswer(server, '/write 5000');
    server.child.kill('SIGTERM');
    await server.says(/Shutting down/);
    server.child.kill('SIGTERM');
    expect(await server.ended).not.toBe(0);
    await reading;
    expect(types).not.toContain('message-end');
  });
});
