import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { type Conversation, isMessageRunning, type Topic } from '#shared/vocabulary/message.ts';
import { run } from './fixtures/cerise-in-process.ts';
import { type RunningServer, startServer } from './fixtures/cerise-process.ts';
import { emptyPlace } from './fixtures/http.ts';
import { processToken } from './fixtures/running-command.ts';
import { ClientState, readFrames } from './fixtures/sse-reader.ts';
import { hostSays } from './e2e/texts.ts';
import { illegalities } from './legal-conversation.ts';

interface Sent {
  topicId: string;
  userMessageId: string;
  answerId: string;
}

const image = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), randomBytes(200_000)]);
const secretKey = Buffer.alloc(32, 9).toString('base64');

/** A server in the middle of work: answers that run, a stored file, a sealed key of a vendor. */
async function startBusy(env: Record<string, string>) {
  const server = await startServer({ ...env, CERISE_DEMO_PACE: '5' });
  const provider = { name: 'vendor', apiKey: 'sk-very-secret', baseUrl: 'http://127.0.0.1:9/v1' };
  await server.json('POST', '/api/providers', { ...provider, models: ['m'] });
  const upload = await fetch(`${server.url}/api/files?name=picture.png`, {
    method: 'POST',
    headers: { authorization: `Bearer ${processToken}`, 'content-type': 'image/png' },
    body: image,
  });
  const file = (await upload.json()) as { id: string };
  const sent = await Promise.all(
    Array.from({ length: 5 }, (_, n) =>
      send(server, n === 0 ? { text: 'What is this?', files: [file.id] } : { text: '/write 400' }),
    ),
  );
  await Promise.all(sent.map((each) => until(server, each.topicId, (seen) => textOf(seen) > 20)));
  return { server, sent, file };
}

async function send(server: RunningServer, message: object): Promise<Sent> {
  const { id } = await server.json<Topic>('POST', '/api/topics', { title: 'Topic' });
  const ids = await server.json<Omit<Sent, 'topicId'>>(
    'POST',
    `/api/topics/${id}/messages`,
    message,
  );
  return { topicId: id, ...ids };
}

const textOf = ({ messages }: Conversation): number =>
  messages.at(-1)?.blocks.reduce((sum, { content }) => sum + content.length, 0) ?? 0;

async function until(
  server: RunningServer,
  topicId: string,
  condition: (conversation: Conversation) => boolean,
): Promise<Conversation> {
  const client = new ClientState();
  await readFrames(await server.send('GET', `/api/topics/${topicId}/events`), (frame) => {
    client.take(frame);
    return client.conversation !== undefined && condition(client.conversation);
  });
  if (!client.conversation) throw new Error('the stream had no snapshot');
  return client.conversation;
}

/** Everything acknowledged before the backup is there, legal, and goes on to its end. */
async function expectWhole(server: RunningServer, sent: Sent[], fileId: string): Promise<void> {
  for (const { topicId, userMessageId, answerId } of sent) {
    const seen = await until(server, topicId, ({ messages }) =>
      messages.some((message) => message.id === answerId && !isMessageRunning(message)),
    );
    expect(seen.messages.map(({ id }) => id)).toEqual([userMessageId, answerId]);
    expect(seen.messages[1]?.status).toBe('success');
    expect(illegalities(seen)).toEqual([]);
  }
  const blob = await server.send('GET', `/api/blobs/${fileId}`);
  expect(image.equals(Buffer.from(await blob.arrayBuffer()))).toBe(true);
  const { providers } = await server.json<{ providers: { name: string }[] }>(
    'GET',
    '/api/providers',
  );
  expect(providers.map(({ name }) => name)).toContain('vendor');
  expect(server.stderr()).toBe('');
}

