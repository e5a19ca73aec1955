import { spawnSync } from 'node:child_process';
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Topic } from '#shared/vocabulary/message.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import { openStore, type StoreOptions } from '#store/open-store.ts';
import { describeEachDatabase } from '../databases.ts';
import { run, type RunningServer, startServer } from '../fixtures/cerise-process.ts';
import { hostSays } from '../e2e/texts.ts';
import { emptyPlace, errorOf, openApi, type TestApi } from '../fixtures/http.ts';

/** A logger that keeps what it hears. */
function listening(): { logger: Logger; heard: () => string } {
  let text = '';
  const keep = (fields: object, message: string) =>
    void (text += `${message} ${JSON.stringify(fields)}\n`);
  const silent = () => undefined;
  return { logger: { debug: silent, info: silent, warn: keep, error: keep }, heard: () => text };
}

/** Something of everything that is kept as JSON. */
async function furnish(api: TestApi): Promise<{ topicId: string }> {
  const mcp = { enabled: true, mode: 'auto', selectedServers: [] };
  await api.json('POST', '/api/assistants', { name: 'Helper' });
  const server = {
    type: 'streamableHttp',
    name: 'far',
    baseUrl: 'https://mcp.example.com/mcp',
    disabled: true,
  };
  await api.json('POST', '/api/servers', server);
  await api.json('POST', '/api/providers', {
    name: 'vendor',
    baseUrl: 'https://models.example.com/v1',
    models: ['m'],
  });
  await api.json('PUT', '/api/settings', { fetchAllow: ['127.0.0.1:9'] });
  await api.json('POST', '/api/topics', { title: 'Other' });
  const { id } = await api.json<Topic>('POST', '/api/topics', { title: 'Topic' });
  await api.json('PATCH', `/api/topics/${id}`, { mcp });
  const { answerId } = await api.json<{ answerId: string }>('POST', `/api/topics/${id}/messages`, {
    text: 'What time is it in Tokyo?',
  });
  const ended = async () => (await api.send('GET', `/api/topics/${id}`)).text();
  await expect.poll(ended).not.toContain('"running"');
  expect(answerId).toBeTruthy();
  return { topicId: id };
}

interface Damage {
  table: string;
  column: string;
  /** Where it is met. */
  path: (topicId: string) => string;
  /** What is there all the same; absent: that request alone fails. */
  rest?: string;
}

const damages: Damage[] = [
  { table: 'servers', column: 'config', path: () => '/api/servers', rest: 'calculator' },
  { table: 'topics', column: 'mcp', path: () => '/api/topics', rest: '"Topic"' },
  { table: 'assistants', column: 'mcp', path: () => '/api/assistants', rest: '' },
  { table: 'providers', column: 'models', path: () => '/api/providers', rest: '' },
  { table: 'blocks', column: 'data', path: (id) => `/api/topics/${id}` },
  { table: 'settings', column: 'value', path: () => '/api/settings' },
];

