import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readProcesses } from '#mcp/process/process-table.ts';
import { emptyPlace } from '../fixtures/http.ts';
import { type RunningServer, startServer } from '../fixtures/cerise-process.ts';
import { processToken } from '../fixtures/running-command.ts';

/*
 * A host that has no file descriptor left. Its limit is lowered while it runs, so that each case fails at
 * another of the many places where one is needed, and raised again to see it recover.
 */

const hasPrlimit = spawnSync('prlimit', ['--version']).status === 0;
if (!hasPrlimit)
  process.stderr.write('Not tried: hosts without descriptors (T79). There is no prlimit here.\n');

interface ServerView {
  id: string;
  state: string;
  reason?: string;
  reasonCode?: string;
  retryAt?: number;
  launchHash: string;
}

/** What is looked at of any answer. */
interface Answer extends ServerView {
  error?: { code: string; message: string; hint: string };
}

/** How many descriptors a process has. */
function openFiles({ child }: RunningServer): number {
  return readdirSync(`/proc/${child.pid}/fd`).length;
}

/** Sets how many it may have; only the soft limit, so that it can be raised again. */
function limitFiles({ child }: RunningServer, most: number): void {
  const { status, stderr } = spawnSync('prlimit', [`--pid=${child.pid}`, `--nofile=${most}:`]);
  expect([status, stderr.toString()]).toEqual([0, '']);
}

const plenty = 1000;

interface Call {
  (method: string, path: string, body?: unknown): Promise<{ status: number; body: Answer }>;
  end(): void;
}

/** Requests over one connection that stays open: a new one would need a descriptor. */
function overOneConnection(url: string): Call {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const end = () => agent.destroy();
  onTestFinished(end);
  const call = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${processToken}`, 'content-type': 'application/json' };
    const sent = request(`${url}${path}`, { method, agent, headers });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = await once(sent, 'response');
    let text = '';
    for await (const piece of response) text += piece;
    return { status: response.statusCode, body: JSON.parse(text || '{}') };
  };
  return Object.assign(call, { end });
}

async function addServer(call: Call, name: string, file: string): Promise<string> {
  const script = join(import.meta.dirname, '../fakes/append-server.mjs');
  const config = { type: 'stdio', name, command: process.execPath, args: [script, file] };
  const { body } = await call('POST', '/api/servers', config);
  const { id, launchHash } = body;
  await call('POST', `/api/servers/${id}/approve`, { launchHash });
  return id;
}

async function serverOf(call: Call, id: string): Promise<ServerView> {
  return (await call('GET', `/api/servers/${id}`)).body;
}

async function openSockets(url: string, count: number): Promise<Socket[]> {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    return socket;
  });
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  await Promise.all(sockets.map((socket) => once(socket, 'connect').catch(() => undefined)));
  return sockets;
}

describe.skipIf(!hasPrlimit)('T79: a host without descriptors', () => {
  it('makes it an error of the server that cannot start, wherever it fails, and recovers', async () => {
    const { home } = await emptyPlace();
    const server = await startServer({ CERISE_HOME: home });
    const call = overOneConnection(server.url);
    const steady = await addServer(call, 'steady', `${home}-steady`);
    const id = await addServer(call, 'late', `${home}-late`);
    await call('POST', `/api/servers/${steady}/connect`, {});
    await call('POST', `/api/servers/${id}/stop`, {});
    const failed: number[] = [];
    for (let free = 0; free <= 14; free += 1) {
      await expect.poll(async () => (await serverOf(call, id)).state).toBe('idle');
      limitFiles(server, openFiles(server) + free);
      const { status, body } = await call('POST', `/api/servers/${id}/connect`, {});
      if (status !== 200) {
        failed.push(free);
        expect([free, body.error]).toMatchObject([free, { code: 'connection_refused' }]);
        expect(body.error?.hint).toContain('open files');
        const view = await serverOf(call, id);
        expect(view).toMatchObject({ state: 'reconnecting', reasonCode: 'connection_refused' });
        expect(view.retryAt).toBeGreaterThan(0);
      }
      expect((await call('GET', '/healthz')).status).toBe(200);
      expect((await serverOf(call, steady)).state).toBe('connected');
      limitFiles(server, plenty);
      expect((await call('POST', `/api/servers/${id}/connect`, {})).status).toBe(200);
      await call('POST', `/api/servers/${id}/stop`, {});
    }
    // From none at all to some of those it needs: it failed, and at more than one place.
    expect(failed.length).toBeGreaterThan(3);
    limitFiles(server, openFiles(server));
    expect((await call('POST', `/api/servers/${id}/connect`, {})).status).toBe(502);
    limitFiles(server, plenty);
    await expect.poll(async () => (await serverOf(call, id)).state).toBe('connected');
  });

  it('ends the processes of its servers all the same, as soon as it can see them', async () => {
    const { home } = await emptyPlace();
    const server = await startServer({ CERISE_HOME: home });
    const call = overOneConnection(server.url);
    const id = await addServer(call, 'late', `${home}-late`);
    await call('POST', `/api/servers/${id}/connect`, {});
    limitFiles(server, openFiles(server));
    await call('POST', `/api/servers/${id}/stop`, {});
    expect((await call('GET', '/healthz')).status).toBe(200);
    limitFiles(server, plenty);
    const children = () =>
      readProcesses().filter((one) => one.parent === server.child.pid && one.command !== 'sh');
    await expect.poll(children).toEqual([]);
  });

  it.each([24, 28, 32, 40, 64, 256, 1024])(
    'starts with %i descriptors, or says what is missing; connections do not end it',
    async (most) => {
      const { home } = await emptyPlace();
      const started = await startServer({ CERISE_HOME: home }, undefined, [
        'prlimit',
        `--nofile=${most}`,
      ]).catch((error: Error) => error.message);
      if (typeof started === 'string') {
        expect(most).toBeLessThan(32);
        expect(started).toContain('it ended (1)');
        expect(started).toContain('too many open files');
        return;
      }
      const { url } = started;
      const call = overOneConnection(url);
      const ids: string[] = [];
      for (const name of ['one', 'two', 'three', 'four'])
        ids.push(await addServer(call, name, `${home}-${name}`));
      for (const id of ids) await call('POST', `/api/servers/${id}/connect`, {});
      const sockets = await openSockets(url, Math.min(most + 20, 300));
      expect((await call('POST', '/api/topics', { title: 'Topic' })).status).toBe(201);
      for (const id of ids) await call('POST', `/api/servers/${id}/stop`, {});
      sockets.forEach((socket) => socket.destroy());
      call.end();
      const health = () => fetch(`${url}/healthz`).then(({ status }) => status, String);
      await expect.poll(health).toBe(200);
      if (most < 64) return;
      const again = overOneConnection(url);
      const connected = async () =>
        (await again('POST', `/api/servers/${ids[0]}/connect`, {})).status;
      await expect.poll(connected).toBe(200);
    },
  );

  it('writes files again once it can', async () => {
    const { home } = await emptyPlace();
    const server = await startServer({ CERISE_HOME: home });
    const call = overOneConnection(server.url);
    const send = () => call('POST', '/api/files?name=a', 'x'.repeat(100_000));
    // Its connection has to be there before: at the limit none is accepted.
    expect((await call('GET', '/healthz')).status).toBe(200);
    limitFiles(server, 0);
    const refused = await send();
    expect(refused).toMatchObject({
      status: 503,
      body: { error: { code: 'storage_unavailable' } },
    });
    expect(refused.body.error?.message).toContain('open files');
    limitFiles(server, plenty);
    expect((await send()).status).toBe(201);
  });
});
