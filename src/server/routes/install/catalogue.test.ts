// Starts processes.
import { describe, expect, it } from 'vitest';
import type { ServerView } from '#shared/api/api.ts';
import type {
  InstalledEntry,
  InstallRequests,
  InstallRequestView,
  RegistryList,
  ServerUpdates,
  UpdatedEntry,
} from '#shared/api/registry-api.ts';
import { describeEachDatabase } from '../../../../test/databases.ts';
import { listed, npm, serverRegistry } from '../../../../test/fakes/server-registry.ts';
import { errorOf, openApi, type TestApi } from '../../../../test/fixtures/http.ts';
import { addPerson, type Person } from '../../../../test/fixtures/people.ts';

const local = (version: string, more: object = {}) =>
  listed('io.test/local', {
    version,
    packages: [
      npm('local', { version, environmentVariables: [{ name: 'KEY', isSecret: true }], ...more }),
    ],
  });
const remote = (version: string, url = 'https://mcp.example.com/one') =>
  listed('io.test/remote', { version, packages: [], remotes: [{ type: 'streamable-http', url }] });

/** A host whose one registry has been checked. */
async function openCatalogue(all = [local('1.0.0'), remote('1.0.0')], options = {}) {
  const registry = await serverRegistry(all);
  const api = await openApi(options);
  const registries = [{ id: 'own', name: 'Own', url: registry.url }];
  await api.json('PUT', '/api/registry', { registries });
  const check = () => api.json<RegistryList>('POST', '/api/registry/check', {});
  await check();
  return { api, registry, check };
}

const entryOf = (name: string, version = '1.0.0') => ({
  registry: 'own',
  name: `io.test/${name}`,
  version,
});
const install = (who: Pick<TestApi, 'json'>, name: string, more: object = {}) =>
  who.json<InstalledEntry>('POST', '/api/registry/install', { ...entryOf(name), ...more });
const updatesOf = (who: Pick<TestApi, 'json'>) =>
  who.json<ServerUpdates>('GET', '/api/registry/updates');
const requestsOf = async (who: Pick<TestApi, 'json'>) =>
  (await who.json<InstallRequests>('GET', '/api/registry/requests')).requests;
const ask = (who: Person, name: string, more: object = {}) =>
  who.send('POST', '/api/registry/requests', {
    ...entryOf(name),
    place: name === 'local' ? 'packages[0]' : 'remotes[0]',
    ...more,
  });