describeEachDatabase((_open, fresh) => {
  it('T92: a data folder that is not there is made', async () => {
    const place = await fresh();
    const home = join(place.home, 'new', 'folder');
    const secretKey = Buffer.alloc(32, 7).toString('base64');
    const api = await openApi({ place: { ...place, home }, secretKey });
    expect(statSync(home).mode & 0o777).toBe(0o700);
    expect((await api.raw('GET', '/readyz')).status).toBe(200);
  });

  it.each(damages)(
    'T92: a row of $table that cannot be read is said, counted and left as it is',
    async ({ table, column, path, rest }) => {
      const place = await fresh();
      const before = await openApi({ place });
      const { topicId } = await furnish(before);
      await before.close();
      const { logger, heard } = listening();
      const broken = '{"token": sk-canary-4711';
      const api = await openApi({
        place,
        logger: (await damage(place, table, column, broken), logger),
      });
      const response = await api.send('GET', path(topicId));
      if (rest === undefined)
        expect(await errorOf(response)).toMatchObject({ status: 500, code: 'data_unreadable' });
      else
        expect([response.status, await response.text()]).toEqual([
          200,
          expect.stringContaining(rest),
        ]);
      expect(heard()).toContain('data_unreadable');
      expect(heard()).not.toContain('canary');
      const about = await api.json<{ troubles: { code: string; count: number }[] }>(
        'GET',
        '/api/about',
      );
      const counted = about.troubles.find(({ code }) => code === 'data_unreadable');
      expect(counted?.count).toBeGreaterThan(0);
      const ready = await api.raw('GET', '/readyz');
      expect([ready.status, await ready.json()]).toMatchObject([
        200,
        { status: 'ready', warnings: [{ part: 'data' }] },
      ]);
      const { rows } = await sql<{ cell: string }>`
        select ${sql.ref(column)} as cell from ${sql.table(table)}`.execute(api.host.store.db);
      expect(rows.filter(({ cell }) => cell === broken).length).toBeGreaterThan(0);
    },
  );
});

