import { describe, expect, it } from 'vitest';
import type { ServerView } from '#shared/api/api.ts';
import type { DirectCallPage } from '#shared/api/tool-call-api.ts';
import type { ErrorInfo } from '#shared/errors/errors.ts';
import { ScriptedModel } from '../../../test/fakes/scripted-model.ts';
import { errorOf, openApi, type TestApi } from '../../../test/fixtures/http.ts';

interface Made {
  key: string;
  servers?: unknown;
}

const notThere = { code: 'server_not_found' };
const refused = { code: 'forbidden' };

/** Requests with a key that is limited to the calculator and to one tool of the files. */
async function limited(api: TestApi, scopes = ['chat']) {
  const servers = ['calculator', { id: 'filesystem', tools: ['read_text_file'] }];
  const { key } = await api.json<Made>('POST', '/api/keys', { name: 'limited', scopes, servers });
  const headers = { authorization: `Bearer ${key}` };
  return {
    send: (method: string, path: string, body?: unknown) => api.send(method, path, body, headers),
    error: async (method: string, path: string, body?: unknown) =>
      errorOf(await api.send(method, path, body, headers)),
    json: async <T>(method: string, path: string, body?: unknown) =>
      (await (await api.send(method, path, body, headers)).json()) as T,
  };
}

const mine = ['mcp__calculator__calculate', 'mcp__filesystem__read_text_file'];
const offered = (model: ScriptedModel, at = 0) =>
  model.requests[at]?.tools.map(({ name }) => name).toSorted();