describe('updates of installed servers', () => {
  it('are shown with their difference, and approved again; nothing happens by itself', async () => {
    const { api, registry, check } = await openCatalogue();
    const answers = { 'input:package0.KEY': 'canary-key' };
    const { entries } = await install(api, 'local', { answers });
    const draft = entries[0]?.server;
    const id = draft?.id ?? '';
    await api.json('POST', `/api/servers/${id}/approve`, { launchHash: draft?.launchHash });
    expect((await updatesOf(api)).updates).toEqual([]);
    registry.state.all = [local('2.0.0', { runtimeArguments: [{ value: '--quiet' }] })];
    const asked = registry.asked.length;
    expect((await updatesOf(api)).updates).toEqual([]);
    expect(registry.asked).toHaveLength(asked);
    await check();
    const { updates } = await updatesOf(api);
    expect(updates).toMatchObject([
      {
        server: id,
        version: '1.0.0',
        entry: { version: '2.0.0' },
        difference: {
          version: { before: '1.0.0', after: '2.0.0' },
          args: { before: ['-y', 'local@1.0.0'], after: ['-y', '--quiet', 'local@2.0.0'] },
          env: { added: [], removed: [], changed: [] },
        },
      },
    ]);
    const before = await api.json<ServerView>('GET', `/api/servers/${id}`);
    expect(before).toMatchObject({ state: 'idle', config: { args: ['-y', 'local@1.0.0'] } });
    const body = { server: id, version: '2.0.0' };
    const dry = await api.json<UpdatedEntry>('POST', '/api/registry/update', {
      ...body,
      dryRun: true,
    });
    expect(dry).toMatchObject({
      questions: [],
      config: { args: ['-y', '--quiet', 'local@2.0.0'] },
    });
    expect(JSON.stringify([dry, updates])).not.toContain('canary');
    expect((await api.json<ServerView>('GET', `/api/servers/${id}`)).state).toBe('idle');
    const { updated } = await api.json<UpdatedEntry>('POST', '/api/registry/update', body);
    expect(updated).toMatchObject({
      state: 'draft',
      installedFrom: { version: '2.0.0' },
      config: { args: ['-y', '--quiet', 'local@2.0.0'], env: { KEY: expect.any(String) } },
    });
    expect(api.host.servers.managed('local', id).config).toMatchObject({
      env: { KEY: 'canary-key' },
    });
    expect((await updatesOf(api)).updates).toEqual([]);
  });

  it('of a remote server are switched off until somebody has seen the new address', async () => {
    const { api, registry, check } = await openCatalogue();
    const { entries } = await install(api, 'remote');
    const id = entries[0]?.server?.id ?? '';
    await api.json('PATCH', `/api/servers/${id}`, { disabled: false, headers: { 'X-Own': 'o' } });
    registry.state.all = [remote('1.1.0', 'https://other.example.com/mcp')];
    await check();
    const [update] = (await updatesOf(api)).updates;
    expect(update?.difference).toMatchObject({
      url: { before: 'https://mcp.example.com/one', after: 'https://other.example.com/mcp' },
      headers: { removed: ['X-Own'] },
    });
    const body = { server: id, version: '1.1.0' };
    const { updated } = await api.json<UpdatedEntry>('POST', '/api/registry/update', body);
    expect(updated).toMatchObject({ state: 'disabled', installedFrom: { version: '1.1.0' } });
  });

  it('are for whoever manages a server, and only for one of the catalogue', async () => {
    const { api, registry, check } = await openCatalogue();
    const { entries } = await install(api, 'local');
    const anna = await addPerson(api, 'Anna');
    registry.state.all = [local('2.0.0')];
    await check();
    expect((await updatesOf(anna)).updates).toEqual([]);
    const body = { server: entries[0]?.server?.id, version: '2.0.0' };
    const refused = await anna.send('POST', '/api/registry/update', body);
    expect((await errorOf(refused)).code).toBe('admin_only');
    const own = { name: 'own', command: 'x' };
    const forged = { ...own, installedFrom: { ...entryOf('local'), place: 'packages[0]' } };
    expect((await api.send('POST', '/api/servers', forged)).status).toBe(400);
    const { id } = await api.json<ServerView>('POST', '/api/servers', own);
    const none = await api.send('POST', '/api/registry/update', { server: id, version: '2.0.0' });
    expect((await errorOf(none)).code).toBe('invalid_server');
  });
});

describe('the list of servers', () => {
  it('says how many tools each has and when it was last used, for each user', async () => {
    const api = await openApi();
    const find = async (who: Pick<TestApi, 'json'>) => {
      const { servers } = await who.json<{ servers: ServerView[] }>('GET', '/api/servers');
      return servers.find(({ id }) => id === 'calculator');
    };
    expect((await find(api))?.toolCount).toBeUndefined();
    const before = Date.now() - 15 * 60_000;
    const { tools } = await api.json<{ tools: { name: string }[] }>(
      'GET',
      '/api/servers/calculator/tools',
    );
    const call = { arguments: { expression: '1+1' }, approve: 'once' };
    await api.send('POST', `/api/servers/calculator/tools/${tools[0]?.name}/call`, call);
    await expect.poll(async () => (await find(api))?.lastUsedAt ?? 0).toBeGreaterThan(before);
    expect((await find(api))?.toolCount).toBe(tools.length);
    const anna = await addPerson(api, 'Anna');
    expect((await find(anna))?.lastUsedAt).toBeUndefined();
  });
});

