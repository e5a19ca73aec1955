import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ServerView } from '#shared/api/api.ts';
import type { ExportFormat, ImportServers, ImportView } from '#shared/api/import-api.ts';
import { hostSays } from '../../../test/e2e/texts.ts';
import { emptyPlace, errorOf, openApi, type TestApi } from '../../../test/fixtures/http.ts';
import { addPerson } from '../../../test/fixtures/people.ts';

const send = (api: TestApi, body: ImportServers) =>
  api.json<ImportView>('POST', '/api/servers/import', body);
const own = async (api: TestApi) =>
  (await api.json<{ servers: ServerView[] }>('GET', '/api/servers')).servers.filter(
    ({ builtin }) => !builtin,
  );
const refusals = async ({ host }: TestApi) => {
  const rows = await host.store.db.selectFrom('audit').selectAll().execute();
  return rows.filter(({ action }) => action === 'server.refused').map(({ owner }) => owner);
};
const text = (mcpServers: object) => JSON.stringify({ mcpServers });

describe('importing servers', () => {
  it('T05 adds what may not run, shows it whole, and starts nothing', async () => {
    const { home } = await emptyPlace();
    const marker = join(home, 'ran');
    const long = 'x'.repeat(5000);
    const code = `require('node:fs').writeFileSync(${JSON.stringify(marker)}, '')`;
    const args = ['-e', code, long, '\u202eevil\u0007'];
    const api = await openApi();
    const all = text({
      cmd: { command: process.execPath, args, env: { TOKEN: 's3cret-value' }, autoApprove: ['*'] },
      web: { url: 'http://127.0.0.1:9/mcp', headers: { Authorization: 's3cret-value' } },
    });
    const dry = await send(api, { text: all, dryRun: true });
    expect(dry.entries[0]).toMatchObject({
      place: 'mcpServers.cmd',
      config: { command: process.execPath, args, env: { TOKEN: '•••' } },
      leftOut: ['autoApprove'],
    });
    expect(await own(api)).toEqual([]);
    const { entries } = await send(api, { text: all });
    expect(entries.map(({ server }) => server?.state)).toEqual(['draft', 'disabled']);
    expect(JSON.stringify([dry, entries])).not.toContain('s3cret');
    for (const server of await own(api)) {
      const connect = await api.send('POST', `/api/servers/${server.id}/connect`, {});
      expect(connect.status).toBe(409);
    }
    expect(existsSync(marker)).toBe(false);
    expect((await own(api))[0]?.config).not.toHaveProperty('autoApprove');
  });

  it('stumble: proposes the access of a suggestion for a command of its package', async () => {
    const api = await openApi();
    const everything = 'npx -y @modelcontextprotocol/server-everything';
    const dry = await send(api, { text: everything, dryRun: true });
    const access = { files: 'own', network: false };
    expect(dry.entries[0]?.config).toMatchObject({ access });
    const { entries } = await send(api, { text: everything });
    expect(entries[0]?.server?.config).toMatchObject({ access });
    expect((await send(api, { text: everything })).entries[0]?.exists).toBe(true);
  });

  it('says of each entry what is wrong with it, and adds the others', async () => {
    const api = await openApi();
    const { entries } = await send(api, {
      text: text({
        good: { command: 'x' },
        none: 3,
        both: { command: 'x', url: 'https://a.example/' },
        shipped: { type: 'inMemory', builtin: 'demo' },
        file: {
          url: 'https://a.example/',
          auth: { grant: 'workload', clientId: 'a', assertionFile: '/etc/passwd' },
        },
        __proto__x: { command: 'x', args: [{}] },
      }),
    });
    expect(entries.map(({ place, error }) => [place, error?.message])).toEqual([
      ['mcpServers.good', undefined],
      ['mcpServers.none', expect.stringContaining('command to run')],
      ['mcpServers.both', expect.stringContaining('either command or url')],
      ['mcpServers.shipped', undefined],
      ['mcpServers.file', expect.stringContaining('assertionFile')],
      ['mcpServers.__proto__x', expect.stringContaining('args.0')],
    ]);
    expect((await own(api)).map(({ name }) => name)).toEqual(['good']);
  });

  it('B18: takes servers that run inside another host for the built-in ones', async () => {
    const api = await openApi();
    const cherry = (name: string, rest = {}) => ({ type: 'inMemory', name, command: '', ...rest });
    const { entries } = await send(api, {
      text: text({
        a: cherry('@cherry/fetch'),
        b: cherry('@cherry/sequentialthinking', { args: [] }),
        c: cherry('@cherry/brave-search', { env: { BRAVE_API_KEY: 's3cret' } }),
        d: cherry('@cherry/filesystem', { args: ['/srv'] }),
        e: cherry('@cherry/dify-knowledge'),
      }),
    });
    expect(entries.map(({ name, exists, leftOut }) => [name, exists, leftOut])).toEqual([
      ['fetch', true, []],
      ['sequential-thinking', true, []],
      ['web-search', true, ['env']],
      ['filesystem', true, ['args']],
      ['@cherry/dify-knowledge', false, []],
    ]);
    expect(entries[4]?.error?.message).toMatch(hostSays('builtin-unknown', 'dify-knowledge'));
    expect(JSON.stringify(entries)).not.toContain('s3cret');
    expect(await own(api)).toEqual([]);
  });

  it.each(['cerise', 'claude', 'vscode'] as const)(
    'reads its own export again, as %s writes it',
    async (format) => {
      const api = await openApi();
      const server = {
        name: 'run',
        type: 'stdio',
        command: 'x',
        args: ['--key=${secret:KEY}', '${REGION:-eu}'],
        secrets: { KEY: 's3cret' },
      };
      await api.json('POST', '/api/servers', server);
      const out = await api.json<object>('GET', `/api/servers/export?format=${format}`);
      expect(JSON.stringify(out)).not.toContain('s3cret');
      const other = await openApi();
      const asked = await send(other, { text: JSON.stringify(out), dryRun: true });
      const answers = Object.fromEntries(
        asked.questions.map(({ id, default: given }) => [id, given ?? 'again']),
      );
      await send(other, { text: JSON.stringify(out), answers });
      const [first] = await own(other);
      expect(first?.config).toMatchObject({
        command: 'x',
        args: ['--key=${secret:KEY}', 'eu'],
        secrets: { KEY: '•••' },
      });
    },
  );

  it('asks for what is left open, and takes the answers as text', async () => {
    const api = await openApi();
    const body = {
      text: JSON.stringify({
        inputs: [{ id: 'k', type: 'promptString', description: 'Key', password: true }],
        servers: {
          a: { url: 'https://${input:host}/mcp', headers: { Authorization: 'Bearer ${input:k}' } },
        },
      }),
    };
    const dry = await send(api, { ...body, dryRun: true });
    expect(dry.questions).toEqual([
      { id: 'input:host', secret: false, inClear: true },
      { id: 'input:k', label: 'Key', secret: true, inClear: false },
    ]);
    expect(dry.entries[0]?.error).toBeUndefined();
    const refused = await send(api, body);
    expect(refused.entries[0]?.error).toBeDefined();
    const done = await send(api, {
      ...body,
      answers: { 'input:host': 'h.example', 'input:k': 'k1' },
    });
    expect(done.entries[0]?.server?.config).toMatchObject({
      baseUrl: 'https://h.example/mcp',
      headers: { Authorization: '•••' },
    });
    expect(JSON.stringify(done)).not.toContain('k1');
  });

  it('adds only what is wanted, nothing twice, and no name twice', async () => {
    const api = await openApi();
    const both = text({ a: { command: 'x' }, b: { command: 'y' } });
    await send(api, { text: both, only: ['mcpServers.a'] });
    expect((await own(api)).map(({ name }) => name)).toEqual(['a']);
    const again = await send(api, { text: both });
    expect(again.entries.map(({ exists }) => exists)).toEqual([true, false]);
    await send(api, { text: text({ a: { command: 'z' } }) });
    expect((await own(api)).map(({ name }) => name)).toEqual(['a', 'b', 'a 2']);
  });

  it('T01 lets nobody but an admin bring in a command, and keeps the attempt on record', async () => {
    const api = await openApi();
    const person = await addPerson(api, 'Ann');
    const all = text({
      cmd: { command: '/bin/true', disabled: true },
      odd: { Command: '/bin/true', type: 'STDIO', url: '' },
      web: { url: 'https://a.example/mcp' },
    });
    for (const dryRun of [true, false]) {
      const body = { text: all, dryRun };
      const { entries } = await person.json<ImportView>('POST', '/api/servers/import', body);
      expect(entries.map(({ error }) => error?.code)).toEqual([
        'admin_only',
        'invalid_server',
        undefined,
      ]);
    }
    const { servers } = await person.json<{ servers: ServerView[] }>('GET', '/api/servers');
    expect(servers.flatMap(({ builtin, name }) => (builtin ? [] : name))).toEqual(['web']);
    expect(await refusals(api)).toEqual([person.id]);
  });

  it('refuses text without servers', async () => {
    const api = await openApi();
    const response = await api.send('POST', '/api/servers/import', { text: '{"a": ' });
    expect(await errorOf(response)).toMatchObject({ status: 400, code: 'invalid_server' });
  });
});

