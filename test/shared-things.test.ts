import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ServerView } from '#shared/api/api.ts';
import type { InputView } from '#shared/api/input-api.ts';
import type { ModelInfo, Provider } from '#shared/vocabulary/model.ts';
import { startFakeOpenAi } from './fakes/fake-openai.ts';
import { dump, errorOf, openApi, type TestApi } from './fixtures/http.ts';
import { addPerson, browserOf, signIn } from './fixtures/people.ts';

const script = (name: string) => join(import.meta.dirname, 'fakes', name);

/** A server of the admin that runs a command, approved. */
async function addCommand(
  api: Pick<TestApi, 'json'>,
  more: object,
  ...args: string[]
): Promise<ServerView> {
  const config = {
    name: 'tools',
    command: process.execPath,
    args,
    env: { TOKEN: 'env-secret' },
    autoApprove: ['*'],
  };
  const server = await api.json<ServerView>('POST', '/api/servers', { ...config, ...more });
  const { launchHash } = server;
  return api.json('POST', `/api/servers/${server.id}/approve`, { launchHash });
}

const counting = script('counting-server.mjs');
const count = (id: string) => `/api/servers/${id}/tools/count/call`;

describe('a server that an admin shares', () => {
  it('is used by everybody, who see nothing of how it is run and change nothing of it', async () => {
    const api = await openApi();
    const ana = await addPerson(api, 'Ana');
    const { id } = await addCommand(api, {}, counting, '');
    const shown = await ana.json<ServerView>('GET', `/api/servers/${id}`);
    expect(shown).toMatchObject({ id, name: 'tools', shared: true, readOnly: true });
    const text = JSON.stringify(shown);
    for (const secret of ['env-secret', 'TOKEN', process.execPath, 'counting-server'])
      expect(text).not.toContain(secret);
    expect((await ana.send('POST', count(id), {})).status).toBe(200);
    const { tools } = await ana.json<{ tools: { name: string }[] }>(
      'GET',
      `/api/servers/${id}/tools`,
    );
    expect(tools.map(({ name }) => name)).toEqual(['count', 'grow']);
    const before = await dump(api);
    for (const [method, path, body] of [
      ['PATCH', '', { name: 'mine' }],
      ['PATCH', '', { shared: false }],
      ['DELETE', ''],
      ['POST', '/approve', { launchHash: shown.launchHash }],
      ['POST', '/restart', {}],
      ['POST', '/stop', {}],
      ['POST', '/tools/count/approve', { definitionHash: 'x' }],
      ['GET', '/logs'],
      ['GET', '/diagnosis'],
    ] as const)
      expect(
        await errorOf(await ana.send(method, `/api/servers/${id}${path}`, body)),
        `${method} ${path}`,
      ).toMatchObject({ status: 403, code: 'admin_only' });
    expect(await dump(api)).toBe(before);
  });

  it('is changed by other admins, and is gone for everybody when it is not shared any more', async () => {
    const api = await openApi();
    const ana = await addPerson(api, 'Ana');
    const root = await addPerson(api, 'Root', 'admin');
    const { id } = await addCommand(api, {}, counting, '');
    const path = `/api/servers/${id}`;
    expect((await root.send('PATCH', path, { description: 'For all' })).status).toBe(200);
    expect((await ana.send('GET', path)).status).toBe(200);
    expect((await root.send('PATCH', path, { shared: false })).status).toBe(200);
    for (const who of [ana, root])
      expect(await errorOf(await who.send('GET', path))).toMatchObject({ status: 404 });
    expect((await ana.send('POST', count(id), {})).status).toBe(404);
    expect((await api.send('GET', path)).status).toBe(200);
  });

  it('is each one’s own to approve: rules of one do not count for another', async () => {
    const api = await openApi();
    const ana = await addPerson(api, 'Ana');
    const ben = await addPerson(api, 'Ben');
    const { id } = await addCommand(api, { autoApprove: [] }, counting, '');
    expect((await ana.send('POST', count(id), {})).status).toBe(202);
    const rules = [{ action: 'allow', serverId: id, toolName: 'count' }];
    expect((await ana.send('PUT', '/api/policy', { rules })).status).toBe(200);
    expect((await ana.send('POST', count(id), {})).status).toBe(200);
    expect((await ben.send('POST', count(id), {})).status).toBe(202);
  });

  it('is forbidden to everybody where the admin who shares it forbids it', async () => {
    const api = await openApi();
    const ana = await addPerson(api, 'Ana');
    const { id } = await addCommand(api, {}, counting, '');
    await ana.send('PUT', '/api/policy', { rules: [{ action: 'allow' }] });
    await api.send('PUT', '/api/policy', {
      rules: [{ action: 'deny', serverId: id, toolName: 'count' }],
    });
    expect(await errorOf(await ana.send('POST', count(id), {}))).toMatchObject({ code: 'denied' });
  });

  it('that changes a tool is not called by anybody until an admin has looked', async () => {
    const api = await openApi();
    const ana = await addPerson(api, 'Ana');
    const { id } = await addCommand(api, {}, counting, '');
    expect((await ana.send('POST', count(id), {})).status).toBe(200);
    await ana.send('POST', `/api/servers/${id}/tools/grow/call`, {});
    const codeOfCall = async () => {
      const response = await ana.send('POST', count(id), {});
      return response.ok ? 'ok' : (await errorOf(response)).code;
    };
    await expect.poll(codeOfCall).toBe('tool_changed');
    const { tools } = await api.json<{ tools: { name: string; definitionHash: string }[] }>(
      'GET',
      `/api/servers/${id}/tools`,
    );
    const { definitionHash } = tools.find(({ name }) => name === 'count') ?? {};
    await api.send('POST', `/api/servers/${id}/tools/count/approve`, { definitionHash });
    expect((await ana.send('POST', count(id), {})).status).toBe(200);
  });

  it('asks the person who called it, not the one who shares it', async () => {
    const api = await openApi();
    const ana = await addPerson(api, 'Ana');
    const { id } = await addCommand(api, {}, script('asking-server.mjs'), 'modern');
    const isAsked = new Promise<void>((resolve) => {
      api.host.events.subscribe(ana.id, ({ type }) => {
        if (type === 'input-requested') resolve();
      });
    });
    const called = ana.send('POST', `/api/servers/${id}/tools/order/call`, {});
    const inputs = async (who: Pick<TestApi, 'json'>) =>
      (await who.json<{ inputs: InputView[] }>('GET', '/api/inputs')).inputs;
    await isAsked;
    expect(await inputs(api)).toEqual([]);
    const [asked] = await inputs(ana);
    const answer = { action: 'accept', content: { name: 'Ana' } };
    expect((await api.send('POST', `/api/inputs/${asked?.id}`, answer)).status).toBe(404);
    expect((await ana.send('POST', `/api/inputs/${asked?.id}`, answer)).status).toBe(200);
    expect((await called).status).toBe(200);
  });

  it('is private again, and a draft, when who shares it is no admin any more', async () => {
    const api = await openApi();
    const ana = await addPerson(api, 'Ana');
    const root = await addPerson(api, 'Root', 'admin');
    const { id } = await addCommand(root, {}, counting, '');
    expect((await ana.send('POST', count(id), {})).status).toBe(200);
    await api.send('PATCH', `/api/users/${root.id}`, { role: 'user' });
    expect((await ana.send('POST', count(id), {})).status).toBe(404);
    const again = browserOf(api, { ...root, cookie: await signIn(api, 'Root') });
    const draft = await again.json<ServerView>('GET', `/api/servers/${id}`);
    expect(draft.state).toBe('draft');
    const { launchHash } = draft;
    const approved = await again.send('POST', `/api/servers/${id}/approve`, { launchHash });
    expect(await errorOf(approved)).toMatchObject({ code: 'admin_only' });
  });
});

