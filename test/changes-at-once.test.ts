import { describe, expect, inject, it, onTestFinished } from 'vitest';
import type { Host, HostOptions } from '#chat/host/host.ts';
import type { ServerView } from '#shared/api/api.ts';
import type { ServerConfig } from '#shared/vocabulary/server.ts';
import type { StoreOptions } from '#store/open-store.ts';
import { describeEachDatabase, temporaryDatabase } from './databases.ts';
import { ScriptedModel } from './fakes/scripted-model.ts';
import { holdNextReading } from './fixtures/held-store.ts';
import { openApi } from './fixtures/http.ts';
import { ask, openHost, owner, watch } from './host.ts';

const assistant = {
  name: 'A',
  systemPrompt: '',
  parameters: {},
  mcp: { enabled: true, mode: 'auto' as const, selectedServers: [] },
};
const url = inject('postgresUrl');

async function open(place: StoreOptions, options?: Partial<HostOptions>): Promise<Host> {
  const host = await openHost(place, options);
  onTestFinished(() => host.close());
  return host;
}

/** Changes of different parts of one thing, all at once: each of them holds afterwards. */
async function changeAtOnce([a, b]: readonly [Host, Host]) {
  const { id } = await a.servers.add(owner, { name: 's', baseUrl: 'https://server.test/mcp' });
  await expect.poll(() => b.servers.list(owner).some((each) => each.id === id)).toBe(true);
  const made = await a.assistants.create(owner, assistant);
  const provider = await a.providers.create(owner, {
    name: 'p',
    baseUrl: 'https://vendor.test/v1',
    models: ['m'],
  });
  await Promise.all([
    a.servers.update(owner, id, { name: 'renamed' }),
    b.servers.update(owner, id, { disabledTools: { t: true } }),
    a.servers.update(owner, id, { disabledTools: { u: true } }),
    a.servers.update(owner, id, { timeout: 7 }),
    b.servers.update(owner, id, { description: 'words' }),
    a.assistants.update(owner, made.id, { name: 'B' }),
    b.assistants.update(owner, made.id, { systemPrompt: 'Be kind.' }),
    a.assistants.update(owner, made.id, { model: 'demo/scripted' }),
    b.providers.update(owner, provider.id, { hidden: { m: true } }),
    a.providers.update(owner, provider.id, { hidden: { n: true, o: false } }),
    a.providers.update(owner, provider.id, { prices: { m: { input: 1, output: 2 } } }),
    b.providers.update(owner, provider.id, { prices: { n: { input: 3, output: 4 } } }),
  ]);
  return { id, made, provider };
}

async function expectAll(
  host: Host,
  { id, made, provider }: Awaited<ReturnType<typeof changeAtOnce>>,
) {
  const all = { name: 'renamed', disabledTools: ['t', 'u'], timeout: 7, description: 'words' };
  const config = async () => {
    const { disabledTools, ...rest } = host.servers.get(owner, id).config as ServerConfig;
    return { ...rest, disabledTools: disabledTools?.toSorted() };
  };
  await expect.poll(config).toMatchObject(all);
  const assistants = await host.assistants.list(owner);
  expect(assistants.find((each) => each.id === made.id)).toMatchObject({
    name: 'B',
    systemPrompt: 'Be kind.',
    model: 'demo/scripted',
  });
  const providers = await host.providers.list(owner);
  const found = providers.find((each) => each.id === provider.id);
  expect({ ...found, hidden: found?.hidden.toSorted() }).toMatchObject({
    hidden: ['m', 'n'],
    prices: { m: { input: 1, output: 2 }, n: { input: 3, output: 4 } },
  });
}