async function damage(
  place: StoreOptions,
  table: string,
  column: string,
  text: string,
): Promise<void> {
  const store = await openStore(place);
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${text}
    where ${sql.ref(column)} like ${table === 'settings' ? '%fetchAllow%' : '%'}`.execute(store.db);
  await store.close();
}

describe('T92: a data folder', () => {
  it('with a damaged page says so where it is met, and goes on with the rest', async () => {
    const place = await emptyPlace();
    const before = await openApi({ place });
    const { topicId } = await furnish(before);
    await before.close();
    const file = join(place.home, 'cerise.db');
    const database = new DatabaseSync(file);
    const [{ rootpage }] = database
      .prepare("select rootpage from sqlite_master where name = 'blocks'")
      .all() as [{ rootpage: number }];
    const [{ page_size: size }] = database.prepare('pragma page_size').all() as [
      { page_size: number },
    ];
    database.close();
    const bytes = readFileSync(file);
    bytes.fill(0xff, (rootpage - 1) * size, rootpage * size);
    writeFileSync(file, bytes);
    const { logger, heard } = listening();
    const api = await openApi({ place, logger });
    const refused = await errorOf(await api.send('GET', `/api/topics/${topicId}`));
    expect(refused).toMatchObject({ status: 500, code: 'data_unreadable' });
    expect(heard()).toContain('damaged');
    expect((await api.send('GET', '/api/topics')).status).toBe(200);
    expect(await (await api.raw('GET', '/readyz')).json()).toMatchObject({
      warnings: [{ part: 'data' }],
    });
    await api.close();
    const after = readFileSync(file).subarray((rootpage - 1) * size, rootpage * size);
    expect(after.every((byte) => byte === 0xff)).toBe(true);
  });

  it('whose database is empty or gone although there were data is refused, and stays as it is', async () => {
    const place = await emptyPlace();
    const before = await openApi({ place });
    await furnish(before);
    await before.send('POST', '/api/files?name=a.txt', 'kept');
    await before.close();
    const files = () => new Set(readdirSync(place.home, { recursive: true }).map(String));
    truncateSync(join(place.home, 'cerise.db'));
    const left = files();
    const refused = { code: 'data_unreadable', message: expect.stringContaining('is empty') };
    await expect(openApi({ place })).rejects.toMatchObject(refused);
    expect([files(), statSync(join(place.home, 'cerise.db')).size]).toEqual([left, 0]);
    const said = await run(['serve'], { CERISE_HOME: place.home, CERISE_PORT: '0' });
    expect([said.code, said.stderr]).toEqual([1, expect.stringContaining('Restore a backup')]);
    rmSync(join(place.home, 'cerise.db'));
    await expect(openApi({ place })).rejects.toMatchObject({
      message: expect.stringContaining('is missing'),
    });
    rmSync(join(place.home, 'blobs'), { recursive: true });
    // Only a key: as a person brings it along to a new folder.
    await (await openApi({ place })).close();
  });

  it('whose database holds nothing but its log is refused: a start would drop that', async () => {
    const place = await emptyPlace();
    writeFileSync(join(place.home, 'cerise.db'), '');
    writeFileSync(join(place.home, 'cerise.db-wal'), 'what was committed last');
    await expect(openApi({ place })).rejects.toMatchObject({ code: 'data_unreadable' });
    expect(readFileSync(join(place.home, 'cerise.db-wal'), 'utf8')).toBe('what was committed last');
  });

  it('of a first start that was cut is taken', async () => {
    const place = await emptyPlace();
    writeFileSync(join(place.home, 'cerise.db'), '');
    await (await openApi({ place })).close();
  });

  it('that loses its files while it is used says so, and takes new ones', async () => {
    const { logger, heard } = listening();
    const api = await openApi({ logger });
    const send = async () => (await api.send('POST', '/api/files?name=a.txt', 'kept')).json();
    const { url } = (await send()) as { url: string };
    rmSync(join(api.place.home, 'blobs'), { recursive: true });
    expect(await errorOf(await api.send('GET', url))).toMatchObject({ code: 'data_unreadable' });
    expect(heard()).toContain('data_unreadable');
    const again = (await send()) as { url: string };
    expect(await (await api.send('GET', again.url)).text()).toBe('kept');
  });

  it('that is removed while it is used makes the host not ready', async () => {
    const { logger, heard } = listening();
    const api = await openApi({ logger });
    rmSync(api.place.home, { recursive: true });
    const ready = await api.raw('GET', '/readyz');
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({
      problems: [
        { part: 'data_folder', message: expect.stringContaining('missing') },
        { part: 'database' },
      ],
    });
    expect(heard()).toContain('Cannot write data');
    expect((await api.raw('GET', '/healthz')).status).toBe(200);
  });
});

/** Commands with mounts of their own, which end with them. */
const ownMounts = ['unshare', '--user', '--map-root-user', '--mount'];
const canMount =
  spawnSync('unshare', [...ownMounts.slice(1), 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status ===
  0;
if (!canMount)
  process.stderr.write('Not tried: full and read-only disks (T92). Nothing can be mounted here.\n');

/** A host for which these mounts are made first. */
async function startOn(home: string, mounts: string): Promise<RunningServer> {
  return startServer({ CERISE_HOME: home }, undefined, [
    ...ownMounts,
    'sh',
    '-c',
    `${mounts} && exec "$@"`,
    'sh',
  ]);
}

/** A path as the host sees it. */
const seenBy = ({ child }: RunningServer, path: string): string => `/proc/${child.pid}/root${path}`;

/** Takes all room there is; the result gives it back. */
function fill(folder: string): () => void {
  const file = join(folder, 'filler');
  const piece = Buffer.alloc(64 * 1024, 1);
  try {
    for (;;) writeFileSync(file, piece, { flag: 'a' });
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' });
  }
  return () => rmSync(file);
}

const problemsOf = async (server: RunningServer) => {
  const response = await server.send('GET', '/readyz');
  return [response.status, ((await response.json()) as { problems?: unknown }).problems];
};

describe.skipIf(!canMount)('T92: a disk', () => {
  it('that is full is said, by its own code, loses nothing half, and the host goes on once there is room', async () => {
    const { home } = await emptyPlace();
    const server = await startOn(home, `mount -t tmpfs -o size=24m tmpfs ${home}`);
    expect(await problemsOf(server)).toEqual([200, undefined]);
    const topic = await server.json<Topic>('POST', '/api/topics', { title: 'Topic' });
    const lines = await (await server.send('GET', '/api/data/export')).text();
    await server.send('DELETE', '/api/data/topics');
    const free = fill(seenBy(server, home));
    const problem = { part: 'data_folder', message: expect.stringContaining('full disk') };
    await expect.poll(() => problemsOf(server), { interval: 200 }).toEqual([503, [problem]]);
    const refused = await errorOf(await importFile(server, lines));
    expect(refused).toMatchObject({ status: 507, code: 'disk_full' });
    expect(refused.message).toContain('disk is full');
    const file = await server.send('POST', '/api/files?name=a', 'x'.repeat(100_000));
    expect(await errorOf(file)).toMatchObject({ status: 507, code: 'disk_full' });
    expect((await server.send('GET', '/healthz')).status).toBe(200);
    expect(server.stderr()).toContain('disk_full');
    free();
    await expect.poll(() => problemsOf(server), { interval: 200 }).toEqual([200, undefined]);
    expect(readdirSync(seenBy(server, home)).filter((name) => name.endsWith('tmp'))).toEqual([]);
    expect((await server.json<{ topics: Topic[] }>('GET', '/api/topics')).topics).toEqual([]);
    expect((await importFile(server, lines)).status).toBe(200);
    expect((await server.send('GET', `/api/topics/${topic.id}`)).status).toBe(200);
  });

  it('of the files alone is named when it is full', async () => {
    const { home } = await emptyPlace();
    const mounts = `mkdir ${home}/blobs && mount -t tmpfs -o size=8m tmpfs ${home}/blobs`;
    const server = await startOn(home, mounts);
    const free = fill(seenBy(server, join(home, 'blobs')));
    const problem = { part: 'files', message: expect.stringContaining('full disk') };
    expect(await problemsOf(server)).toEqual([503, [problem]]);
    const file = () => server.send('POST', '/api/files?name=a', 'x'.repeat(100_000));
    expect(await errorOf(await file())).toMatchObject({ status: 507, code: 'disk_full' });
    expect((await server.send('POST', '/api/topics', {})).status).toBe(201);
    free();
    expect((await file()).status).toBe(201);
  });

  it('that is read-only from the start is refused in one sentence', async () => {
    const { home } = await emptyPlace();
    const readOnly = `mount --bind ${home} ${home} && mount -o remount,bind,ro ${home}`;
    const failed = await startOn(home, readOnly).catch((error: Error) => error.message);
    expect(failed).toContain('it ended (1)');
    expect(failed).toMatch(hostSays('data-folder-unusable-why'));
    expect(existsSync(join(home, 'cerise.db'))).toBe(false);
  });

  it('that becomes read-only is said', async () => {
    const { home } = await emptyPlace();
    const server = await startOn(home, 'true');
    const enter = ['--preserve-credentials', '--user', '--mount', '-t', String(server.child.pid)];
    const readOnly = `mount --bind ${home} ${home} && mount -o remount,bind,ro ${home}`;
    expect(spawnSync('nsenter', [...enter, 'sh', '-c', readOnly]).status).toBe(0);
    const problem = { part: 'data_folder', message: expect.stringContaining('read-only') };
    expect(await problemsOf(server)).toEqual([503, [problem]]);
    const file = await server.send('POST', '/api/files?name=a', 'x'.repeat(100_000));
    expect((await errorOf(file)).code).toBe('storage_unavailable');
  });

  it('that the log goes to may be full: the host goes on and ends as it should', async () => {
    const { home } = await emptyPlace();
    const env = { CERISE_HOME: home, CERISE_LOG_LEVEL: 'trace' };
    const server = await startServer(env, undefined, ['sh', '-c', 'exec "$@" 2>/dev/full', 'sh']);
    for (let n = 0; n < 5; n += 1) await server.send('GET', '/api/blobs/none');
    rmSync(join(home, 'cerise.db'));
    expect((await problemsOf(server))[0]).toBe(503);
    expect((await server.send('GET', '/healthz')).status).toBe(200);
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
  });
});

function importFile({ url }: RunningServer, lines: string): Promise<Response> {
  const headers = {
    authorization: 'Bearer the-token-of-this-process',
    'content-type': 'application/x-ndjson',
  };
  return fetch(`${url}/api/data/import`, { method: 'POST', headers, body: lines });
}
