import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createHost } from '#chat/host/host.ts';
import { createApp } from '#server/app.ts';
import { serverFile } from '#server/listen.ts';
import { CeriseError, type ErrorInfo } from '#shared/errors/errors.ts';
import type { CliSettings } from '../settings/settings.ts';
import { createLogger } from '../terminal/logger.ts';

/** The API, wherever it runs. */
export interface Client {
  request(path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

/**
 * The running server of this data folder if there is one, else the same engine in this process: the
 * same API answers either way.
 */
export async function connect(settings: CliSettings): Promise<Client> {
  return (await connectToRunning(settings.home)) ?? connectInProcess(settings);
}

/** Undefined if none runs. */
export async function connectToRunning(home: string): Promise<Client | undefined> {
  const running = await readServerFile(home);
  if (!running) return undefined;
  const { url, token } = running;
  const alive = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(2000) }).catch(
    () => undefined,
  );
  if (!alive?.ok) return undefined;
  return clientOver(
    (path, init) => fetch(`${url}${path}`, init),
    token,
    async () => undefined,
  );
}

/** Undefined if no server left one, or if it was cut while writing it. */
async function readServerFile(home: string): Promise<{ url: string; token: string } | undefined> {
  try {
    return JSON.parse(await readFile(serverFile(home), 'utf8')) as { url: string; token: string };
  } catch {
    return undefined;
  }
}

async function connectInProcess(settings: CliSettings): Promise<Client> {
  const token = randomBytes(24).toString('base64url');
  const logger = createLogger('error');
  const host = await createHost({
    ...settings,
    hideEnvironment: true,
    adminTokens: [token],
    logger,
  });
  const app = createApp(host, { logger, allowedHosts: () => new Set(['cerise']) });
  return clientOver(
    (path, init) =>
      app.fetch(`http://cerise${path}`, {
        ...init,
        headers: { ...(init?.headers as Record<string, string>), host: 'cerise' },
      }),
    token,
    () => host.close(),
  );
}

function clientOver(
  send: (path: string, init?: RequestInit) => Promise<Response>,
  token: string,
  close: () => Promise<void>,
): Client {
  return {
    close,
    request: async (path, init) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const response = await send(path, { ...init, headers });
      if (response.ok) return response;
      const { error } = (await response.json()) as { error: ErrorInfo };
      throw new CeriseError(error.code, error.message, error);
    },
  };
}