it('counts the tools of a connected server that nobody has listed', async () => {
  const api = await openApi();
  await api.send('POST', '/api/servers/calculator/restart');
  await expect
    .poll(async () => {
      const { servers } = await api.json<{ servers: ServerView[] }>('GET', '/api/servers');
      return servers.find(({ id }) => id === 'calculator')?.toolCount;
    })
    .toBe(1);
});

describe('a limit of the catalogue', () => {
  it('keeps users to the list, by every way in; admins are not limited', async () => {
    const { api, registry, check } = await openCatalogue();
    const anna = await addPerson(api, 'Anna');
    const before = await install(anna, 'remote');
    expect(before.entries[0]?.server).toMatchObject({ state: 'disabled' });
    const kept = before.entries[0]?.server?.id ?? '';
    await api.json('PUT', '/api/registry', { limit: { registries: [], entries: [] } });
    expect((await anna.json<RegistryList>('GET', '/api/registry')).limit).toBeDefined();
    const url = 'https://mcp.example.com/two';
    const ways = [
      await anna.send('POST', '/api/servers', { name: 'a', url }),
      await anna.send('PATCH', `/api/servers/${kept}`, { baseUrl: url }),
    ];
    for (const way of ways) expect((await errorOf(way)).code).toBe('admin_only');
    const text = JSON.stringify({ mcpServers: { a: { url } } });
    const imported = await anna.json<InstalledEntry>('POST', '/api/servers/import', { text });
    expect(imported.entries[0]?.error?.code).toBe('admin_only');
    const dry = await install(anna, 'remote', { dryRun: true });
    expect(dry).toMatchObject({
      needsAdmin: ['remotes[0]'],
      entries: [{ error: { code: 'admin_only' }, config: { type: 'streamableHttp' } }],
    });
    // What does not lead elsewhere stays theirs to change.
    await anna.json('PATCH', `/api/servers/${kept}`, { name: 'renamed', headers: { A: 'b' } });
    const one = await install(anna, 'remote');
    expect(one.entries[0]).toMatchObject({ error: { code: 'admin_only' } });
    registry.state.all = [remote('2.0.0', url)];
    await check();
    const newer = { server: kept, version: '2.0.0' };
    const update = await anna.send('POST', '/api/registry/update', newer);
    expect((await errorOf(update)).code).toBe('admin_only');
    registry.state.all = [remote('1.0.0')];
    await check();
    const entries = [{ registry: 'own', name: 'io.test/remote' }];
    await api.json('PUT', '/api/registry', { limit: { registries: [], entries } });
    const again = await install(anna, 'remote');
    expect(again.entries[0]?.server).toMatchObject({ state: 'disabled' });
    expect((await api.send('POST', '/api/servers', { name: 'b', url })).status).toBe(201);
    await api.json('PUT', '/api/registry', { limit: null });
    expect((await anna.send('POST', '/api/servers', { name: 'a', url })).status).toBe(201);
    const set = await anna.send('PUT', '/api/registry', { limit: null });
    expect(set.status).toBe(403);
  });
});

