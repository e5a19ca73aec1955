import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ServerView } from '#shared/api/api.ts';
import type { ImportView } from '#shared/api/import-api.ts';
import { emptyPlace, errorOf, openApi, type TestApi } from '../../../test/fixtures/http.ts';
import { addPerson } from '../../../test/fixtures/people.ts';
import { readFrames } from '../../../test/fixtures/sse-reader.ts';

const script = join(import.meta.dirname, '../../../test/fakes/hostile-server.mjs');

/** A real stdio server that leaves a file behind as soon as it runs. */
function config(marker: string, more: object = {}) {
  const start = `require('node:fs').writeFileSync(${JSON.stringify(marker)}, 'ran');`;
  return {
    type: 'stdio',
    name: 'real',
    command: process.execPath,
    args: ['-e', `${start} process.argv[2] = '{}'; import(${JSON.stringify(script)});`],
    ...more,
  };
}

const add = (api: TestApi, body: object) => api.json<ServerView>('POST', '/api/servers', body);
const read = (api: TestApi, id: string) => api.json<ServerView>('GET', `/api/servers/${id}`);
const change = (api: TestApi, id: string, body: object) =>
  api.json<ServerView>('PATCH', `/api/servers/${id}`, body);
const approve = (api: TestApi, { id, launchHash }: ServerView) =>
  api.send('POST', `/api/servers/${id}/approve`, { launchHash });

describe('a server that runs a command', () => {
  it('arrives as a draft that nothing can start before it is approved', async () => {
    const { home } = await emptyPlace();
    const marker = join(home, 'marker');
    const api = await openApi();
    const server = await add(api, config(marker));
    expect(server).toMatchObject({
      state: 'draft',
      launchHash: expect.stringMatching(/^\S{16,}$/),
    });
    const attempts: [string, string, object?][] = [
      ['POST', `/api/servers/${server.id}/connect`, {}],
      ['POST', `/api/servers/${server.id}/restart`, {}],
      ['GET', `/api/servers/${server.id}/tools`],
      ['POST', `/api/servers/${server.id}/tools/echo/call`, { arguments: {} }],
    ];
    for (const [method, path, body] of attempts)
      expect(await errorOf(await api.send(method, path, body)), path).toMatchObject({
        status: 409,
        code: 'server_not_approved',
      });
    expect(existsSync(marker)).toBe(false);
    expect(await read(api, server.id)).toMatchObject({ state: 'draft' });
  });

  it('runs once exactly its launch was approved', async () => {
    const { home } = await emptyPlace();
    const marker = join(home, 'marker');
    const api = await openApi();
    const server = await add(api, config(marker));
    const wrong = await approve(api, { ...server, launchHash: 'wrong' });
    expect(await errorOf(wrong)).toMatchObject({ status: 409, code: 'launch_changed' });
    expect((await approve(api, server)).status).toBe(200);
    expect(existsSync(marker)).toBe(false);
    expect((await api.send('POST', `/api/servers/${server.id}/connect`, {})).status).toBe(200);
    expect(existsSync(marker)).toBe(true);
    expect(await read(api, server.id)).toMatchObject({ state: 'connected' });
    await api.send('POST', `/api/servers/${server.id}/stop`, {});
    expect((await read(api, server.id)).state).not.toBe('connected');
  });

  it('is a draft again when anything of its launch changes, and stays approved otherwise', async () => {
    const { home } = await emptyPlace();
    const api = await openApi();
    const first = config(join(home, 'marker'), { env: { A: 'one' }, cwd: home });
    const changes: object[] = [
      { command: '/bin/true' },
      { args: [] },
      { args: ['--other', ...first.args] },
      { env: { A: 'two' } },
      { env: {} },
      { env: { A: 'one', B: '' } },
      { cwd: '/' },
      { registryUrl: 'http://127.0.0.1:9/' },
    ];
    for (const each of changes) {
      const server = await add(api, first);
      await approve(api, server);
      const same = await change(api, server.id, { name: 'renamed', tags: ['x'], timeout: 5 });
      expect(same).toMatchObject({ state: 'idle', launchHash: server.launchHash });
      const changed = await change(api, server.id, each);
      expect(changed.state, JSON.stringify(each)).toBe('draft');
      expect(changed.launchHash).not.toBe(server.launchHash);
      expect(await errorOf(await approve(api, server))).toMatchObject({ code: 'launch_changed' });
      const connect = await api.send('POST', `/api/servers/${server.id}/connect`, {});
      expect(await errorOf(connect)).toMatchObject({ code: 'server_not_approved' });
      await api.send('DELETE', `/api/servers/${server.id}`);
    }
    expect(existsSync(join(home, 'marker'))).toBe(false);
  });

  it('needs no new approval when a change is taken back', async () => {
    const { home } = await emptyPlace();
    const api = await openApi();
    const first = config(join(home, 'marker'));
    const server = await add(api, first);
    await approve(api, server);
    expect(await change(api, server.id, { args: [] })).toMatchObject({ state: 'draft' });
    expect(await change(api, server.id, first)).toMatchObject({
      state: 'idle',
      launchHash: server.launchHash,
    });
  });

  it('is stopped when it becomes a draft again', async () => {
    const { home } = await emptyPlace();
    const api = await openApi();
    const server = await add(api, config(join(home, 'marker')));
    await approve(api, server);
    await api.send('POST', `/api/servers/${server.id}/connect`, {});
    expect(await change(api, server.id, { env: { A: 'b' } })).toMatchObject({ state: 'draft' });
    const call = await api.send('POST', `/api/servers/${server.id}/tools/echo/call`, {});
    expect(await errorOf(call)).toMatchObject({ code: 'server_not_approved' });
  });

  it('keeps its approval across a restart, but not a changed launch', async () => {
    const place = await emptyPlace();
    const before = await openApi({ place });
    const approved = await add(before, config(join(place.home, 'one')));
    const changed = await add(before, config(join(place.home, 'two')));
    await approve(before, approved);
    await approve(before, changed);
    await change(before, changed.id, { args: [] });
    await before.close();
    const after = await openApi({ place });
    expect(await read(after, approved.id)).toMatchObject({ state: 'idle' });
    expect(await read(after, changed.id)).toMatchObject({ state: 'draft' });
  });
});

