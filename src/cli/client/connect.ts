import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createHost } from '#chat/host/host.ts';
import { type Client, createClient } from '#client/client.ts';
import { createApp } from '#server/app.ts';
import { serverFile } from '#server/listen.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { createLogger } from '../terminal/logger.ts';

/** The API of a host, wherever it runs, until it is closed. */
export interface OpenClient extends Client {
  /** Where its page is, if it has one. */
  url?: string;
  /** Whether a host of another process is still there; absent: it is in this one. */
  isThere?(): Promise<boolean>;
  close(): Promise<void>;
}

/** What a running server leaves in its data folder; each start has another token. */
interface ServerFile {
  url: string;
  token: string;
}

/**
 * The running server of this data folder if there is one, else the same engine in this process: the
 * same API answers either way.
 */
export async function connect(settings: CliSettings, io: Io): Promise<OpenClient> {
  return (await connectToRunning(settings.home)) ?? connectInProcess(settings, io);
}

/** Undefined if none runs. Where it is started again, the client goes on with the new one. */
export async function connectToRunning(home: string): Promise<OpenClient | undefined> {
  const first = await readServerFile(home);
  if (!first) return undefined;
  let running = first;
  const ask = async (path: string, init: RequestInit): Promise<Response> => {
    const asked = running;
    const answer = askServer(asked, path, init);
    if (await answer.then(isTaken, isTaken)) return answer;
    const next = await readServerFile(home);
    if (!next || next.token === asked.token) return answer;
    running = next;
    return askServer(next, path, init);
  };
  const isThere = async () => {
    const signal = AbortSignal.timeout(2000);
    const alive = await ask('/healthz', { signal }).catch(() => undefined);
    return alive?.ok === true;
  };
  if (!(await isThere())) return undefined;
  return { ...createClient({ fetch: ask }), url: first.url, isThere, close: async () => undefined };
}

function askServer({ url, token }: ServerFile, path: string, init: RequestInit): Promise<Response> {
  const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${token}` };
  return fetch(`${url}${path}`, { ...init, headers });
}

/** False where nobody has looked at the request: nobody is there, or somebody who does not know the token. */
function isTaken(answer: { status?: number; cause?: { code?: string } }): boolean {
  return answer.status !== 401 && answer.cause?.code !== 'ECONNREFUSED';
}

/** The running server of the data folder. Throws `not_found` where there is none. */
export async function requireRunning({ home }: Pick<CliSettings, 'home'>): Promise<OpenClient> {
  const client = await connectToRunning(home);
  if (client) return client;
  throw new CeriseError(
    'not_found',
    say('cli-not-running')`Cerise isn't running with the data folder ${home}.`,
    {
      hint: say(
        'cli-not-running-hint',
      )`To start it, run: cerise serve. If it uses another folder, set CERISE_HOME.`,
    },
  );
}

/** Undefined if no server left one, or if it was cut while writing it. */
async function readServerFile(home: string): Promise<ServerFile | undefined> {
  try {
    return JSON.parse(await readFile(serverFile(home), 'utf8')) as ServerFile;
  } catch {
    return undefined;
  }
}

/** The engine in this process, without a port. */
export async function connectInProcess(settings: CliSettings, io: Io): Promise<OpenClient> {
  const token = randomBytes(24).toString('base64url');
  const host = await createHost({
    ...settings,
    hideEnvironment: io.env === process.env,
    adminTokens: [token],
    logger: createLogger(io),
    logLevel: 'error',
  });
  const app = createApp(host, { allowedHosts: () => new Set(['cerise']) });
  const client = createClient({
    baseUrl: 'http://cerise',
    headers: { authorization: `Bearer ${token}`, host: 'cerise' },
    fetch: async (url, init) => app.fetch(url, init),
  });
  return { ...client, close: () => host.close() };
}
