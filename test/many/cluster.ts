import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import { temporarySchema } from '../databases.ts';
import { type RunningServer, startServer } from '../fixtures/cerise-process.ts';
import { freePort } from '../fixtures/free-port.ts';
import { processToken } from '../fixtures/running-command.ts';
import { recordLog } from './log.ts';
import { startProvider } from './provider.ts';
import { startProxy } from './proxy.ts';

/** One `cerise serve` that can be ended and started again, on the same port or on any. */
export interface Instance {
  server: RunningServer;
  /** The name it has in the database. */
  id: string;
  restart(on?: 'any port'): Promise<void>;
}

/** Two instances on one PostgreSQL behind a proxy, a model and a tool for both. */
export interface Cluster {
  /** What clients know: the address of the proxy. */
  url: string;
  proxy: string;
  /** What the proxy has said last. */
  proxyLog: () => string;
  instances: [Instance, Instance];
  db: Client;
  databaseUrl: string;
  /** One line for each call that the tool has carried out. */
  ranTools(): string[];
  /** Calls the API through the proxy; a POST has an Idempotency-Key. */
  send(method: string, path: string, body?: unknown): Promise<Response>;
  json<T>(method: string, path: string, body?: unknown): Promise<T>;
}

/** Starts everything; it is gone when the test ends. The tool takes `toolTime` milliseconds to answer. */
export async function startCluster(postgresUrl: string, toolTime = 100): Promise<Cluster> {
  const cleanups: (() => Promise<unknown>)[] = [];
  const { home, databaseUrl = '' } = await temporarySchema(postgresUrl, cleanups);
  const db = new Client(databaseUrl);
  onTestFinished(async () => {
    await db.end();
    for (const cleanup of cleanups.toReversed()) await cleanup();
  });
  const [ports, { baseUrl }] = [[await freePort(), await freePort()], await startProvider()];
  const { url, what, log: proxyLog } = await startProxy(ports);
  const shared = {
    CERISE_DATABASE_URL: databaseUrl,
    CERISE_SECRET_KEY: randomBytes(32).toString('base64'),
    CERISE_ALLOWED_HOSTS: new URL(url).host,
  };
  await db.connect();
  const start = async (n: number): Promise<Instance> => {
    const own = join(home, `instance-${n}`);
    await mkdir(own, { recursive: true });
    return startInstance(db, { ...shared, CERISE_HOME: own, CERISE_PORT: String(ports[n]) });
  };
  const instances: Cluster['instances'] = [await start(0), await start(1)];
  await recordLog(db);
  const notes = join(home, 'notes.txt');
  const { send, json } = client(url);
  await json('POST', '/api/providers', { name: 'vendor', baseUrl, models: ['any'] });
  await json('PUT', '/api/settings', { defaultModel: 'vendor/any' });
  await addNotes(json, notes, toolTime);
  const ranTools = () =>
    existsSync(notes) ? readFileSync(notes, 'utf8').split('\n').filter(Boolean) : [];
  return { url, proxy: what, proxyLog, instances, db, databaseUrl, ranTools, send, json };
}

/** An instance, known by the name that appears in the database when it starts. */
async function startInstance(db: Client, env: Record<string, string>): Promise<Instance> {
  const before = await instanceIds(db);
  const server = await startServer(env);
  const id = (await instanceIds(db)).find((each) => !before.includes(each)) ?? '';
  const instance: Instance = {
    server,
    id,
    restart: async (on) => {
      const place = { ...env, ...(on && { CERISE_PORT: '0' }) };
      const next = await startInstance(db, place);
      Object.assign(instance, { server: next.server, id: next.id });
    },
  };
  return instance;
}

async function instanceIds(db: Client): Promise<string[]> {
  const { rows } = await db.query<{ there: boolean }>(
    `select to_regclass('instances') is not null as there`,
  );
  if (!rows[0]?.there) return [];
  return (await db.query<{ id: string }>('select id from instances')).rows.map(({ id }) => id);
}

async function addNotes(json: Cluster['json'], file: string, time: number): Promise<void> {
  const script = join(import.meta.dirname, '../fakes/append-server.mjs');
  const { id, launchHash } = await json<{ id: string; launchHash: string }>(
    'POST',
    '/api/servers',
    {
      type: 'stdio',
      name: 'notes',
      command: process.execPath,
      args: [script, file, String(time)],
      autoApprove: ['append'],
    },
  );
  await json('POST', `/api/servers/${id}/approve`, { launchHash });
}

function client(url: string): Pick<Cluster, 'send' | 'json'> {
  const send: Cluster['send'] = (method, path, body) =>
    fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${processToken}`,
        ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const json: Cluster['json'] = async (method, path, body) => {
    const response = await send(method, path, body);
    const text = await response.text();
    if (!response.ok)
      throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 200)}`);
    return JSON.parse(text);
  };
  return { send, json };
}