describe('a person who is no admin', () => {
  const commands: object[] = [
    { type: 'stdio', name: 'x', command: 'touch', args: ['/tmp/x'] },
    { name: 'x', command: 'touch' },
    { name: 'x', type: 'STDIO', command: 'touch' },
    { mcpServers: { x: { command: 'npx', args: ['-c', 'touch'] } } },
    { name: 'x', command: 'touch', url: 'https://a.example/mcp' },
    { type: 'inMemory', name: 'x', builtin: 'memory' },
  ];

  it.each(commands)('cannot add a server that runs a command: %j (T01)', async (config) => {
    const api = await openApi();
    const ana = await addPerson(api, 'Ana');
    const servers = async () =>
      (await ana.json<{ servers: ServerView[] }>('GET', '/api/servers')).servers.length;
    const before = await servers();
    const { id: topic } = await ana.json<{ id: string }>('POST', '/api/topics', {});
    for (const [path, body] of [
      ['/api/servers', config],
      ['/api/servers', { ...config, attachedTo: { topic } }],
      ['/api/assistants', { name: 'A', sessionServers: [config] }],
    ] as const)
      expect([400, 403]).toContain((await ana.send('POST', path, body)).status);
    expect(await servers()).toBe(before);
  });

  it('leaves a note where it tried, and cannot turn a server of its own into a command', async () => {
    const api = await openApi();
    const ana = await addPerson(api, 'Ana');
    const refused = await ana.send('POST', '/api/servers', { name: 'x', command: 'touch' });
    expect(await errorOf(refused)).toMatchObject({ status: 403, code: 'admin_only' });
    const audit = await api.host.store.db.selectFrom('audit').selectAll().execute();
    expect(audit).toContainEqual(
      expect.objectContaining({ owner: ana.id, action: 'server.refused' }),
    );
    const web = { type: 'streamableHttp', name: 'web', baseUrl: 'https://mcp.example/mcp' };
    const forAll = await ana.send('POST', '/api/servers', { ...web, shared: true });
    expect(await errorOf(forAll)).toMatchObject({ status: 403, code: 'admin_only' });
    const { id } = await ana.json<ServerView>('POST', '/api/servers', web);
    const share = await ana.send('PATCH', `/api/servers/${id}`, { shared: true });
    expect(await errorOf(share)).toMatchObject({ status: 403, details: { field: 'shared' } });
    const change = { type: 'stdio', command: 'touch', baseUrl: null };
    expect((await ana.send('PATCH', `/api/servers/${id}`, change)).status).toBe(403);
    const ben = await addPerson(api, 'Ben');
    expect((await ben.send('GET', `/api/servers/${id}`)).status).toBe(404);
  });

  it.each([
    'http://127.0.0.1:9/mcp',
    'http://localhost:9/mcp',
    'http://[::1]:9/mcp',
    'http://10.0.0.1/mcp',
    'http://169.254.169.254/latest',
    'http://2130706433/mcp',
    'http://[::ffff:127.0.0.1]/mcp',
  ])('cannot add a server at %s', async (baseUrl) => {
    const api = await openApi();
    const ana = await addPerson(api, 'Ana');
    const config = { type: 'streamableHttp', name: 'x', baseUrl };
    expect(await errorOf(await ana.send('POST', '/api/servers', config))).toMatchObject({
      status: 403,
      code: 'address_blocked',
    });
    expect((await api.send('POST', '/api/servers', config)).status).toBe(201);
  });

  it('is not led to a private address when it connects either', async () => {
    const fake = await startFakeOpenAi();
    onTestFinished(() => fake.close());
    const api = await openApi();
    const ana = await addPerson(api, 'Ana');
    const { id } = await ana.json<ServerView>('POST', '/api/servers', {
      type: 'streamableHttp',
      name: 'x',
      baseUrl: 'https://mcp.example/mcp',
    });
    const stored = { type: 'streamableHttp', name: 'x', baseUrl: fake.baseUrl };
    await api.host.store.db
      .updateTable('servers')
      .set({ config: JSON.stringify(stored), updated_at: 1 })
      .where('id', '=', id)
      .execute();
    await api.close();
    const again = await openApi({ place: api.place });
    const later = browserOf(again, { ...ana, cookie: await signIn(again, 'Ana') });
    const connected = await later.send('POST', `/api/servers/${id}/connect`, {});
    expect(await errorOf(connected)).toMatchObject({ code: 'address_blocked' });
    expect(fake.connections).toBe(0);
  });

  it('sets what is theirs alone', async () => {
    const api = await openApi();
    const ana = await addPerson(api, 'Ana');
    const webSearch = { kind: 'brave', apiKey: 'brave-secret' };
    await api.send('PUT', '/api/settings', { fetchAllow: ['10.0.0.1'], webSearch });
    for (const body of [
      { fetchAllow: ['127.0.0.1'] },
      { webSearch: { kind: 'searxng', url: 'http://127.0.0.1' } },
    ])
      expect(await errorOf(await ana.send('PUT', '/api/settings', body))).toMatchObject({
        code: 'admin_only',
      });
    expect(await ana.json('GET', '/api/settings')).toEqual({ fetchAllow: [] });
    const own = { defaultModel: 'demo/scripted' };
    expect((await ana.send('PUT', '/api/settings', own)).status).toBe(200);
    expect(await api.json('GET', '/api/settings')).toMatchObject({
      fetchAllow: ['10.0.0.1'],
      webSearch: { kind: 'brave' },
    });
  });
});

