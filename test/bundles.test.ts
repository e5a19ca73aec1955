// Starts processes.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ServerView, ToolView } from '#shared/api/api.ts';
import { hiddenSecret } from '#shared/text/text.ts';
import type { StoreOptions } from '#store/open-store.ts';
import { describeEachDatabase } from './databases.ts';
import { helloBundle, helloFiles, settings } from './fixtures/bundles.ts';
import { errorOf, openApi } from './fixtures/http.ts';
import { approve, hello, install, staged, upload } from './fixtures/installed-bundles.ts';
import { zipOf } from './fixtures/zip.ts';

async function folders({ home }: StoreOptions): Promise<string[]> {
  return readdir(join(home, 'bundles')).catch(() => []);
}

/** A program that stands in for another on the PATH of the host. */
async function onPath(home: string, name: string, script: string): Promise<void> {
  const folder = join(home, 'bin');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), script);
  await chmod(join(folder, name), 0o755);
  const before = process.env.PATH;
  process.env.PATH = `${folder}${delimiter}${before}`;
  onTestFinished(() => {
    process.env.PATH = before;
  });
}

describe('a hello-world bundle', () => {
  it('of type node arrives as a draft, and runs once it is approved', async () => {
    const api = await openApi();
    const server = await install(api, helloBundle());
    expect(server).toMatchObject({
      state: 'draft',
      name: 'Hello node',
      config: { command: 'node', args: ['${__dirname}/server/index.js'], cwd: '${__dirname}' },
    });
    const early = await api.send('POST', `/api/servers/${server.id}/connect`);
    expect(await errorOf(early)).toMatchObject({ status: 409 });
    expect(await folders(api.place)).toEqual([]);
    await approve(api, server);
    const { tools } = await api.json<{ tools: ToolView[] }>(
      'GET',
      `/api/servers/${server.id}/tools`,
    );
    expect(tools.map(({ name }) => name)).toEqual(['hello']);
    const { folder, cwd } = await hello(api, server);
    const { bundle } = server.config as { bundle: { hash: string } };
    expect(cwd).toBe(join(api.place.home, 'bundles', bundle.hash, 'files'));
    expect(folder).toBe(join(cwd, 'server'));
  });

  it.skipIf(spawnSync('python3', ['--version']).status !== 0)(
    'of type python runs, whichever name Python has here',
    async () => {
      const api = await openApi();
      for (const command of ['python', 'python3']) {
        const mcp_config = { command, args: ['${__dirname}/server/main.py', command] };
        const server = await install(api, helloBundle('python', { server: { mcp_config } }));
        await approve(api, server);
        expect(await hello(api, server)).toMatchObject({ args: [command] });
      }
    },
  );

  it('of type uv is run by uv, with its environment beside the files', async () => {
    // The stand-in for uv is in the data folder, and writes there.
    const api = await openApi({ bubblewrap: false });
    const log = join(api.place.home, 'uv.log');
    await onPath(
      api.place.home,
      'uv',
      `#!/bin/sh\necho "$UV_PROJECT_ENVIRONMENT|$*" > ${log}\nfor last; do :; done\nexec python3 "$last"\n`,
    );
    const server = await install(api, helloBundle('uv', { manifest_version: '0.4' }));
    await approve(api, server);
    const { cwd } = await hello(api, server);
    expect((await readFile(log, 'utf8')).trim()).toBe(
      `${cwd}/../environment|run --directory ${cwd} ${cwd}/src/server.py`,
    );
  });

  it('of type binary is run as a program, also where the archive says nothing of that', async () => {
    const api = await openApi();
    const relative = { mcp_config: { command: 'bin/hello', args: ['x'] } };
    for (const server of [{}, relative]) {
      const added = await install(api, helloBundle('binary', { server }));
      await approve(api, added);
      const { args, cwd, folder } = await hello(api, added);
      expect({ args, folder }).toEqual({
        args: server === relative ? ['x'] : [],
        folder: join(cwd, 'bin'),
      });
    }
  });

  it('whose runtime is missing says so before and after it is installed', async () => {
    const api = await openApi();
    const mcp_config = { command: 'no-such-runtime', args: [] };
    const bytes = helloBundle('node', { server: { mcp_config } });
    expect((await staged(api, bytes)).problem).toMatchObject({ code: 'command_not_found' });
    const server = await install(api, bytes);
    await approve(api, server);
    const failed = await api.send('POST', `/api/servers/${server.id}/connect`);
    expect(await errorOf(failed)).toMatchObject({ code: 'command_not_found' });
  });

  it('for other systems is refused, and nothing of it is kept', async () => {
    const api = await openApi();
    const other = process.platform === 'win32' ? 'linux' : 'win32';
    const bytes = helloBundle('node', { compatibility: { platforms: [other] } });
    expect(await errorOf(await upload(api, bytes))).toMatchObject({ code: 'invalid_bundle' });
    await api.host.blobs.collect();
    expect(await api.host.store.db.selectFrom('blobs').selectAll().execute()).toEqual([]);
  });

  it('takes the override of this platform', async () => {
    const api = await openApi();
    const args = ['${__dirname}/server/index.js', 'here'];
    const mcp_config = {
      command: 'wrong',
      env: { A: '1' },
      platform_overrides: {
        [process.platform]: { command: 'node', args },
        other: { command: 'x' },
      },
    };
    const server = await install(api, helloBundle('node', { server: { mcp_config } }));
    expect(server.config).toMatchObject({ command: 'node', args, env: { A: hiddenSecret } });
  });
});