describe('the secrets of a server or a vendor', () => {
  const canaries = ['canary-env-7f3a', 'canary-header-9c1b', 'canary-key-e2d4', 'canary-changed-1'];

  /** Every answer that shows a server or a vendor. */
  async function everything(api: TestApi, ids: string[]): Promise<string> {
    const paths = ['/api/servers', '/api/providers', '/api/settings', '/api/models'];
    for (const id of ids) paths.push(`/api/servers/${id}`, `/api/servers/${id}/logs`);
    const texts = await Promise.all(
      paths.map(async (path) => (await api.send('GET', path)).text()),
    );
    return texts.join('\n');
  }

  async function filesOf(home: string): Promise<string> {
    const names = (await readdir(home)).filter((name) => name.startsWith('cerise'));
    const contents = await Promise.all(names.map((name) => readFile(join(home, name), 'latin1')));
    return contents.join('\n');
  }

  it('are never read back, and are not in the database in clear', async () => {
    const place = await emptyPlace();
    const api = await openApi({ place });
    const [env = '', header = '', key = '', changed = ''] = canaries;
    const stdio = await add(api, config(join(place.home, 'm'), { env: { SECRET: env, B: 'x' } }));
    const http = await add(api, {
      type: 'streamableHttp',
      name: 'remote',
      baseUrl: 'http://127.0.0.1:9/mcp',
      headers: { authorization: header },
    });
    const provider = await api.json<{ id: string; hasKey: boolean }>('POST', '/api/providers', {
      name: 'vendor',
      baseUrl: 'http://127.0.0.1:9/v1',
      apiKey: key,
    });
    expect(stdio.config).toMatchObject({ env: { SECRET: '•••', B: '•••' } });
    expect(http.config).toMatchObject({ headers: { authorization: '•••' } });
    expect(provider).toMatchObject({ hasKey: true });
    await change(api, stdio.id, { env: { SECRET: changed } });
    const files = await filesOf(place.home);
    expect(files).toContain('remote');
    const said = await everything(api, [stdio.id, http.id]);
    for (const canary of canaries) {
      expect(said).not.toContain(canary);
      expect(files).not.toContain(canary);
    }
    await api.close();
    expect(canaries.filter((canary) => files.includes(canary))).toEqual([]);
  });

  it('G7: shows the variables that decide what runs to whoever approves it, and to nobody else', async () => {
    const api = await openApi();
    const env = {
      NODE_OPTIONS: '--import data:,evil()',
      npm_config_registry: 'https://a:pw@r.test',
    };
    const entry = { command: 'node', args: ['server.js'], env: { ...env, KEY: 'hidden-value' } };
    const text = JSON.stringify({ mcpServers: { tool: entry } });
    const shown = { ...env, npm_config_registry: 'https://•••@r.test', KEY: '•••' };
    const load = (body: object) => api.json<ImportView>('POST', '/api/servers/import', body);
    const tried = await load({ text, dryRun: true });
    expect(tried.entries[0]?.config).toMatchObject({ env: shown });
    const { entries } = await load({ text });
    const server = entries[0]?.server;
    expect(server).toMatchObject({ state: 'draft', config: { env: shown } });
    const same = await change(api, server?.id ?? '', { env: shown });
    expect(same.launchHash).toBe(server?.launchHash);
    const other = { ...entry, env: { ...entry.env, NODE_OPTIONS: '--import data:,other()' } };
    const again = await load({
      text: JSON.stringify({ mcpServers: { tool: other } }),
      dryRun: true,
    });
    expect(again.entries[0]).toMatchObject({ exists: false });
    const scopes = ['chat'];
    const { key } = await api.json<{ key: string }>('POST', '/api/keys', { name: 'k', scopes });
    const headers = { authorization: `Bearer ${key}` };
    const read = await api.send('GET', `/api/servers/${server?.id}`, undefined, headers);
    expect(await read.text()).not.toContain('evil');
  });

  it('stay as they are when they are sent back as they were shown', async () => {
    const { home } = await emptyPlace();
    const api = await openApi();
    const env = { KEPT: 'kept-value', CHANGED: 'old' };
    const server = await add(api, config(join(home, 'marker'), { env }));
    const kept = await change(api, server.id, { env: { KEPT: '•••', CHANGED: '•••' } });
    expect(kept.launchHash).toBe(server.launchHash);
    const changed = await change(api, server.id, { env: { KEPT: '•••', CHANGED: 'new' } });
    expect(changed.launchHash).not.toBe(server.launchHash);
    await approve(api, changed);
    const path = `/api/servers/${server.id}/tools/environment/call`;
    const call = await api.json<{ toolCallId: string; argsHash: string }>('POST', path, {});
    await api.send('POST', `/api/tool-calls/${call.toolCallId}/decision`, {
      decision: 'approve',
      argsHash: call.argsHash,
    });
    await expect
      .poll(() => api.json<{ state: string }>('GET', `/api/tool-calls/${call.toolCallId}`))
      .toMatchObject({ state: 'succeeded' });
    const done = await api.json<object>('GET', `/api/tool-calls/${call.toolCallId}`);
    const seen = JSON.stringify(done);
    expect(seen).toContain('kept-value');
    expect(seen).toContain('new');
    expect(seen).not.toContain('•••');
  });

  it('keep a vendor’s key unless another is given, and lose it with an empty one', async () => {
    const api = await openApi();
    const body = { name: 'vendor', baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'k' };
    const { id } = await api.json<{ id: string }>('POST', '/api/providers', body);
    const update = (change: object) => api.json('PATCH', `/api/providers/${id}`, change);
    expect(await update({ models: ['a'] })).toMatchObject({ hasKey: true });
    expect(await update({ apiKey: '' })).toMatchObject({ hasKey: false });
  });
});