describe('a provider that an admin shares', () => {
  it('serves everybody, who see neither its key nor its address and change nothing', async () => {
    const fake = await startFakeOpenAi();
    onTestFinished(() => fake.close());
    const api = await openApi();
    const ana = await addPerson(api, 'Ana');
    const fields = { name: 'team', baseUrl: fake.baseUrl, apiKey: 'sk-team', models: ['m'] };
    const { id } = await api.json<Provider>('POST', '/api/providers', fields);
    const list = async () =>
      (await ana.json<{ providers: Provider[] }>('GET', '/api/providers')).providers;
    expect(await list()).toMatchObject([{ id, name: 'team', readOnly: true, baseUrl: '' }]);
    expect(JSON.stringify(await list())).not.toContain('sk-team');
    const models = async () =>
      (await ana.json<{ models: ModelInfo[] }>('GET', '/api/models')).models.map((m) => m.id);
    expect(await models()).toContain('team/m');
    const { id: topic } = await ana.json<{ id: string }>('POST', '/api/topics', {
      model: 'team/m',
    });
    expect(topic).toBeDefined();
    for (const [method, body] of [['PATCH', { apiKey: '' }], ['DELETE']] as const)
      expect(await errorOf(await ana.send(method, `/api/providers/${id}`, body))).toMatchObject({
        code: 'admin_only',
      });
    await api.send('PATCH', `/api/providers/${id}`, { shared: false });
    expect(await list()).toEqual([]);
    expect(await models()).not.toContain('team/m');
    const asked = await ana.send('POST', '/api/topics', { model: 'team/m' });
    expect(await errorOf(asked)).toMatchObject({ code: 'model_not_found' });
    const sent = await ana.send('POST', `/api/topics/${topic}/messages`, { text: 'hi' });
    expect(await errorOf(sent)).toMatchObject({ code: 'model_not_found' });
    expect(fake.requests.filter(({ path }) => path.includes('chat'))).toEqual([]);
  });

  it('gives way to one of the same name of one’s own, which has no address of its own', async () => {
    const api = await openApi();
    const ana = await addPerson(api, 'Ana');
    await api.send('POST', '/api/providers', { name: 'openai', apiKey: 'sk-team' });
    const own = { name: 'openai', apiKey: 'sk-ana' };
    expect((await ana.send('POST', '/api/providers', own)).status).toBe(201);
    const { providers } = await ana.json<{ providers: Provider[] }>('GET', '/api/providers');
    expect(providers).toMatchObject([{ name: 'openai', shared: false }]);
    for (const fields of [
      { name: 'x', baseUrl: 'http://127.0.0.1:9/v1' },
      { name: 'ollama' },
      { name: 'openai2', kind: 'openai', baseUrl: 'https://a.example/v1' },
    ])
      expect((await ana.send('POST', '/api/providers', fields)).status).toBe(403);
    const ben = await addPerson(api, 'Ben');
    const theirs = await ben.json<{ providers: Provider[] }>('GET', '/api/providers');
    expect(theirs.providers).toMatchObject([{ name: 'openai', readOnly: true }]);
  });
});