describe('the settings of a bundle', () => {
  const values = { api_key: 'a-secret-${HOME}-$&', folders: ['/a', '/b c'], level: 5 };

  it('reach the server once and as they are, and secrets are never shown', async () => {
    const api = await openApi();
    const bytes = helloBundle('node', settings);
    const view = await staged(api, bytes);
    expect(view.values).toEqual({ folders: [join(homedir(), 'Desktop')], level: 3 });
    const server = await install(api, bytes, { values });
    await approve(api, server);
    expect(await hello(api, server)).toMatchObject({
      args: ['--level=5', '/a', '/b c'],
      key: values.api_key,
    });
    const shown = JSON.stringify([
      server,
      await api.json('GET', `/api/bundles/${server.id}`),
      await api.json('GET', '/api/servers'),
      await api.json('GET', '/api/servers/export?format=cerise'),
      await api.json('GET', `/api/servers/${server.id}/diagnosis`),
      await api.json('GET', `/api/servers/${server.id}/logs`),
    ]);
    expect(shown).not.toContain('a-secret');
    const rows = await api.host.store.db.selectFrom('servers').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain('a-secret');
  });

  it('that are required or do not fit are asked for', async () => {
    const api = await openApi();
    const { file } = await staged(api, helloBundle('node', settings));
    for (const wrong of [{}, { api_key: 'k', level: 9 }, { api_key: 'k', other: 1 }]) {
      const response = await api.send('POST', '/api/bundles/install', { file, values: wrong });
      expect(await errorOf(response)).toMatchObject({ status: 400, code: 'invalid_bundle' });
    }
    expect((await api.json<{ bundles: [] }>('GET', '/api/bundles')).bundles).toEqual([]);
  });

  it('can be changed, and then need a new approval', async () => {
    const api = await openApi();
    const server = await install(api, helloBundle('node', settings), { values });
    await approve(api, server);
    const path = `/api/bundles/${server.id}`;
    const same = await api.json<ServerView>('PATCH', path, { values: { api_key: hiddenSecret } });
    expect(same.state).not.toBe('draft');
    const next = await api.json<ServerView>('PATCH', path, { values: { level: 1, folders: null } });
    expect(next.state).toBe('draft');
    await approve(api, server);
    expect(await hello(api, server)).toMatchObject({ args: ['--level=1'], key: values.api_key });
  });
});

describe('T07: an approved bundle', () => {
  it('needs a new approval for other bytes, whatever else is the same', async () => {
    const api = await openApi();
    const server = await install(api, helloBundle());
    await approve(api, server);
    await hello(api, server);
    const files = helloFiles();
    const other = zipOf([...files, { name: 'more.txt', data: 'x' }]);
    const view = await staged(api, other);
    expect(view.updates).toMatchObject([
      { server: server.id, difference: { files: { added: 1, removed: 0, changed: 0 } } },
    ]);
    const same = await install(api, helloBundle(), { server: server.id });
    expect(same.state).not.toBe('draft');
    const updated = await install(api, other, { server: server.id });
    expect(updated).toMatchObject({ id: server.id, state: 'draft' });
    const early = await api.send('POST', `/api/servers/${server.id}/connect`);
    expect(await errorOf(early)).toMatchObject({ status: 409 });
    await approve(api, server);
    await hello(api, server);
    await expect.poll(() => folders(api.place)).toEqual([view.hash]);
  });

  it('cannot be given other bytes, settings or none by a change of its fields', async () => {
    const api = await openApi();
    const server = await install(api, helloBundle());
    const { bundle } = server.config as { bundle: object };
    for (const change of [{ ...bundle, hash: 'a'.repeat(64) }, bundle, null]) {
      const response = await api.send('PATCH', `/api/servers/${server.id}`, { bundle: change });
      expect(await errorOf(response)).toMatchObject({ code: 'invalid_server' });
    }
    const added = await api.send('POST', '/api/servers', {
      ...(server.config as object),
      name: 'x',
    });
    expect(await errorOf(added)).toMatchObject({ code: 'invalid_server' });
  });

  it('runs what was approved, whatever was done to its folder', async () => {
    const api = await openApi();
    const server = await install(api, helloBundle());
    await approve(api, server);
    const { folder } = await hello(api, server);
    await api.close();
    await writeFile(join(folder, 'index.js'), 'process.exit(7)');
    const again = await openApi({ place: api.place });
    expect((await hello(again, server)).folder).toBe(folder);
  });
});