describe('T86: a key that is limited to servers', () => {
  it('is made for servers there are, never with all rights, and says what it is limited to', async () => {
    const api = await openApi();
    const make = async (fields: object) => api.send('POST', '/api/keys', { name: 'x', ...fields });
    expect(await errorOf(await make({ servers: ['nowhere'] }))).toMatchObject(notThere);
    expect((await make({ servers: ['calculator'], scopes: ['admin'] })).status).toBe(400);
    expect((await make({ servers: [] })).status).toBe(400);
    expect((await make({ servers: [{ id: 'calculator', tools: [] }] })).status).toBe(400);
    const { id } = await api.json<{ id: string }>('GET', '/api/servers/calculator');
    const made = (await (await make({ servers: ['calculator'] })).json()) as Made;
    expect(made.servers).toEqual([{ id }]);
    expect(JSON.stringify(await api.json('GET', '/api/keys'))).toContain(
      `"servers":[{"id":"${id}"}]`,
    );
  });

  it('finds only those, in every list and by every address', async () => {
    const api = await openApi();
    const key = await limited(api);
    const { servers } = await key.json<{ servers: ServerView[] }>('GET', '/api/servers');
    expect(servers.map(({ name }) => name.toLowerCase()).toSorted()).toEqual([
      'calculator',
      'filesystem',
    ]);
    for (const path of [
      '',
      '/status',
      '/tools',
      '/prompts',
      '/resources',
      '/templates',
      '/sign-in',
    ])
      expect(await key.error('GET', `/api/servers/memory${path}`), path).toMatchObject(notThere);
    const { tools } = await key.json<{ tools: { name: string }[] }>(
      'GET',
      '/api/servers/filesystem/tools',
    );
    expect(tools.map(({ name }) => name)).toEqual(['read_text_file']);
    for (const path of ['prompts', 'resources', 'templates'])
      expect(await key.error('GET', `/api/servers/filesystem/${path}`), path).toMatchObject(
        refused,
      );
  });

  it('calls and tries only those tools', async () => {
    const api = await openApi();
    const key = await limited(api);
    const call = (server: string, tool: string) => `/api/servers/${server}/tools/${tool}/call`;
    const sum = { arguments: { expression: '1+1' } };
    expect((await key.send('POST', call('calculator', 'calculate'), sum)).status).toBe(200);
    expect(await key.error('POST', call('memory', 'read_graph'), {})).toMatchObject(notThere);
    expect(await key.error('POST', call('filesystem', 'write_file'), {})).toMatchObject(refused);
    const read = { uri: 'file:///a' };
    expect(await key.error('POST', '/api/servers/filesystem/resources/read', read)).toMatchObject(
      refused,
    );
    const test = { serverId: 'memory', toolName: 'read_graph' };
    expect(await key.error('POST', '/api/policy/test', test)).toMatchObject(notThere);
  });

  it('decides on no call of another tool', async () => {
    const api = await openApi();
    const key = await limited(api);
    const path = '/api/servers/filesystem/tools/write_file/call';
    const body = { arguments: { path: 'a.txt', content: 'a' } };
    const { id, argsHash } = await api.json<{ id: string; argsHash: string }>('POST', path, body);
    const decision = { decision: 'approve', argsHash };
    expect(await key.error('POST', `/api/tool-calls/${id}/decision`, decision)).toMatchObject(
      refused,
    );
    const { results } = await key.json<{ results: { error?: object }[] }>(
      'POST',
      '/api/tool-calls/decisions',
      { decisions: [{ toolCallId: id, ...decision }] },
    );
    expect(results[0]?.error).toMatchObject(refused);
    expect(await api.json('GET', `/api/tool-calls/${id}`)).toMatchObject({ state: 'proposed' });
  });

  it('finds only calls of those tools, reads none of the others and stops none', async () => {
    const api = await openApi();
    const key = await limited(api);
    const note = { entities: [{ name: 'Ana', entityType: 'person', observations: ['a secret'] }] };
    const calls: [string, object][] = [
      ['memory/tools/create_entities', note],
      ['filesystem/tools/write_file', { path: 'a.txt', content: 'a' }],
      ['filesystem/tools/read_text_file', { path: 'welcome.md' }],
      ['calculator/tools/calculate', { expression: '1+1' }],
    ];
    const ids: string[] = [];
    for (const [path, args] of calls) {
      const response = await api.send('POST', `/api/servers/${path}/call`, { arguments: args });
      const body = (await response.json()) as { toolCallId?: string; error?: ErrorInfo };
      const { toolCallId } = (body.error?.details ?? body) as { toolCallId: string };
      ids.push(toolCallId);
    }
    const [memory, write, ...own] = ids;
    for (const id of [memory, write]) {
      const gone = { status: 404, code: 'tool_call_not_found' };
      expect(await key.error('GET', `/api/tool-calls/${id}`)).toMatchObject(gone);
      expect(await key.error('POST', `/api/tool-calls/${id}/abort`)).toMatchObject(gone);
    }
    const { calls: listed } = await key.json<DirectCallPage>('GET', '/api/tool-calls');
    expect(listed.map(({ id }) => id).toSorted()).toEqual(own.toSorted());
    const page = await key.json<DirectCallPage>('GET', '/api/tool-calls?limit=1');
    expect(page.next).toBeDefined();
    const rest = await key.json<DirectCallPage>('GET', `/api/tool-calls?after=${page.next}`);
    expect(rest.calls).toHaveLength(1);
    const { calls: all } = await api.json<DirectCallPage>('GET', '/api/tool-calls');
    expect(all).toHaveLength(4);
  });

  it('is told nothing of other servers by rules, usage, kept words and waiting calls', async () => {
    const api = await openApi();
    const key = await limited(api);
    const rules = ['memory', 'calculator'].map((serverId) => ({ action: 'ask', serverId }));
    await api.send('PUT', '/api/policy', { rules: [...rules, { action: 'ask' }] });
    const propose = (path: string, args: object) =>
      api.json<{ id: string }>('POST', `/api/servers/${path}/call`, { arguments: args });
    const hidden = [
      await propose('memory/tools/read_graph', {}),
      await propose('filesystem/tools/write_file', { path: 'a.txt', content: 'a' }),
    ];
    const own = await propose('calculator/tools/calculate', { expression: '1+1' });
    const policy = await key.json<{ rules: object[] }>('GET', '/api/policy');
    expect(policy.rules).toHaveLength(2);
    expect(JSON.stringify(policy)).not.toContain('memory');
    expect(JSON.stringify(await key.json('GET', '/api/usage'))).not.toContain('memory');
    expect(await key.error('GET', '/api/policy/untrusted')).toMatchObject(refused);
    for (const path of ['/api/events', '/api/streams/one']) {
      const stream = await key.send('GET', path);
      const later = await propose('filesystem/tools/write_file', { path: 'b.txt', content: 'b' });
      const { id } = await api.json<{ id: string }>('POST', '/api/topics', { title: 'the last' });
      const heard = await readUntil(stream, id);
      expect(heard).toContain(own.id);
      for (const each of [...hidden, later]) expect(heard).not.toContain(each.id);
    }
  });

  it('changes neither the tools nor the assistant of a topic, for others write there too', async () => {
    const api = await openApi();
    const key = await limited(api);
    const { id } = await api.json<{ id: string }>('POST', '/api/topics', {});
    const off = { mcp: { enabled: false, mode: 'manual', selectedServers: [] } };
    await api.send('PATCH', `/api/topics/${id}`, off);
    for (const change of [
      { mcp: null },
      { mcp: { enabled: true, mode: 'auto', selectedServers: [] } },
      { mcp: { enabled: true, mode: 'manual', selectedServers: ['filesystem'] } },
      { assistantId: 'default' },
    ])
      expect(await key.error('PATCH', `/api/topics/${id}`, change)).toMatchObject(refused);
    expect((await key.send('PATCH', `/api/topics/${id}`, { title: 'new' })).status).toBe(200);
    expect(await api.json('GET', `/api/topics/${id}`)).toMatchObject({ topic: off });
  });

  it('gets no answer that was kept for the Idempotency-Key of another', async () => {
    const api = await openApi();
    const headers = { 'idempotency-key': 'one' };
    const path = '/api/servers/memory/tools/read_graph/call';
    expect((await api.send('POST', path, {}, headers)).status).toBe(200);
    const servers = ['calculator'];
    const made = await api.json<Made>('POST', '/api/keys', {
      name: 'l',
      scopes: ['chat'],
      servers,
    });
    const authorization = `Bearer ${made.key}`;
    const repeated = await api.send('POST', path, {}, { ...headers, authorization });
    expect(repeated.status).toBeGreaterThanOrEqual(400);
    const sum = '/api/servers/calculator/tools/calculate/call';
    const body = { arguments: { expression: '1+1' } };
    const once = { 'idempotency-key': 'two', authorization };
    const answers = [];
    for (let n = 0; n < 2; n += 1)
      answers.push(await (await api.send('POST', sum, body, once)).text());
    expect(answers[0]).toBe(answers[1]);
  });

  it('has only those tools in the answers it asks for, the first time and again', async () => {
    const first = new ScriptedModel();
    const api = await openApi({ models: { 'fake/model': first } });
    const key = await limited(api);
    const { id } = await key.json<{ id: string }>('POST', '/api/topics', { model: 'fake/model' });
    const ask = async (who: Pick<TestApi, 'json'>, body: object = {}) =>
      who.json<{ answerId: string }>('POST', `/api/topics/${id}/messages`, { text: 'hi', ...body });
    const { answerId } = await ask(key);
    await finished(api, id, answerId);
    expect(offered(first)?.filter((name) => name !== 'read_more')).toEqual(mine);
    const named = { tools: { servers: ['memory'] } };
    expect(
      await key.error('POST', `/api/topics/${id}/messages`, { text: 'hi', ...named }),
    ).toMatchObject(notThere);
    const mcp = { enabled: true, mode: 'manual', selectedServers: ['memory'] };
    expect(await key.error('PATCH', `/api/topics/${id}`, { mcp })).toMatchObject(notThere);

    const again = await key.json<{ answerId: string }>(
      'POST',
      `/api/answers/${answerId}/regenerate`,
      {},
    );
    await finished(api, id, again.answerId);
    expect(offered(first, 1)?.filter((name) => name !== 'read_more')).toEqual(mine);
    const byPerson = await api.json<{ answerId: string }>(
      'POST',
      `/api/answers/${answerId}/regenerate`,
      {},
    );
    await finished(api, id, byPerson.answerId);
    expect(offered(first, 2)).toContain('mcp__memory__read_graph');
    const narrowed = await key.json<{ answerId: string }>(
      'POST',
      `/api/answers/${byPerson.answerId}/regenerate`,
      {},
    );
    await finished(api, id, narrowed.answerId);
    expect(offered(first, 3)?.filter((name) => name !== 'read_more')).toEqual(mine);
  });

  it('has only those tools when another host goes on with its answer', async () => {
    const asked = Promise.withResolvers<void>();
    const silent = new ScriptedModel(async function* (_request, signal) {
      asked.resolve();
      yield [{ type: 'text-start', id: 't' }];
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    });
    const before = await openApi({ models: { 'fake/model': silent } });
    const key = await limited(before);
    const { id } = await key.json<{ id: string }>('POST', '/api/topics', { model: 'fake/model' });
    const { answerId } = await key.json<{ answerId: string }>(
      'POST',
      `/api/topics/${id}/messages`,
      {
        text: 'hi',
      },
    );
    await asked.promise;
    await before.close();
    const next = new ScriptedModel();
    const api = await openApi({ place: before.place, models: { 'fake/model': next } });
    await finished(api, id, answerId);
    expect(offered(silent)?.filter((name) => name !== 'read_more')).toEqual(mine);
    expect(offered(next)?.filter((name) => name !== 'read_more')).toEqual(mine);
  });

  it('is stored with what was asked, in a form in which an older host offers nothing', async () => {
    const api = await openApi({ models: { 'fake/model': new ScriptedModel() } });
    const key = await limited(api);
    const { id } = await key.json<{ id: string }>('POST', '/api/topics', { model: 'fake/model' });
    const { answerId } = await key.json<{ answerId: string }>(
      'POST',
      `/api/topics/${id}/messages`,
      {
        text: 'hi',
      },
    );
    const { db } = api.host.store;
    const { request } = await db
      .selectFrom('messages')
      .select('request')
      .where('id', '=', answerId)
      .executeTakeFirstOrThrow();
    const stored = JSON.parse(String(request)) as { tools: object; limited: object };
    expect(stored.tools).toMatchObject({ enabled: false });
    expect(stored.limited).toMatchObject({
      enabled: true,
      within: [expect.anything(), { tools: ['read_text_file'] }],
    });
    const { scopes } = await db.selectFrom('api_keys').select('scopes').executeTakeFirstOrThrow();
    expect(scopes).toBe('[]');
    await finished(api, id, answerId);
  });

  it('hears nothing of other servers', async () => {
    const api = await openApi();
    const key = await limited(api, ['read']);
    const stream = await key.send('GET', '/api/events');
    for (const server of ['memory', 'calculator'])
      await api.send('POST', `/api/servers/${server}/restart`, {});
    await api.send('POST', '/api/topics', { title: 'the last event' });
    const heard = await readUntil(stream, 'the last event');
    expect(heard).toContain('calculator');
    expect(heard).not.toContain('memory');
  });
});

async function finished(api: TestApi, topicId: string, answerId: string): Promise<void> {
  const stream = await api.send('GET', `/api/topics/${topicId}/events?after=0`);
  await readUntil(stream, `"type":"message-end","messageId":"${answerId}"`);
}

async function readUntil(stream: Response, text: string): Promise<string> {
  const reader = stream.body?.getReader();
  const decoder = new TextDecoder();
  let heard = '';
  while (!heard.includes(text)) {
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done) throw new Error(`the stream ended before ${text}`);
    heard += decoder.decode(value);
  }
  await reader?.cancel();
  return heard;
}