describe('a key in the address of a server', () => {
  it('is never read back, is kept where it comes back hidden, and does not move elsewhere', async () => {
    const api = await openApi();
    const address = (key: string) => `https://far.example/mcp?toolsets=a&apiKey=${key}`;
    const body = {
      type: 'streamableHttp',
      name: 'far',
      baseUrl: address('canary-1'),
      disabled: true,
    };
    const { id, config: shown } = await add(api, body);
    expect(shown).toMatchObject({ baseUrl: address('•••') });
    await change(api, id, { baseUrl: address('•••'), description: 'as it was' });
    const stored = api.host.servers.managed('local', id).config;
    expect(stored).toMatchObject({ baseUrl: address('canary-1'), description: 'as it was' });
    const moved = { baseUrl: address('•••').replace('far.example', 'evil.example') };
    expect(await errorOf(await api.send('PATCH', `/api/servers/${id}`, moved))).toMatchObject({
      code: 'invalid_server',
      message: expect.stringContaining('baseUrl.apiKey'),
    });
    const text = await (await api.send('GET', '/api/servers/export?format=vscode')).text();
    expect(text).toContain('apiKey=${input:far.apiKey}');
    expect(text).not.toContain('canary');
  });
});

describe('what a server does', () => {
  const unreachable = { type: 'streamableHttp', name: 'away', baseUrl: 'http://127.0.0.1:9/mcp' };

  it('is told with the code of its reason, so that a page can say it in any language', async () => {
    const api = await openApi();
    const { id } = await add(api, unreachable);
    await api.send('POST', `/api/servers/${id}/connect`, {});
    const known = { reason: expect.any(String), reasonCode: 'connection_refused' };
    expect(await read(api, id)).toMatchObject(known);
    expect(await api.json('GET', `/api/servers/${id}/status`)).toMatchObject(known);
  });

  it('is not begun anew by people it is only shared with once it was given up', async () => {
    const api = await openApi();
    const server = await add(api, { type: 'stdio', name: 'gone', command: '/nonexistent/command' });
    await approve(api, server);
    const connect = (who: Pick<TestApi, 'send'>) =>
      who.send('POST', `/api/servers/${server.id}/connect`, {});
    expect(await errorOf(await connect(api))).toMatchObject({ code: 'command_not_found' });
    expect(await read(api, server.id)).toMatchObject({ state: 'failed', shared: true });
    const ana = await addPerson(api, 'Ana');
    expect(await errorOf(await connect(ana))).toMatchObject({ status: 403, code: 'admin_only' });
    expect(await errorOf(await connect(api))).toMatchObject({ code: 'command_not_found' });
  });

  it.each([true, false])('is told when it is removed (shared: %s)', async (shared) => {
    const api = await openApi();
    const { id } = await add(api, { ...unreachable, shared });
    const ana = await addPerson(api, 'Ana');
    const stream = await (shared ? ana : api).send('GET', '/api/events');
    await api.send('DELETE', `/api/servers/${id}`);
    await readFrames(stream, ({ event }) => {
      const { type, serverId } = (event ?? {}) as { type?: string; serverId?: string };
      return type === 'server-removed' && serverId === id;
    });
  });

  it.each([true, false])(
    'is told as it is logged, without the lines (shared: %s)',
    async (shared) => {
      const api = await openApi();
      const { id } = await add(api, { ...unreachable, shared });
      const stream = await api.send('GET', '/api/events');
      await api.send('POST', `/api/servers/${id}/connect`, {});
      const news: unknown[] = [];
      await readFrames(stream, ({ event }) => {
        if ((event as { type?: string } | undefined)?.type !== 'server-logged') return false;
        news.push(event);
        return true;
      });
      expect(news).toEqual([{ type: 'server-logged', serverId: id }]);
      const { lines } = await api.json<{ lines: string[] }>('GET', `/api/servers/${id}/logs`);
      expect(lines.length).toBeGreaterThan(0);
    },
  );
});