describe('an update of a bundle', () => {
  it('shows what changes, and keeps the settings that still fit', async () => {
    const api = await openApi();
    const values = { api_key: 'the-old-key', level: 5, prefix: 'p' };
    const server = await install(api, helloBundle('node', settings), { values });
    await api.send('PATCH', `/api/servers/${server.id}`, {
      disabledTools: ['x'],
      autoApprove: ['hello'],
    });
    const { level: _, ...rest } = settings.user_config;
    const mcp_config = {
      command: 'node',
      args: ['${__dirname}/server/index.js', '${user_config.prefix}'],
      env: { API_KEY: '${user_config.api_key}', NEW: '1' },
    };
    const added = { type: 'boolean', title: 'Added', description: 'New', default: true };
    const next = helloBundle('node', {
      version: '2.0.0',
      server: { mcp_config },
      user_config: { ...rest, added },
    });
    const view = await staged(api, next);
    expect(view.updates).toEqual([
      {
        server: server.id,
        name: 'Hello node',
        values: {
          api_key: hiddenSecret,
          folders: [join(homedir(), 'Desktop')],
          prefix: 'p',
          added: true,
        },
        difference: {
          version: { before: '1.0.0', after: '2.0.0' },
          args: { before: settings.server.mcp_config.args, after: mcp_config.args },
          env: { added: ['NEW'], removed: [], changed: [] },
          settings: { added: ['added'], removed: ['level'] },
          files: { added: 0, removed: 0, changed: 1 },
        },
      },
    ]);
    const updated = await install(api, next, { server: server.id });
    expect(updated).toMatchObject({
      id: server.id,
      state: 'draft',
      config: { disabledTools: ['x'] },
    });
    expect(updated.config).not.toHaveProperty('autoApprove');
    await approve(api, server);
    expect(await hello(api, server)).toMatchObject({ args: ['p'], key: 'the-old-key' });
  });

  it('is refused for a server of another bundle, or of none', async () => {
    const api = await openApi();
    const server = await install(api, helloBundle());
    const plain = await api.json<ServerView>('POST', '/api/servers', {
      name: 'plain',
      command: 'node',
    });
    const { file } = await staged(api, helloBundle('node', { name: 'other' }));
    for (const { id } of [server, plain]) {
      const response = await api.send('POST', '/api/bundles/install', { file, server: id });
      expect((await errorOf(response)).status).toBe(400);
    }
  });
});

describe('a removed bundle', () => {
  it('leaves neither a folder nor bytes, once no server uses it', async () => {
    const api = await openApi();
    const servers = [await install(api, helloBundle()), await install(api, helloBundle())];
    expect(servers.map(({ name }) => name)).toEqual(['Hello node', 'Hello node 2']);
    for (const server of servers) {
      await approve(api, server);
      await hello(api, server);
    }
    const hash = createHash('sha256').update(helloBundle()).digest('hex');
    expect(await folders(api.place)).toEqual([hash]);
    const [first, second] = servers;
    await api.send('DELETE', `/api/servers/${first?.id}`);
    if (second) await hello(api, second);
    expect(await folders(api.place)).toEqual([hash]);
    await api.send('DELETE', `/api/servers/${second?.id}`);
    await expect.poll(() => folders(api.place)).toEqual([]);
    const { db } = api.host.store;
    expect(
      await db.selectFrom('blob_refs').selectAll().where('server_id', 'is not', null).execute(),
    ).toEqual([]);
  });
});

describe('a bundle that is installed on one instance', () => {
  describeEachDatabase((_open, fresh, dialect) => {
    it('is used on every other, each with its own folder, and goes from all of them', async () => {
      const place = await fresh();
      const elsewhere = { ...place, home: `${place.home}-b` };
      await mkdir(elsewhere.home);
      onTestFinished(() => rm(elsewhere.home, { recursive: true, force: true }));
      const secretKey = 'one key for both of the instances';
      const one = await openApi({ place, secretKey });
      // SQLite is one process.
      const isShared = dialect === 'postgres';
      const two = isShared ? await openApi({ place: elsewhere, secretKey }) : one;
      const values = { api_key: 'the-key' };
      const server = await install(one, helloBundle('node', settings), { values });
      await approve(one, server);
      const facts = await hello(two, server);
      expect(facts).toMatchObject({ key: 'the-key' });
      expect(facts.cwd.startsWith(join(two.place.home, 'bundles'))).toBe(true);
      if (isShared) expect(await folders(place)).toEqual([]);
      await hello(one, server);
      await one.send('DELETE', `/api/servers/${server.id}`);
      await expect.poll(() => folders(place)).toEqual([]);
      await expect.poll(() => folders(elsewhere), { timeout: 10_000 }).toEqual([]);
    });
  });
});
