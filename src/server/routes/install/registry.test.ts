import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { InstalledEntry, RegistryList, RegistrySearch } from '#shared/api/registry-api.ts';
import { errorOf, openApi, type TestApi } from '../../../../test/fixtures/http.ts';
import { addPerson } from '../../../../test/fixtures/people.ts';

const official = 'io.modelcontextprotocol.registry/official';
const npm = (identifier: string, more: object = {}) => ({
  registryType: 'npm',
  identifier,
  version: '1.0.0',
  transport: { type: 'stdio' },
  ...more,
});
const listed = (name: string, more: object = {}, meta: object = {}) => ({
  server: { name, description: `About ${name}`, version: '1.0.0', packages: [npm('x')], ...more },
  _meta: { [official]: { status: 'active', isLatest: true, ...meta } },
});

/** A registry that speaks v0.1 of the API; what it says can be replaced, and requests are counted. */
async function registryOf(all: object[], answer?: (cursor: number) => string | undefined) {
  const asked: string[] = [];
  const state: { answer: typeof answer; redirect?: string; hold?: Promise<void> } = { answer };
  let closed = 0;
  const server = createServer((request, response) => void answerTo(request, response));
  const answerTo = async (request: IncomingMessage, response: ServerResponse) => {
    asked.push(request.url ?? '');
    response.on('close', () => (closed += response.writableEnded ? 0 : 1));
    await state.hold;
    const query = new URL(request.url ?? '', 'http://x').searchParams;
    const [start, limit] = [Number(query.get('cursor') ?? 0), Number(query.get('limit'))];
    const next = start + limit;
    const metadata = { ...(next < all.length && { nextCursor: String(next) }) };
    const page = JSON.stringify({ servers: all.slice(start, next), metadata });
    if (state.redirect) return response.writeHead(302, { location: state.redirect }).end();
    response.setHeader('content-type', 'application/json');
    return response.end(state.answer?.(start) ?? page);
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked, state, closed: () => closed };
}

const use = (api: TestApi, urls: Record<string, string>) =>
  api.json<RegistryList>('PUT', '/api/registry', {
    registries: Object.entries(urls).map(([id, url]) => ({ id, name: id, url })),
  });
const search = (api: Pick<TestApi, 'json'>, words: string) =>
  api.json<RegistrySearch>('GET', `/api/registry/servers?search=${encodeURIComponent(words)}`);
const check = (api: TestApi) => api.json<RegistryList>('POST', '/api/registry/check', {});

describe('the catalogue', () => {
  it('has pinned servers without any registry, which become drafts', async () => {
    const api = await openApi();
    const [first] = (await search(api, 'filesystem')).entries;
    expect(first).toMatchObject({ registry: 'picked', title: 'Filesystem', kinds: ['npm'] });
    const { registry, name, version } = first ?? {};
    const body = { registry, name, version };
    const seen = await api.json<InstalledEntry>('POST', '/api/registry/install', {
      ...body,
      dryRun: true,
    });
    const [question] = seen.questions;
    expect(seen.entries[0]?.server).toBeUndefined();
    const answers = { [question?.id ?? '']: '/srv/files' };
    const done = await api.json<InstalledEntry>('POST', '/api/registry/install', {
      ...body,
      answers,
    });
    expect(done.entries[0]?.server).toMatchObject({
      state: 'draft',
      config: { command: 'npx', args: ['-y', `${name}@${version}`, '/srv/files'] },
    });
    const other = await api.send('POST', '/api/registry/install', { ...body, version: '0' });
    expect((await errorOf(other)).status).toBe(409);
  });

  it('asks a registry only when told to check, and answers from the copy when it is gone', async () => {
    const { url, asked, state } = await registryOf(
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

  it('lets no bad registry spoil another', async () => {
    const good = await registryOf([listed('io.test/good')]);
    const loop = await registryOf([], () =>
      JSON.stringify({ servers: [], metadata: { nextCursor: 'same' } }),
    );
    const api = await openApi();
    await use(api, { good: good.url, loop: loop.url, gone: 'http://127.0.0.1:9' });
    const [, one, two, three] = (await check(api)).registries;
    expect(one).toMatchObject({ count: 1 });
    expect(one?.error).toBeUndefined();
    expect(two?.error?.messageSaid?.id).toBe('registry-repeats');
    expect(loop.asked).toHaveLength(2);
    expect(three?.error).toBeDefined();
  });

  it('goes on with a check while anyone waits for it, and ends it when nobody does', async () => {
    const slow = await registryOf([listed('io.test/slow')]);
    const api = await openApi();
    await use(api, { slow: slow.url });
    const held = Promise.withResolvers<void>();
    slow.state.hold = held.promise;
    const first = new AbortController();
    const left = api.host.registry.check('slow', first.signal);
    const stays = check(api);
    await vi.waitFor(() => expect(slow.asked).toHaveLength(1));
    first.abort();
    await expect(left).rejects.toThrow();
    held.resolve();
    expect((await stays).registries[1]).toMatchObject({ count: 1 });
    slow.state.hold = new Promise(() => undefined);
    const last = new AbortController();
    const alone = api.host.registry.check('slow', last.signal);
    await vi.waitFor(() => expect(slow.asked).toHaveLength(2));
    last.abort();
    await expect(alone).rejects.toThrow();
    await vi.waitFor(() => expect(slow.closed()).toBe(1));
  });

  it('T17: follows no redirect of a registry to another private address', async () => {
    const target = await registryOf([listed('io.test/secret')]);
    const from = await registryOf([]);
    from.state.redirect = `${target.url}/v0.1/servers`;
    const api = await openApi();
    await use(api, { own: from.url });
    const [, own] = (await check(api)).registries;
    expect(own?.error?.code).toBe('address_blocked');
    expect([from.asked.length, target.asked.length]).toEqual([1, 0]);
  });

  it('leaves out what is deleted, old, disguised, huge or an option in the place of a package', async () => {
    const { url } = await registryOf([
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
    const { url } = await registryOf(
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