describe('changes at once', () => {
  describeEachDatabase((_open, fresh, dialect) => {
    it('leave a conversation that is looked at with the default assistant, once its own is gone', async () => {
      const model = new ScriptedModel();
      const host = await open(await fresh(), { models: { 'test/scripted': model } });
      await host.assistants.update(owner, 'default', { systemPrompt: 'Be the default.' });
      const { id: assistantId } = await host.assistants.create(owner, assistant);
      const chosen = { assistantId, model: 'test/scripted' };
      const topic = await host.topics.create(owner, chosen);
      const viewer = await watch(host, topic.id);
      await ask(host, topic.id, 'Hello');
      await host.assistants.delete(owner, assistantId);
      await ask(host, topic.id, 'Hello again');
      viewer.close();
      expect(model.requests.map(({ system }) => system)).toEqual([
        expect.not.stringContaining('Be the default.'),
        expect.stringContaining('Be the default.'),
      ]);
    });

    // On SQLite writers wait for each other anyway.
    if (dialect === 'postgres')
      it('are refused of an assistant that goes meanwhile', async () => {
        const host = await open(await fresh());
        const { id } = await host.assistants.create(owner, assistant);
        const held = holdNextReading(host.store, 'assistants');
        const changing = host.assistants.update(owner, id, { name: 'late' });
        const refused = expect(changing).rejects.toMatchObject({ code: 'assistant_not_found' });
        await held.reached;
        await host.assistants.delete(owner, id);
        held.letGo();
        await refused;
      });

    it('undo none of each other', async () => {
      const host = await open(await fresh());
      await expectAll(host, await changeAtOnce([host, host]));
    });

    it('give a name to one of two', async () => {
      const host = await open(await fresh());
      const fields = { name: 'p', baseUrl: 'https://vendor.test/v1', models: ['m'] };
      const made = await Promise.allSettled(
        Array.from({ length: 5 }, () => host.providers.create(owner, fields)),
      );
      expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const each of made)
        if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'conflict' });
    });
  });

  describe.skipIf(url === null)('on two hosts', () => {
    async function freshSchema(): Promise<StoreOptions> {
      const cleanups: (() => Promise<unknown>)[] = [];
      const place = await temporaryDatabase(url ?? '', cleanups);
      onTestFinished(async () => {
        for (const cleanup of cleanups.toReversed()) await cleanup();
      });
      return place;
    }

    async function pair(): Promise<readonly [Host, Host]> {
      const place = await freshSchema();
      return [await open(place), await open(place)];
    }

    it('undo none of each other, and hold on both', async () => {
      const [a, b] = await pair();
      const changed = await changeAtOnce([a, b]);
      await expectAll(a, changed);
      await expectAll(b, changed);
    });

    it('are seen by the next request, whichever host has it', async () => {
      const place = await freshSchema();
      const [a, b] = [await openApi({ place }), await openApi({ place })];
      for (let n = 0; n < 10; n += 1) {
        const server = { name: `s${n}`, baseUrl: 'https://server.test/mcp' };
        const { id } = await a.json<ServerView>('POST', '/api/servers', server);
        const mcp = { enabled: true, mode: 'manual', selectedServers: [id] };
        await b.json('POST', '/api/topics', { title: 'T', mcp });
        expect(await b.json('PATCH', `/api/servers/${id}`, { name: 'b' })).toMatchObject({ id });
        expect(await a.json('GET', `/api/servers/${id}`)).toMatchObject({ name: 'b' });
        await b.send('DELETE', `/api/servers/${id}`);
        expect((await a.send('GET', `/api/servers/${id}`)).status).toBe(404);
      }
    });

    it('are refused of what the other has just removed', async () => {
      const [a, b] = await pair();
      const { id } = await a.servers.add(owner, { name: 's', baseUrl: 'https://server.test/mcp' });
      await expect.poll(() => b.servers.list(owner).some((each) => each.id === id)).toBe(true);
      const removing = a.servers.remove(owner, id);
      const late = await Promise.allSettled([
        removing.then(() => b.servers.update(owner, id, { name: 'late' })),
        removing.then(() => b.servers.remove(owner, id)),
      ]);
      for (const each of late) expect(each).toMatchObject({ reason: { code: 'server_not_found' } });
    });
  });
});
