import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createHost } from '#chat/host/host.ts';
import { type Client, createClient } from '#client/client.ts';
import { createApp } from '#server/app.ts';
import { serverFile } from '#server/listen.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { createLogger } from '../terminal/logger.ts';

/** The API of a host, wherever it runs, until it is closed. */
export interface OpenClient extends Client {
  /** Where its page is, if it has one. */
  url?: string;
  close(): Promise<void>;
}

/**
 * The running server of this data folder if there is one, else the same engine in this process: the
 * same API answers either way.
 */
export async function connect(settings: CliSettings, io: Io): Promise<OpenClient> {
  return (await connectToRunning(settings.home)) ?? connectInProcess(settings, io);
}

/** Undefined if none runs. */
export async function connectToRunning(home: string): Promise<OpenClient | undefined> {
  const running = await readServerFile(home);
  if (!running) return undefined;
  const { url, token } = running;
  const alive = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(2000) }).catch(
    () => undefined,
  );
  if (!alive?.ok) return undefined;
  const client = createClient({ baseUrl: url, headers: { authorization: `Bearer ${token}` } });
  return { ...client, url, close: async () => undefined };
}

/** Undefined if no server left one, or if it was cut while writing it. */
async function readServerFile(home: string): Promise<{ url: string; token: string } | undefined> {
  try {
    return JSON.parse(await readFile(serverFile(home), 'utf8')) as { url: string; token: string };
  } catch {
    return undefined;
  }
}

/** The engine in this process, without a port. */
export async function connectInProcess(settings: CliSettings, io: Io): Promise<OpenClient> {
  const token = randomBytes(24).toString('base64url');
  const logger = createLogger('error', io);
  const host = await createHost({
    ...settings,
    hideEnvironment: io.env === process.env,
    adminTokens: [token],
    logger,
  });
  const app = createApp(host, { logger, allowedHosts: () => new Set(['cerise']) });
  const client = createClient({
    baseUrl: 'http://cerise',
    headers: { authorization: `Bearer ${token}`, host: 'cerise' },
    fetch: async (url, init) => app.fetch(url, init),
  });
  return { ...client, close: () => host.close() };
}
