import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { FaultWorld } from './fault-world.ts';

const root = join(import.meta.dirname, '../..');
const token = 'the-token-of-these-hosts';

/** What a request may have besides. */
interface More {
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** A process that serves; every call rejects once it is dead. */
export interface FaultHost {
  /** Resolves when the process has ended, however that happened. */
  ended: Promise<number | string>;
  isDead(): boolean;
  /** What it wrote to standard error. */
  log(): string;
  send(method: string, path: string, body?: unknown, more?: More): Promise<Response>;
  json<T>(method: string, path: string, body?: unknown): Promise<T>;
  kill(): Promise<void>;
}

/** Starts a host on a place, with a fault or without; undefined if it died before it was ready. */
export async function startHost(
  place: { home: string; databaseUrl?: string | undefined },
  fault?: string,
): Promise<FaultHost | undefined> {
  const child = spawn(process.execPath, [join(root, 'bin/built.mjs'), 'serve'], {
    env: {
      PATH: process.env['PATH'],
      HOME: '/nonexistent',
      CERISE_HOME: place.home,
      CERISE_PORT: '0',
      CERISE_TOKEN: token,
      CERISE_DISCOVER: '0',
      ...(place.databaseUrl && { CERISE_DATABASE_URL: place.databaseUrl }),
      ...(fault && { CERISE_FAULT: fault, CERISE_ALLOW_FAULTS: '1' }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = () => void child.kill('SIGKILL');
  process.once('exit', stop);
  let log = '';
  let out = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  const ended = once(child, 'close').then(([code, signal]) => {
    process.off('exit', stop);
    return (code ?? signal) as number | string;
  });
  const url = await new Promise<string | undefined>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const [, found] = /ready at (\S+)\n/.exec((out += text)) ?? [];
      if (found) resolve(found);
    });
    void ended.then(() => resolve(undefined));
  });
  if (url === undefined) return undefined;
  const send: FaultHost['send'] = (method, path, body, { headers, signal } = {}) =>
    fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  return {
    ended,
    isDead: () => child.exitCode !== null || child.signalCode !== null,
    log: () => log,
    send,
    json: async <T>(method: string, path: string, body?: unknown) => {
      const response = await send(method, path, body);
      if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
      return (await response.json()) as T;
    },
    kill: async () => {
      stop();
      await ended;
    },
  };
}

/** Tells a fresh host of the world: its model, and the two servers whose tools are called. */
export async function furnish(host: FaultHost, world: FaultWorld): Promise<void> {
  const provider = { name: 'vendor', baseUrl: world.modelUrl, models: ['fake-model'] };
  await host.json('POST', '/api/providers', provider);
  await host.json('PUT', '/api/settings', { defaultModel: 'vendor/fake-model' });
  const script = join(import.meta.dirname, '../fakes/fault-server.mjs');
  const counter = {
    type: 'stdio',
    name: 'counter',
    command: process.execPath,
    args: [script, world.effects],
  };
  const { id, launchHash } = await host.json<{ id: string; launchHash: string }>(
    'POST',
    '/api/servers',
    counter,
  );
  await host.json('POST', `/api/servers/${id}/approve`, { launchHash });
  const remote = { type: 'streamableHttp', name: 'remote', baseUrl: world.mcpUrl };
  await host.json('POST', '/api/servers', remote);
}
