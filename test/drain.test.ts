import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import type { Conversation, Topic } from '#shared/vocabulary/message.ts';
import type { StoreOptions } from '#store/open-store.ts';
import { temporaryFolder, temporaryDatabase } from './databases.ts';
import { startFakeOpenAi, textChunks } from './fakes/fake-openai.ts';
import { type RunningServer, startServer } from './fixtures/cerise-process.ts';
import { processToken } from './fixtures/running-command.ts';
import { ClientState, readFrames } from './fixtures/sse-reader.ts';

const script = join(import.meta.dirname, 'fakes/hostile-server.mjs');

/** What G6 promises. */
const longest = 30_000;
/** Well below the 25 seconds that a tool has which does not end. */
const atOnce = 10_000;

/** Brings a running server into a state; resolves when it is there. */
type Phase = (server: RunningServer, place: StoreOptions) => Promise<unknown>;

async function createTopic(server: RunningServer): Promise<string> {
  const { id } = await server.json<Topic>('POST', '/api/topics', { title: 'Topic' });
  return id;
}

/** Sends a message and watches until the condition holds. */
async function ask(
  server: RunningServer,
  text: string,
  condition: (conversation: Conversation) => unknown,
): Promise<Conversation> {
  const id = await createTopic(server);
  await server.json('POST', `/api/topics/${id}/messages`, { text });
  const client = new ClientState();
  await readFrames(await server.send('GET', `/api/topics/${id}/events`), (frame) => {
    client.take(frame);
    return Boolean(client.conversation && condition(client.conversation));
  });
  if (!client.conversation) throw new Error('the stream had no snapshot');
  return client.conversation;
}

async function addServer(server: RunningServer, config: object): Promise<string> {
  const added = await server.json<{ id: string; launchHash?: string }>(
    'POST',
    '/api/servers',
    config,
  );
  const { id, launchHash } = added;
  if (launchHash) await server.json('POST', `/api/servers/${id}/approve`, { launchHash });
  return id;
}

const stdio = (scenario: object) => ({
  type: 'stdio',
  name: 'hostile',
  command: process.execPath,
  args: [script, JSON.stringify(scenario)],
});

const toolIn = ({ messages }: Conversation): ToolBlock | undefined =>
  messages.at(-1)?.blocks.find((block) => block.type === 'tool');

/** A call of a tool that never answers, of a server that ignores every word but a kill. */
async function callStubborn(server: RunningServer): Promise<void> {
  await addServer(server, stdio({ stubborn: true }));
  const seen = await ask(server, '/call mcp__hostile__slow {}', (now) => toolIn(now)?.approval);
  const { toolCallId, argsHash } = toolIn(seen) as ToolBlock;
  const body = { decision: 'approve', argsHash };
  await server.json('POST', `/api/tool-calls/${toolCallId}/decision`, body);
  const client = new ClientState();
  const { id } = seen.topic;
  await readFrames(await server.send('GET', `/api/topics/${id}/events`), (frame) => {
    client.take(frame);
    return client.conversation && toolIn(client.conversation)?.progress !== undefined;
  });
}

/** An HTTP server that takes connections and never says a word; resolves when it has one. */
async function silentServer() {
  const connected = Promise.withResolvers<void>();
  const server = createServer(() => connected.resolve()).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, connected: connected.promise };
}

/** A file of 2,000 bytes of which the first 1,000 have been sent. */
async function startUpload(server: RunningServer): Promise<ClientRequest> {
  const sending = request(`${server.url}/api/files?name=x`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${processToken}`,
      'content-type': 'application/octet-stream',
      'content-length': '2000',
      expect: '100-continue',
    },
  });
  sending.on('error', () => undefined);
  onTestFinished(() => void sending.destroy());
  sending.flushHeaders();
  await once(sending, 'continue');
  await new Promise((resolve) => sending.write('x'.repeat(1000), resolve));
  return sending;
}

const phases: Record<string, Phase> = {
  'with nothing to do': async () => undefined,

  'while viewers watch': async (server) => {
    const id = await createTopic(server);
    await server.send('GET', `/api/topics/${id}/events`);
    await server.send('GET', '/api/events');
  },

  'while a model streams without an end': async (server) => {
    const vendor = await startFakeOpenAi();
    onTestFinished(() => vendor.close());
    const words = Array.from({ length: 2000 }, (_, n) => `word ${n} `);
    vendor.respond({ chunks: textChunks(words), write: 'each', delay: 50 });
    await server.json('POST', '/api/providers', {
      name: 'vendor',
      baseUrl: vendor.baseUrl,
      models: ['fake-model'],
    });
    await server.json('PUT', '/api/settings', { defaultModel: 'vendor/fake-model' });
    await ask(server, 'hi', ({ messages }) =>
      messages.at(-1)?.blocks.some(({ content }) => content),
    );
  },

  'while a tool runs that ignores being cancelled': callStubborn,

  'while the same is called through the API': async (server, { home }) => {
    const journal = `${home}-calls.jsonl`;
    const config = { ...stdio({ stubborn: true, journal }), autoApprove: ['slow'] };
    const id = await addServer(server, config);
    const call = server.send('POST', `/api/servers/${id}/tools/slow/call`, { arguments: {} });
    call.catch(() => undefined);
    const written = () => (existsSync(journal) ? readFileSync(journal, 'utf8') : '');
    await expect.poll(written, { interval: 10 }).toContain('tools/call');
  },

  'while a call waits for approval': async (server) => {
    await addServer(server, stdio({}));
    await ask(server, '/call mcp__hostile__echo {}', (now) => toolIn(now)?.approval);
  },

  'while a file comes in and does not end': async (server) => {
    await startUpload(server);
  },

  'while a server of the command kind does not come up': async (server) => {
    const scenario = { silentOn: 'initialize', stubborn: true, stderr: 'up' };
    const id = await addServer(server, stdio(scenario));
    void server.send('POST', `/api/servers/${id}/connect`).catch(() => undefined);
    await expect
      .poll(() => server.send('GET', `/api/servers/${id}/logs`).then((answer) => answer.text()))
      .toContain('up');
  },

  'while a server of the HTTP kind does not answer': async (server) => {
    const { port, connected } = await silentServer();
    const url = `http://127.0.0.1:${port}/mcp`;
    const id = await addServer(server, { type: 'http', name: 'silent', url });
    void server.send('POST', `/api/servers/${id}/connect`).catch(() => undefined);
    await connected;
  },
};