describeEachDatabase((_open, fresh, dialect) => {
  describe('requests to install a server', () => {
    it('T01: reach admins without words of the user, and are approved by installing', async () => {
      const { api } = await openCatalogue(undefined, { place: await fresh() });
      const anna = await addPerson(api, 'Anna');
      const dry = await install(anna, 'local', { dryRun: true });
      expect(dry).toMatchObject({
        needsAdmin: ['packages[0]'],
        entries: [{ config: { command: 'npx' }, questions: [] }],
      });
      const smuggled = await ask(anna, 'local', { answers: { 'input:package0.KEY': 'secret' } });
      expect(smuggled.status).toBe(400);
      for (const wrong of [{ name: 'io.test/none' }, { place: 'packages[1]' }, { version: '9' }])
        expect((await ask(anna, 'local', wrong)).status).toBeGreaterThanOrEqual(400);
      expect((await ask(anna, 'local')).status).toBe(201);
      expect((await ask(anna, 'local')).status).toBe(201);
      const [request, ...more] = await requestsOf(api);
      expect(more).toEqual([]);
      expect(request).toMatchObject({ ...entryOf('local'), user: 'Anna', status: 'open' });
      const id = request?.id ?? '';
      const bela = await addPerson(api, 'Bela');
      expect(await requestsOf(bela)).toEqual([]);
      for (const denied of [
        await bela.send('POST', `/api/registry/requests/${id}/deny`),
        await anna.send('POST', `/api/registry/requests/${id}/deny`),
        await bela.send('DELETE', `/api/registry/requests/${id}`),
      ])
        expect([403, 404]).toContain(denied.status);
      const own = await install(anna, 'local', { request: id });
      expect(own.entries[0]).toMatchObject({ error: { code: 'admin_only' } });
      expect((await requestsOf(anna))[0]?.status).toBe('open');
      const [other] = (await install(api, 'remote', { request: id })).entries;
      expect(other).toMatchObject({ exists: false, error: { code: 'not_found' } });
      expect(other).not.toHaveProperty('server');
      expect((await requestsOf(anna))[0]?.status).toBe('open');
      const done = await install(api, 'local', { request: id });
      const server = done.entries[0]?.server;
      expect(server).toMatchObject({ state: 'draft', shared: true });
      expect((await requestsOf(anna))[0]).toMatchObject({ status: 'approved', server: server?.id });
      expect(await requestsOf(api)).toEqual([]);
      const twice = { ...entryOf('local'), request: id };
      expect((await api.send('POST', '/api/registry/install', twice)).status).toBe(404);
      await anna.json('DELETE', `/api/registry/requests/${id}`).catch(() => undefined);
      expect(await requestsOf(anna)).toEqual([]);
      // What everybody can use already is there for whoever asks.
      await ask(anna, 'local');
      const [again] = await requestsOf(api);
      await install(api, 'local', { request: again?.id });
      expect((await requestsOf(anna))[0]).toMatchObject({ status: 'approved', server: server?.id });
    });

    it('are bounded, denied once, and gone with their user', async () => {
      const options = { place: await fresh(), limits: { installRequestsPerOwner: 2 } };
      const names = ['local', 'remote', 'third'];
      const { api } = await openCatalogue(
        [local('1.0.0'), remote('1.0.0'), listed('io.test/third')],
        options,
      );
      const anna = await addPerson(api, 'Anna');
      const asking = names.map((name) =>
        ask(anna, name, name === 'third' ? { place: 'packages[0]' } : {}),
      );
      const statuses = (await Promise.all(asking)).map(({ status }) => status);
      expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 201, 429]);
      const [first] = await requestsOf(api);
      const deny = () => api.send('POST', `/api/registry/requests/${first?.id}/deny`);
      const denied = (await (await deny()).json()) as InstallRequestView;
      expect(denied.status).toBe('denied');
      expect((await deny()).status).toBe(404);
      expect((await requestsOf(anna)).map(({ status }) => status)).toContain('denied');
      const left = names[statuses.indexOf(429)] ?? '';
      expect((await ask(anna, left, left === 'third' ? { place: 'packages[0]' } : {})).status).toBe(
        201,
      );
      expect((await requestsOf(anna)).map(({ status }) => status)).toEqual(['open', 'open']);
      await api.send('DELETE', `/api/users/${anna.id}`);
      expect(await requestsOf(api)).toEqual([]);
    });

    it.skipIf(dialect === 'sqlite')('are decided on another instance', async () => {
      const place = await fresh();
      const { api } = await openCatalogue(undefined, { place });
      const other = await openApi({ place });
      const anna = await addPerson(api, 'Anna');
      await ask(anna, 'local');
      const [request] = await requestsOf(other);
      const done = await install(other, 'local', { request: request?.id });
      expect(done.entries[0]?.server?.installedFrom).toMatchObject({ registry: 'own' });
      expect((await requestsOf(anna))[0]).toMatchObject({ status: 'approved' });
    });
  });
});
