import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import { startPostgres } from '../postgres.ts';

/** A PostgreSQL of one test alone, which can be stopped and started again where it was. */
export interface RestartablePostgres {
  url: string;
  /** As an admin does it: connections are cut, what was committed is kept. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Undefined, with a visible line, where there is no PostgreSQL to be had. Gone when the test ends. */
export async function startRestartable(): Promise<RestartablePostgres | undefined> {
  const { CERISE_TEST_POSTGRES_URL: _, ...env } = process.env;
  const postgres = await startPostgres(env);
  if (postgres.url === undefined) {
    process.stderr.write(`No PostgreSQL to restart: ${postgres.missing}.\n`);
    return undefined;
  }
  const { url, what: bin } = postgres;
  const data = await dataFolder(url);
  const stop = () =>
    endProcess(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]));
  let isRunning = true;
  onTestFinished(async () => {
    if (isRunning) await stop();
    await postgres.stop();
  });
  return {
    url,
    stop: async () => {
      await stop();
      isRunning = false;
    },
    start: async () => {
      await startAgain(bin, data, new URL(url).port);
      isRunning = true;
    },
  };
}

async function dataFolder(url: string): Promise<string> {
  const client = new Client(url);
  await client.connect();
  const { rows } = await client.query<{ data_directory: string }>('show data_directory');
  await client.end();
  return rows[0]?.data_directory ?? '';
}

/** Interrupts it, as PostgreSQL wants it for a quick end, and waits until it is gone. */
async function endProcess(pid: number): Promise<void> {
  process.kill(pid, 'SIGINT');
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await setTimeout(20);
  }
}

async function startAgain(bin: string, data: string, port: string): Promise<void> {
  const { uid, gid } = statSync(data);
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=60'];
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', data, '-p', port, ...settings.flatMap((setting) => ['-c', setting])],
    {
      cwd: dirname(data),
      ...(process.getuid?.() === 0 && { uid, gid }),
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    },
  );
  // Several lines may come at once: each is looked at as it comes.
  await new Promise<void>((resolve, reject) => {
    server.once('exit', (code) => reject(new Error(`PostgreSQL did not start again: ${code}`)));
    createInterface(server.stderr).on('line', (line) => {
      if (line.includes('ready to accept connections')) resolve();
    });
  });
  server.unref();
}
