// Starts processes.
import { describe, expect, it } from 'vitest';
import type {
  InstalledEntry,
  RegistryList,
  RegistrySearch,
  VersionList,
} from '#shared/api/registry-api.ts';
import { listed, npm, serverRegistry } from '../../../../test/fakes/server-registry.ts';
import { errorOf, openApi, type TestApi } from '../../../../test/fixtures/http.ts';
import { addPerson } from '../../../../test/fixtures/people.ts';

const use = (api: TestApi, urls: Record<string, string>) =>
  api.json<RegistryList>('PUT', '/api/registry', {
    registries: Object.entries(urls).map(([id, url]) => ({ id, name: id, url })),
  });
const search = (api: Pick<TestApi, 'json'>, words: string) =>
  api.json<RegistrySearch>('GET', `/api/registry/servers?search=${encodeURIComponent(words)}`);
const check = (api: TestApi) => api.json<RegistryList>('POST', '/api/registry/check', {});

describe('the catalogue', () => {
  it('asks a registry only when told to check, and answers from the copy when it is gone', async () => {
    const { url, asked, state } = await serverRegistry(
      Array.from({ length: 250 }, (_, at) => listed(`io.test/server-${at}`)),
    );
    const api = await openApi();
    await use(api, { own: url });
    expect((await search(api, 'server-249')).total).toBe(0);
    expect(asked).toHaveLength(0);
    const { registries } = await check(api);
    expect(registries[1]).toMatchObject({ id: 'own', count: 250 });
    expect(asked).toHaveLength(3);
    state.answer = () => 'no JSON';
    const after = await check(api);
    expect(after.registries[1]).toMatchObject({ count: 250, error: { code: 'http_error' } });
    expect((await search(api, 'server-249')).entries[0]?.name).toBe('io.test/server-249');
    expect(asked).toHaveLength(4);
  });

  it('shows what the latest check brought', async () => {
    const { url, state } = await serverRegistry([listed('io.test/first')]);
    const api = await openApi();
    await use(api, { own: url });
    await check(api);
    expect((await search(api, 'io.test')).entries).toMatchObject([{ name: 'io.test/first' }]);
    state.all = [listed('io.test/second')];
    await check(api);
    expect((await search(api, 'io.test')).entries).toMatchObject([{ name: 'io.test/second' }]);
  });

  it('keeps nothing that a check brought from an address that an admin has replaced', async () => {
    const before = await serverRegistry([listed('io.test/before')]);
    const held = Promise.withResolvers<void>();
    before.state.hold = held.promise;
    const api = await openApi();
    await use(api, { own: before.url });
    const checking = check(api);
    await expect.poll(() => before.asked).toHaveLength(1);
    const after = await serverRegistry([]);
    await use(api, { own: after.url });
    held.resolve();
    const [, own] = (await checking).registries;
    expect(own).toMatchObject({ url: after.url, count: 0 });
    expect(own).not.toHaveProperty('checkedAt');
    expect((await search(api, 'io.test')).total).toBe(0);
  });

  it('lets no bad registry spoil another', async () => {
    const good = await serverRegistry([listed('io.test/good')]);
    const loop = await serverRegistry([], () =>
      JSON.stringify({ servers: [], metadata: { nextCursor: 'same' } }),
    );
    const api = await openApi();
    const crowd = JSON.stringify(Array.from({ length: 100_001 }, () => ({})));
    const crowded = await serverRegistry([], () => `{"servers":[],"metadata":{"a":${crowd}}}`);
    await use(api, {
      good: good.url,
      loop: loop.url,
      gone: 'http://127.0.0.1:9',
      crowded: crowded.url,
    });
    const [, one, two, three, four] = (await check(api)).registries;
    expect(four?.error?.messageSaid?.id).toBe('registry-unreadable');
    expect(one).toMatchObject({ count: 1 });
    expect(one?.error).toBeUndefined();
    expect(two?.error?.messageSaid?.id).toBe('registry-repeats');
    expect(loop.asked).toHaveLength(2);
    expect(three?.error).toBeDefined();
  });

  it('goes on with a check while anyone waits for it, and ends it when nobody does', async () => {
    const slow = await serverRegistry([listed('io.test/slow')]);
    const api = await openApi();
    await use(api, { slow: slow.url });
    const held = Promise.withResolvers<void>();
    slow.state.hold = held.promise;
    const first = new AbortController();
    const left = api.host.catalogue.registries.check({ registry: 'slow' }, first.signal);
    const stays = check(api);
    await expect.poll(() => slow.asked).toHaveLength(1);
    first.abort();
    await expect(left).rejects.toThrow();
    held.resolve();
    expect((await stays).registries[1]).toMatchObject({ count: 1 });
    slow.state.hold = new Promise(() => undefined);
    const last = new AbortController();
    const alone = api.host.catalogue.registries.check({ registry: 'slow' }, last.signal);
    await expect.poll(() => slow.asked).toHaveLength(2);
    last.abort();
    await expect(alone).rejects.toThrow();
    await expect.poll(slow.closed).toBe(1);
  });

  it('T17: follows no redirect of a registry to another private address', async () => {
    const target = await serverRegistry([listed('io.test/secret')]);
    const from = await serverRegistry([]);
    from.state.redirect = `${target.url}/v0.1/servers`;
    const api = await openApi();
    await use(api, { own: from.url });
    const [, own] = (await check(api)).registries;
    expect(own?.error?.code).toBe('address_blocked');
    expect([from.asked.length, target.asked.length]).toEqual([1, 0]);
  });

  it('T81: reads a copy once for all who ask, and gives others their turn after each page', async () => {
    const { url } = await serverRegistry(
      Array.from({ length: 1000 }, (_, at) => listed(`io.test/server-${at}`)),
    );
    const api = await openApi();
    await use(api, { own: url });
    await check(api);
    const { registries } = api.host.catalogue;
    let turns = 0;
    const turn = () => {
      turns += 1;
      next = setImmediate(turn);
    };
    let next = setImmediate(turn);
    const [one, other] = await Promise.all([registries.entries('own'), registries.entries('own')]);
    clearImmediate(next);
    expect(one).toHaveLength(1000);
    expect(one[999]).toBe(other[999]);
    expect(turns).toBeGreaterThanOrEqual(9);
  });

  it('T98: takes no more than 100 MiB of a registry', async () => {
    const { url, state } = await serverRegistry([]);
    let pages = 0;
    state.answer = () => {
      pages += 1;
      const page = { servers: [], metadata: { nextCursor: String(pages) } };
      return `${JSON.stringify(page)}${' '.repeat(5_000_000)}`;
    };
    const api = await openApi();
    await use(api, { own: url });
    const { registries } = await check(api);
    expect(registries[1]?.error?.code).toBe('result_too_large');
    expect(pages).toBe(21);
  });

  it('T98: fetches no address that an entry names, whatever is looked at', async () => {
    const canary = await serverRegistry([]);
    const address = (path: string) => `${canary.url}/${path}`;
    const { url, state } = await serverRegistry([
      listed('io.test/one', {
        websiteUrl: address('website'),
        repository: { url: address('repository') },
        icons: [{ src: address('icon.png'), mimeType: 'image/png' }],
        packages: [
          npm('x', { registryBaseUrl: address('npm') }),
          { registryType: 'mcpb', identifier: address('x.mcpb'), fileSha256: 'a'.repeat(64) },
        ],
        remotes: [{ type: 'streamable-http', url: address('mcp') }],
      }),
    ]);
    const api = await openApi();
    await use(api, { own: url });
    await check(api);
    await search(api, 'one');
    const entry = { registry: 'own', name: 'io.test/one' };
    await api.json('POST', '/api/registry/versions', entry);
    const body = { ...entry, version: '1.0.0' };
    const dry = await api.json<InstalledEntry>('POST', '/api/registry/install', {
      ...body,
      dryRun: true,
    });
    expect(dry.entries).toHaveLength(3);
    await api.json('POST', '/api/registry/install', { ...body, only: ['packages[0]'] });
    await api.json('GET', '/api/registry/updates');
    // A plain user reaches no private address by an entry, and the bundle is not fetched from one.
    const anna = await addPerson(api, 'Anna');
    const only = { ...body, only: ['remotes[0]'] };
    const refused = await anna.json<InstalledEntry>('POST', '/api/registry/install', only);
    expect(refused.entries[0]?.error?.code).toBe('address_blocked');
    const fetched = await api.send('POST', '/api/bundles/fetch', { url: address('x.mcpb') });
    expect((await errorOf(fetched)).code).toBe('address_blocked');
    // Nor does the registry lead there.
    state.redirect = address('versions');
    const led = await api.send('POST', '/api/registry/versions', entry);
    expect((await errorOf(led)).code).toBe('address_blocked');
    expect(canary.asked).toEqual([]);
  });

  it('leaves out what is deleted, old, disguised, huge or an option in the place of a package', async () => {
    const { url } = await serverRegistry([
      listed('io.test/deleted', {}, { status: 'deleted' }),
      listed('io.test/old', {}, { isLatest: false }),
      listed('io.test/\u202Edesrever'),
      listed('io.test/huge', { extra: 'x'.repeat(200_000) }),
      listed('io.test/option', { packages: [npm('-c', { version: undefined })] }),
      listed('io.test/deprecated', {}, { status: 'deprecated' }),
      listed('io.test/kept', {
        description: 'a\u202Eb',
        packages: [npm('pkg', { runtimeHint: 'sh', packageArguments: [{ value: '; rm -rf /' }] })],
      }),
    ]);
    const api = await openApi();
    await use(api, { own: url });
    await check(api);
    const { entries } = await search(api, 'io.test');
    expect(entries.map(({ name, status }) => [name, status])).toEqual([
      ['io.test/kept', 'active'],
      ['io.test/deprecated', 'deprecated'],
    ]);
    expect(entries[0]?.description).toBe('ab');
    const body = { registry: 'own', name: 'io.test/kept', version: '1.0.0' };
    const done = await api.json<InstalledEntry>('POST', '/api/registry/install', body);
    expect(done.entries[0]?.server).toMatchObject({
      state: 'draft',
      config: { command: 'npx', args: ['-y', 'pkg@1.0.0', '; rm -rf /'] },
    });
  });

  it('reads versions of an entry from its registry when asked, and installs the chosen one', async () => {
    const old = { version: '0.9.0', packages: [npm('x', { version: '0.9.0' })] };
    const registry = await serverRegistry([
      listed('io.test/one', old, { isLatest: false, publishedAt: '2026-01-01T00:00:00Z' }),
      listed(
        'io.test/one',
        { version: '0.8.0' },
        { isLatest: false, status: 'deprecated', statusMessage: 'Use\u202E 1.0' },
      ),
      listed('io.test/one', { version: '0.7.0' }, { isLatest: false, status: 'deleted' }),
      listed('io.test/one'),
    ]);
    const api = await openApi();
    await use(api, { own: registry.url });
    await check(api);
    const count = registry.asked.length;
    expect((await search(api, 'io.test')).entries.map(({ version }) => version)).toEqual(['1.0.0']);
    expect(registry.asked).toHaveLength(count);
    const entry = { registry: 'own', name: 'io.test/one' };
    const { versions } = await api.json<VersionList>('POST', '/api/registry/versions', entry);
    expect(
      versions.map(({ version, status, statusMessage }) => [version, status, statusMessage]),
    ).toEqual([
      ['1.0.0', 'active', undefined],
      ['0.9.0', 'active', undefined],
      ['0.8.0', 'deprecated', 'Use 1.0'],
    ]);
    expect(registry.asked).toHaveLength(count + 1);
    const done = await api.json<InstalledEntry>('POST', '/api/registry/install', {
      ...entry,
      version: '0.9.0',
    });
    expect(done.entries[0]?.server).toMatchObject({
      state: 'draft',
      installedFrom: { ...entry, version: '0.9.0', place: 'packages[0]' },
      config: { args: ['-y', 'x@0.9.0'] },
    });
    expect(registry.asked).toHaveLength(count + 1);
    const gone = await api.send('POST', '/api/registry/install', { ...entry, version: '3.0.0' });
    expect((await errorOf(gone)).status).toBe(409);
    const none = { ...entry, name: 'io.test/none' };
    const missing = await api.send('POST', '/api/registry/versions', none);
    expect((await errorOf(missing)).status).toBe(404);
  });

  it('takes JSON files as registries, by their URL and by their text', async () => {
    const { url, asked } = await serverRegistry([listed('io.test/by-url')]);
    const api = await openApi();
    const file = JSON.stringify([
      listed('io.test/by-text', { version: '2.0.0' }).server,
      listed('io.test/by-text').server,
    ]);
    const registries = [
      { id: 'far', name: 'Far', url: `${url}/servers.json` },
      { id: 'near', name: 'Near', file },
    ];
    const set = await api.json<RegistryList>('PUT', '/api/registry', { registries });
    expect(set.registries[2]).toMatchObject({ id: 'near', count: 2 });
    expect(asked).toHaveLength(0);
    await check(api);
    expect(asked).toEqual(['/servers.json']);
    const found = (await search(api, 'io.test')).entries;
    expect(found.map(({ registry, version }) => [registry, version])).toEqual([
      ['far', '1.0.0'],
      ['near', '2.0.0'],
    ]);
    const entry = { registry: 'near', name: 'io.test/by-text' };
    const { versions } = await api.json<VersionList>('POST', '/api/registry/versions', entry);
    expect(versions.map(({ version }) => version)).toEqual(['2.0.0', '1.0.0']);
    expect(asked).toHaveLength(1);
    // Without a text it stays as it is.
    await api.json('PUT', '/api/registry', { registries: [{ id: 'near', name: 'Other' }] });
    expect((await search(api, 'by-text')).total).toBe(1);
    for (const wrong of [{ file: 'no JSON' }, { file: '{}' }, {}]) {
      const body = { registries: [{ id: 'wrong', name: 'Wrong', ...wrong }] };
      expect((await api.send('PUT', '/api/registry', body)).status).toBeGreaterThanOrEqual(400);
    }
  });

  it('asks only registries that were not asked for a while, where somebody only looks', async () => {
    const { url, asked } = await serverRegistry([listed('io.test/one')]);
    let time = 1_000_000_000_000;
    const api = await openApi({ now: () => time });
    await use(api, { own: url });
    const look = () => api.json<RegistryList>('POST', '/api/registry/check', { stale: true });
    expect((await look()).registries[1]).toMatchObject({ count: 1, checkedAt: time });
    await look();
    const anna = await addPerson(api, 'Anna');
    await anna.json('POST', '/api/registry/check', {});
    expect(asked).toHaveLength(1);
    time += 25 * 3600_000;
    await look();
    expect(asked).toHaveLength(2);
  });

  it('T01: adds no command for a plain user, who cannot set registries either', async () => {
    const api = await openApi();
    const anna = await addPerson(api, 'Anna');
    const [first] = (await search(anna, 'memory')).entries;
    const { registry, name, version } = first ?? {};
    const body = { registry, name, version };
    const done = await anna.json<InstalledEntry>('POST', '/api/registry/install', body);
    expect(done.entries[0]).toMatchObject({ error: { code: 'admin_only' } });
    expect(done.entries[0]?.server).toBeUndefined();
    const set = await anna.send('PUT', '/api/registry', { registries: [] });
    expect((await errorOf(set)).status).toBe(403);
  });

  it('finds among 10,000 entries what has every word, names first', async () => {
    const { url } = await serverRegistry(
      Array.from({ length: 10_000 }, (_, at) => listed(`io.test/server-${at}`)),
    );
    const api = await openApi();
    await use(api, { own: url });
    await check(api);
    await search(api, 'warm');
    const { entries, total } = await search(api, 'io.test server-77');
    expect(entries[0]?.name).toBe('io.test/server-77');
    expect(total).toBe(111);
  });
});