describe('cerise backup and cerise restore', () => {
  it('bring a running SQLite host back in another place, answers included', async () => {
    const { home } = await emptyPlace();
    const { server, sent, file } = await startBusy({ CERISE_HOME: home });
    const path = join(home, 'one.cerise');
    const made = await run(['backup', path], { CERISE_HOME: home });
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toMatch(hostSays('cli-backed-up', path, 1));
    expect(made.stdout).toMatch(hostSays('cli-backup-key'));
    const again = await run(['backup', path], { CERISE_HOME: home });
    expect(again).toMatchObject({ code: 1, stdout: '' });
    const busy = await run(['restore', path, '--replace'], { CERISE_HOME: home });
    expect(busy).toMatchObject({ code: 1, stderr: expect.stringContaining('is in use') });

    const { home: other } = await emptyPlace();
    const restored = await run(['restore', path], { CERISE_HOME: other });
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    await expectWhole(await startServer({ CERISE_HOME: other }), sent, file.id);
    await expectWhole(server, sent, file.id);
  });

  it.each([
    [['backup']],
    [['restore']],
    [['backup', 'a', 'b']],
    [['backup', 'a', '--replace']],
    [['restore', 'a', '--without-key']],
  ])('called wrongly as %j say so', async (args) => {
    const { home } = await emptyPlace();
    expect(await run(args, { CERISE_HOME: home })).toMatchObject({ code: 2, stdout: '' });
  });

  it('point to the means of PostgreSQL where that is used', async () => {
    const { home } = await emptyPlace();
    const env = { CERISE_HOME: home, CERISE_DATABASE_URL: 'postgres://u:hidden@127.0.0.1/x' };
    for (const [command, program] of [
      ['backup', 'pg_dump'],
      ['restore', 'pg_restore'],
    ] as const) {
      const { code, stderr } = await run([command, join(home, 'x')], env);
      expect([code, stderr]).toEqual([2, expect.stringContaining(program)]);
      expect(stderr).not.toContain('hidden');
    }
  });
});

const url = inject('postgresUrl');
const why = url === null ? 'there is no PostgreSQL' : await programsMissing(url);
if (why) process.stderr.write(`The backup of PostgreSQL is not tested: ${why}.\n`);

describe.skipIf(why !== undefined)('pg_dump and pg_restore', () => {
  it('bring a running PostgreSQL host back in another database, answers included', async () => {
    const { home } = await emptyPlace();
    const from = await createDatabase(url ?? '');
    const place = { CERISE_HOME: home, CERISE_SECRET_KEY: secretKey };
    const { server, sent, file } = await startBusy({ ...place, CERISE_DATABASE_URL: from });
    const dump = join(home, 'cerise.dump');
    await program('pg_dump', ['--format=custom', `--file=${dump}`, from]);

    const to = await createDatabase(url ?? '');
    await program('pg_restore', ['--exit-on-error', '--no-owner', `--dbname=${to}`, dump]);
    const other = join(home, 'other');
    await mkdir(other);
    const env = { ...place, CERISE_HOME: other, CERISE_DATABASE_URL: to };
    await expectWhole(await startServer(env), sent, file.id);
    await expectWhole(server, sent, file.id);
  });
});

const program = promisify(execFile);

/** Why PostgreSQL's own programs cannot be used: they must not be older than the server. */
async function programsMissing(serverUrl: string): Promise<string | undefined> {
  for (const name of ['pg_dump', 'pg_restore']) {
    const { stdout } = spawnSync(name, ['--version'], { encoding: 'utf8' });
    const version = Number(/(\d+)/.exec(stdout ?? '')?.[1]);
    if (Number.isNaN(version)) return `${name} is not on PATH`;
    const server = await query(serverUrl, 'show server_version_num');
    const wanted = Math.floor(Number(server?.['server_version_num']) / 10_000);
    if (version < wanted) return `${name} is of version ${version}, the server of ${wanted}`;
  }
  return undefined;
}

async function createDatabase(serverUrl: string): Promise<string> {
  const name = `backup_${randomBytes(6).toString('hex')}`;
  await query(serverUrl, `create database ${name}`);
  onTestFinished(async () => void (await query(serverUrl, `drop database ${name} with (force)`)));
  const own = new URL(serverUrl);
  own.pathname = `/${name}`;
  return own.href;
}

async function query(serverUrl: string, statement: string) {
  const client = new Client(serverUrl);
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(statement);
    return rows[0];
  } finally {
    await client.end();
  }
}