/** Starts a server and brings it into a phase. */
async function start(name: string, phase: Phase, place: StoreOptions): Promise<RunningServer> {
  const { home, databaseUrl } = place;
  const env = { CERISE_HOME: home, ...(databaseUrl && { CERISE_DATABASE_URL: databaseUrl }) };
  const server = await startServer(env);
  if ((await within(20_000, phase(server, place))) === late)
    throw new Error(`never ${name}: ${server.stderr()}`);
  return server;
}

const late = 'not in time';

/** What comes of a promise, or that nothing did. */
async function within<T>(time: number, outcome: Promise<T>): Promise<T | typeof late> {
  const { promise, resolve } = Promise.withResolvers<typeof late>();
  const timer = setTimeout(() => resolve(late), time);
  return Promise.race([outcome, promise]).finally(() => clearTimeout(timer));
}

/**
 * In every phase at once, each a process of its own. Resolves when each of them was told to end, with what
 * came of that: some of them use all the time they have.
 */
async function inEveryPhase(
  makePlace: Place,
  end: (server: RunningServer) => Promise<unknown>,
): Promise<{ ended: Promise<Record<string, unknown>> }> {
  const cleanups: Cleanup[] = [];
  onTestFinished(async () => {
    for (const cleanup of cleanups.toReversed()) await cleanup();
  });
  const told = await Promise.all(
    Object.entries(phases).map(async ([name, phase]) => {
      const server = await start(name, phase, await makePlace(cleanups));
      return { name, ended: end(server) };
    }),
  );
  const results = told.map(async ({ name, ended }) => [name, await ended] as const);
  return { ended: Promise.all(results).then((all) => Object.fromEntries(all)) };
}

type Cleanup = () => Promise<unknown>;
type Place = (cleanups: Cleanup[]) => Promise<StoreOptions>;

const all = (value: unknown) =>
  Object.fromEntries(Object.keys(phases).map((name) => [name, value]));

const url = inject('postgresUrl');
const databases: [name: string, Place][] = [['SQLite', temporaryFolder]];
if (url !== null) databases.push(['PostgreSQL', (cleanups) => temporaryDatabase(url, cleanups)]);

describe('a host (T68)', () => {
  // The second database begins when all hosts on the first were told: their time is mostly a wait.
  it('drains within 30 seconds of SIGTERM in every phase, and exits with 0', async () => {
    const draining: Promise<[database: string, Record<string, unknown>]>[] = [];
    for (const [database, makePlace] of databases) {
      const { ended } = await inEveryPhase(makePlace, (server) => {
        server.child.kill('SIGTERM');
        return within(longest, server.ended);
      });
      draining.push(ended.then((codes) => [database, codes]));
    }
    expect(await Promise.all(draining)).toEqual(databases.map(([name]) => [name, all(0)]));
  }, 120_000);

  // The process exits without a word to its database: which one it has makes no difference.
  it('ends at once at a second signal, in every phase', async () => {
    const { ended } = await inEveryPhase(temporaryFolder, async (server) => {
      server.child.kill('SIGTERM');
      await server.says(/Shutting down/).catch(() => undefined);
      server.child.kill('SIGTERM');
      return (await within(atOnce, server.ended)) === late;
    });
    expect(await ended).toEqual(all(false));
  }, 60_000);
});

describe('a host that drains', () => {
  it('takes in the rest of a file, says that it is not ready, and lives', async () => {
    const cleanups: Cleanup[] = [];
    onTestFinished(async () => void (await cleanups[0]?.()));
    const { home } = await temporaryFolder(cleanups);
    const server = await startServer({ CERISE_HOME: home });
    const sending = await startUpload(server);
    expect((await server.send('GET', '/readyz')).status).toBe(200);
    server.child.kill('SIGTERM');
    await server.says(/Shutting down/);
    const [ready, alive] = [
      await server.send('GET', '/readyz'),
      await server.send('GET', '/healthz'),
    ];
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'draining' }]);
    expect(alive.status).toBe(200);
    const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
    sending.end('y'.repeat(1000));
    const [response] = await answered;
    expect(response.statusCode).toBe(201);
    expect(await server.ended).toBe(0);
  });
});
