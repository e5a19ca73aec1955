import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Topic } from '#shared/vocabulary/message.ts';
import { openStore, type StoreOptions } from '#store/open-store.ts';
import { describeEachDatabase } from './databases.ts';
import { calls, ScriptedModel } from './fakes/scripted-model.ts';
import { errorOf, openApi, type TestApi } from './fixtures/http.ts';

const model = 'test/scripted';
const broken = '{"token": sk-canary-4711';

interface Cell {
  table: string;
  column: string;
  value?: string;
  /** The row that has this in the column of this name. */
  where: [column: string, value: string];
}

async function damage(place: StoreOptions, cell: Cell): Promise<void> {
  const { table, column, value = broken, where } = cell;
  const store = await openStore(place);
  const { numAffectedRows } = await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${value}
    where ${sql.ref(where[0])} = ${where[1]}`.execute(store.db);
  expect(numAffectedRows).toBe(1n);
  await store.close();
}

/** Opens the data again after a row was damaged. */
async function reopen(api: TestApi, cell: Cell, options = {}): Promise<TestApi> {
  await api.close();
  await damage(api.place, cell);
  return openApi({ place: api.place, ...options });
}

async function expectSaid(api: TestApi): Promise<void> {
  const { troubles } = await api.json<{ troubles: { code: string }[] }>('GET', '/api/about');
  expect(troubles).toContainEqual(expect.objectContaining({ code: 'data_unreadable' }));
}

const server = (name: string) => ({
  type: 'stdio',
  name,
  command: 'true',
  env: { KEY: `sk-of-${name}` },
});

describeEachDatabase((_open, fresh) => {
  describe('T92: a damaged row keeps nobody from the rest', () => {
    it.each([
      ['a secret', (config: string) => config.replace(/"v1\.[\w-]{4}/, '"v1.AAAA')],
      ['no secret at all', (config: string) => config.replace(/"v1\.[^"]+"/, '"x"')],
      ['another shape', () => '{}'],
      ['no object', () => 'null'],
      ['a type of the future', () => '{"type":"telepathy","name":"lost"}'],
    ])('where a server has %s in it', async (_, change) => {
      const api = await openApi({ place: await fresh() });
      const { id } = await api.json<{ id: string }>('POST', '/api/servers', server('lost'));
      await api.json('POST', '/api/servers', server('other'));
      const { rows } = await sql<{ config: string }>`
        select config from servers where id = ${id}`.execute(api.host.store.db);
      const value = change(rows[0]?.config ?? '');
      expect(value).not.toBe(rows[0]?.config);
      const again = await reopen(api, {
        table: 'servers',
        column: 'config',
        value,
        where: ['id', id],
      });
      const { servers } = await again.json<{ servers: { config: { name: string } }[] }>(
        'GET',
        '/api/servers',
      );
      const names = servers.map(({ config }) => config.name);
      expect(names).toContain('other');
      expect(names).not.toContain('lost');
      await expectSaid(again);
    });

    it.each([
      ['api_key', 'v1.AAAA'],
      ['models', 'null'],
    ])('where %s of a provider is damaged', async (column, value) => {
      const api = await openApi({ place: await fresh() });
      const provider = { baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'sk-x', models: ['m'] };
      const { id } = await api.json<{ id: string }>('POST', '/api/providers', {
        ...provider,
        name: 'lost',
      });
      await api.json('POST', '/api/providers', { ...provider, name: 'other' });
      const cell: Cell = { table: 'providers', column, value, where: ['id', id] };
      const again = await reopen(api, cell);
      for (const path of ['/api/providers', '/api/models']) {
        const response = await again.send('GET', path);
        expect([response.status, await response.text()]).toEqual([
          200,
          expect.stringContaining('other'),
        ]);
      }
      await expectSaid(again);
    });

    it.each([
      ['scopes', broken],
      ['scopes', '42'],
      ['limited', broken],
      ['limited', '{"scopes":["chat"]}'],
      ['limited', 'null'],
    ])('where %s of a key is %s: it lets nobody in, and can be ended', async (column, value) => {
      const api = await openApi({ place: await fresh() });
      const limits = column === 'limited' ? { servers: [{ id: 'time' }] } : {};
      const lost = await api.json<{ id: string; key: string }>('POST', '/api/keys', {
        name: 'lost',
        ...limits,
      });
      const other = await api.json<{ id: string }>('POST', '/api/keys', { name: 'other' });
      const again = await reopen(api, {
        table: 'api_keys',
        column,
        value,
        where: ['id', lost.id],
      });
      const ids = async (path: string) =>
        (await again.json<{ keys: { id: string }[] }>('GET', path)).keys.map(({ id }) => id);
      for (const path of ['/api/keys', '/api/users/keys'])
        expect((await ids(path)).toSorted()).toEqual([lost.id, other.id].toSorted());
      await expectSaid(again);
      const used = await again.raw('GET', '/api/topics', { headers: { 'x-api-key': lost.key } });
      expect(await errorOf(used)).toMatchObject({ code: 'data_unreadable' });
      expect((await again.send('DELETE', `/api/keys/${lost.id}`)).status).toBe(204);
      expect(await ids('/api/keys')).toEqual([other.id]);
    });

    it.each(['request', 'usage', 'body'])('where %s of a running answer is', async (column) => {
      const scripted = new ScriptedModel();
      const options = { models: { [model]: scripted } };
      const api = await openApi({ place: await fresh(), ...options });
      const asking = async (title: string) => {
        const { id } = await api.json<Topic>('POST', '/api/topics', { title, model });
        scripted.rounds.push(calls(['mcp__filesystem__write_file', { path: 'a', content: 'x' }]));
        const { answerId } = await api.json<{ answerId: string }>(
          'POST',
          `/api/topics/${id}/messages`,
          { text: 'go' },
        );
        const told = async () => (await api.send('GET', `/api/topics/${id}`)).text();
        await expect.poll(told).toContain('"approval"');
        return { id, answerId };
      };
      const [lost, other] = [await asking('lost'), await asking('other')];
      await api.host.store.db
        .updateTable('messages')
        .set({ parked: 0 })
        .where('running', '=', 1)
        .execute();
      await api.close();
      const store = await openStore(api.place);
      const row = { topic_id: lost.id, seq: 99, body: '{}' };
      if (column === 'body') await store.db.insertInto('events').values(row).execute();
      await store.close();
      const cell: Cell =
        column === 'body'
          ? { table: 'events', column, where: ['body', '{}'] }
          : { table: 'messages', column, where: ['id', lost.answerId] };
      const again = await reopen(api, cell, options);
      await expect
        .poll(async () => (await again.send('GET', `/api/topics/${other.id}`)).text())
        .toContain('"approval"');
      await expect.poll(() => expectSaid(again)).toBeUndefined();
    });

    it.each<[table: string, column: string, value: string]>([
      ['topics', 'mcp', broken],
      ['messages', 'usage', broken],
      ['blocks', 'data', broken],
      ['blocks', 'data', 'null'],
    ])('of an export, which tells all but %s.%s (%s)', async (table, column, value) => {
      const api = await openApi({ place: await fresh() });
      const talk = async (title: string) => {
        const { id } = await api.json<Topic>('POST', '/api/topics', { title });
        const sent = { text: `What is 2 + 3, ${title}?` };
        const { answerId } = await api.json<{ answerId: string }>(
          'POST',
          `/api/topics/${id}/messages`,
          sent,
        );
        const told = async () => (await api.send('GET', `/api/topics/${id}`)).text();
        await expect.poll(told).toContain('"isLoading":false');
        return { topics: id, messages: answerId, blocks: `${answerId}.0` };
      };
      const [lost] = [await talk('first'), await talk('second')];
      const id = lost[table as keyof typeof lost];
      const again = await reopen(api, { table, column, value, where: ['id', id] });
      const file = await (await again.send('GET', '/api/data/export')).text();
      expect(file.trimEnd().split('\n').at(-1)).toBe('{"kind":"end"}');
      for (const words of ['2 + 3, first?', '2 + 3, second?']) expect(file).toContain(words);
      await expectSaid(again);
      const empty = await openApi({ place: await fresh() });
      const taken = await empty.send('POST', '/api/data/import', file);
      expect([taken.status, await taken.text()]).toMatchObject([200, expect.any(String)]);
      const { topics } = await empty.json<{ topics: Topic[] }>('GET', '/api/topics');
      expect(topics).toHaveLength(2);
      expect((await again.send('DELETE', `/api/topics/${lost.topics}`)).status).toBe(204);
      expect((await again.send('GET', `/api/topics/${lost.topics}`)).status).toBe(404);
    });

    it.each(['null', '[]', '42'])('nor lets a rule without its conditions (%s)', async (value) => {
      const api = await openApi({ place: await fresh() });
      const { rules } = await api.json<{ rules: { id: string }[] }>('PUT', '/api/policy', {
        rules: [{ action: 'allow', serverId: 'memory' }],
      });
      const again = await reopen(api, {
        table: 'policy_rules',
        column: 'conditions',
        value,
        where: ['id', rules[0]?.id ?? ''],
      });
      const path = '/api/servers/filesystem/tools/write_file/call';
      const called = await again.send('POST', path, { arguments: { path: 'a', content: 'x' } });
      expect(await errorOf(called)).toMatchObject({ code: 'data_unreadable' });
      expect((await again.send('PUT', '/api/policy', { rules: [] })).status).toBe(200);
      const asked = await again.send('POST', path, { arguments: { path: 'a', content: 'x' } });
      expect(await asked.json()).toMatchObject({ state: 'proposed' });
    });
  });
});