describe('exporting servers', () => {
  it.each<ExportFormat>(['cerise', 'claude', 'vscode'])(
    'gives %s settings without secrets that can be imported again',
    async (format) => {
      const api = await openApi();
      await send(api, {
        text: text({
          cmd: { command: 'x', args: ['a b'], env: { TOKEN: 'canary-1' }, cwd: '/srv' },
          web: { type: 'sse', url: 'https://a.example/sse', headers: { 'X-Key': 'canary-2' } },
        }),
      });
      const exported = await api.json<object>('GET', `/api/servers/export?format=${format}`);
      const json = JSON.stringify(exported);
      expect(json).not.toMatch(/canary|•••/);
      const other = await openApi();
      const dry = await send(other, { text: json, dryRun: true });
      expect(dry.questions).toHaveLength(2);
      expect(dry.questions.every(({ inClear }) => !inClear)).toBe(true);
      const answers = Object.fromEntries(dry.questions.map(({ id }) => [id, 'new']));
      const { entries } = await send(other, { text: json, answers });
      expect(entries.map(({ server }) => server?.config)).toMatchObject([
        { type: 'stdio', command: 'x', args: ['a b'], env: { TOKEN: '•••' }, cwd: '/srv' },
        { type: 'sse', baseUrl: 'https://a.example/sse', headers: { 'X-Key': '•••' } },
      ]);
    },
  );
});

describe('the log of a server', () => {
  it('comes again only if it changed', async () => {
    const api = await openApi();
    const path = '/api/servers/demo/logs';
    const { servers } = await api.json<{ servers: ServerView[] }>('GET', '/api/servers');
    const id = servers.find(({ name }) => name === 'demo')?.id ?? '';
    const at = path.replace('demo', id);
    const first = await api.json<{ version: string; lines: string[] }>('GET', at);
    expect(first.lines).toEqual([]);
    const known = `${at}?known=${first.version}`;
    expect(await api.json('GET', known)).toEqual({ version: first.version });
    await api.send('POST', `/api/servers/${id}/connect`, {});
    expect(await api.json('GET', known)).toMatchObject({
      lines: expect.arrayContaining([expect.stringContaining('connected')]) as string[],
    });
  });
});
