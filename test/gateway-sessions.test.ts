import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CreatedKeyView } from '#shared/api/people-api.ts';
import type { ToolCallView } from '#shared/api/tool-call-api.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { startServed } from './conformance/served.ts';
import { startEcho } from './fakes/echo-server.ts';
import { startSessionServer } from './fakes/news-servers.ts';
import { freshPlace, openApi, token } from './fixtures/http.ts';
import { openProgram } from './fixtures/mcp-programs.ts';
import { startModern } from './fixtures/modern-http.ts';
import { addPerson } from './fixtures/people.ts';

import { call, greet, list, makeKey, modern, post, prefix, withKey } from './fixtures/mcp-posts.ts';

describe('sessions of programs', () => {
  it('are of one key and one address, and end with DELETE', async () => {
    const api = await openApi();
    const session = { 'mcp-session-id': await greet(api) };
    expect((await post(api, '/mcp', list, session)).status).toBe(200);
    const other = await addPerson(api, 'grace', 'admin');
    const body = { name: 'a program', scopes: ['chat'] };
    const { key } = await other.json<CreatedKeyView>('POST', '/api/keys', body);
    const asOther = { ...session, authorization: `Bearer ${key}` };
    expect((await post(api, '/mcp', list, asOther)).status).toBe(404);
    const asOwnKey = { ...session, authorization: `Bearer ${await makeKey(api)}` };
    expect((await post(api, '/mcp', list, asOwnKey)).status).toBe(404);
    expect((await post(api, '/mcp/time', list, session)).status).toBe(404);
    expect((await post(api, '/mcp', list)).status).toBe(400);
    const headers = { authorization: `Bearer ${token}`, ...session };
    expect((await api.raw('DELETE', '/mcp', { headers })).status).toBe(204);
    expect((await post(api, '/mcp', list, session)).status).toBe(404);
  });

  it.each(['legacy', 'modern'])(
    'are told in the %s revision what the one server behind the address can do, and no more',
    async (era) => {
      const api = await openApi();
      const can = async (path: string) => {
        const params = { protocolVersion: '2025-11-25', capabilities: {} };
        const _meta = {
          [`${prefix}/protocolVersion`]: modern,
          [`${prefix}/clientCapabilities`]: {},
        };
        const method = 'server/discover';
        const headers = { 'mcp-protocol-version': modern, 'mcp-method': method };
        const response = await (era === 'legacy'
          ? post(api, path, { id: 1, method: 'initialize', params })
          : post(api, path, { id: 1, method, params: { _meta } }, headers));
        const { result } = (await response.json()) as { result: { capabilities: JsonObject } };
        return Object.keys(result.capabilities).filter((name) => name !== 'extensions');
      };
      const all = ['tools', 'prompts', 'resources', 'completions', 'logging'];
      expect(await can('/mcp')).toEqual(all);
      expect(await can('/mcp/demo')).toEqual(['tools', 'resources', 'logging']);
      expect(await can('/mcp/time')).toEqual(['tools', 'logging']);
      expect(await can('/mcp/time?tools=search')).toEqual(['tools', 'logging']);
    },
  );

  it('take several messages at once where their revision has that', async () => {
    const api = await openApi();
    const batch = async (version: string, messages: unknown) => {
      const session = { 'mcp-session-id': await greet(api, '/mcp', version) };
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const body = JSON.stringify(messages);
      return api.raw('POST', '/mcp', { headers: { ...headers, ...session }, body });
    };
    const request = (id: number, method: string) => ({ jsonrpc: '2.0', id, method });
    const note = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const both = [request(1, 'ping'), note, request(2, 'nothing')];
    const answers = await (await batch('2025-03-26', both)).json();
    expect(answers).toMatchObject([
      { id: 1, result: {} },
      { id: 2, error: { code: -32601 } },
    ]);
    expect((await batch('2025-03-26', [note])).status).toBe(202);
    expect((await batch('2025-03-26', [])).status).toBe(400);
    expect((await batch('2025-03-26', [request(1, 'ping'), 5])).status).toBe(400);
    expect((await batch('2025-11-25', both)).status).toBe(400);
  });

  it.each(['constructor', '__proto__', 'toString', 'valueOf'])(
    'T45: find no method under a name that every object has: %s',
    async (method) => {
      const api = await openApi();
      const session = { 'mcp-session-id': await greet(api) };
      const legacy = await post(api, '/mcp', { id: 2, method }, session);
      const _meta = {
        [`${prefix}/protocolVersion`]: modern,
        [`${prefix}/clientCapabilities`]: { extensions: { [`${prefix}/tasks`]: {} } },
      };
      const headers = { 'mcp-protocol-version': modern, 'mcp-method': method };
      const newer = await post(api, '/mcp', { id: 2, method, params: { _meta } }, headers);
      for (const response of [legacy, newer])
        expect(await response.json()).toEqual({
          jsonrpc: '2.0',
          id: 2,
          error: { code: -32601, message: 'Method not found' },
        });
    },
  );

  it('are bounded for each key: the one idle for longest ends', async () => {
    const api = await openApi({ limits: { mcpSessionsPerKey: 2 } });
    const ids = [await greet(api), await greet(api), await greet(api)];
    const states = await Promise.all(
      ids.map(async (id) => (await post(api, '/mcp', list, { 'mcp-session-id': id })).status),
    );
    expect(states).toEqual([404, 200, 200]);
  });

  it('are bounded for all: nobody loses one because another person has many keys', async () => {
    const api = await openApi({ limits: { mcpSessions: 3, mcpSessionsPerKey: 1 } });
    const ben = withKey(api, await makeKey(await addPerson(api, 'Ben', 'admin')));
    const own = { 'mcp-session-id': await greet(ben) };
    for (let n = 0; n < 4; n += 1) await greet(withKey(api, await makeKey(api)));
    expect((await post(ben, '/mcp', list, own)).status).toBe(200);
  });

  it('begin with capabilities that are no longer than they have to be', async () => {
    const api = await openApi();
    const capabilities = { experimental: { words: 'a'.repeat(100_000) } };
    const params = { protocolVersion: '2025-11-25', capabilities };
    const hello = await post(api, '/mcp', { id: 1, method: 'initialize', params });
    expect([hello.status, hello.headers.get('mcp-session-id')]).toEqual([400, null]);
  });

  it('end after they were idle for their time, also after a request', async () => {
    const api = await openApi({ limits: { mcpSessionTime: 50 } });
    const session = { 'mcp-session-id': await greet(api) };
    await post(api, '/mcp', list, session);
    await expect
      .poll(async () => (await post(api, '/mcp', list, session)).status, { interval: 300 })
      .toBe(404);
  });

  it('end what they subscribed to', async () => {
    const news = await startSessionServer();
    onTestFinished(() => news.close());
    const api = await openApi();
    const server = { type: 'streamableHttp', name: 'news', baseUrl: news.url };
    await api.json('POST', '/api/servers', server);
    const session = {
      'mcp-session-id': await greet(api, '/mcp/news'),
      accept: 'application/json',
    };
    const params = { uri: 'memo:note' };
    const subscribe = { id: 3, method: 'resources/subscribe', params };
    expect(await (await post(api, '/mcp/news', subscribe, session)).json()).toMatchObject({
      result: {},
    });
    expect([...news.subscribed]).toEqual(['memo:note']);
    const headers = { authorization: `Bearer ${token}`, ...session };
    await api.raw('DELETE', '/mcp/news', { headers });
    await vi.waitFor(() => expect([...news.subscribed]).toEqual([]));
  });

  it('need a key: a cookie is not looked at, and the way to show one is named', async () => {
    const api = await openApi();
    const person = await addPerson(api, 'grace');
    const response = await person.send('POST', '/mcp', list);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('Bearer');
  });
});

describe('a call that waits for an answer', () => {
  const form = { elicitation: { form: {} } };

  it('goes on after a restart, and is told to nobody else', async () => {
    const served = await startServed();
    onTestFinished(() => served.close());
    const place = await freshPlace();
    const first = await openApi({ place });
    const server = { type: 'streamableHttp', name: 'served', autoApprove: ['*'] };
    await first.json('POST', '/api/servers', { ...server, baseUrl: served.url });
    const key = await makeKey(first);
    const name = 'test_input_required_result_elicitation';
    const asked = await call(withKey(first, key), '/mcp/served', name, {}, form);
    expect(asked.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { user_name: { method: 'elicitation/create' } },
    });
    const answers = { user_name: { action: 'accept', content: { name: 'Ada' } } };
    const next = { requestState: asked.result?.requestState ?? '', inputResponses: answers };
    const theirs = await makeKey(await addPerson(first, 'grace', 'admin'));
    const stolen = await call(withKey(first, theirs), '/mcp/served', name, next, form);
    expect(stolen.error?.code).toBe(-32602);
    await first.close();
    const second = withKey(await openApi({ place }), key);
    const done = await call(second, '/mcp/served', name, next, form);
    expect(JSON.stringify(done.result?.content)).toContain('Ada');
  });

  it('takes no answer to another call', async () => {
    const api = await openApi();
    const asked = await call(api, '/mcp/demo', 'ask_form', {}, form);
    const inputResponses = { name: { action: 'accept', content: { name: 'Ada' } } };
    const requestState = asked.result?.requestState ?? '';
    expect(requestState).not.toBe('');
    const other = { requestState, inputResponses, arguments: { language: 'zh' } };
    expect(await call(api, '/mcp/demo', 'ask_form', other, form)).toMatchObject({
      error: { code: -32602 },
    });
  });

  it('goes on after a restart with the answer to a question of a task', async () => {
    const inputRequests = {
      ok: {
        method: 'elicitation/create',
        params: { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } },
      },
    };
    const updates: unknown[] = [];
    const task = () => ({ taskId: 't', pollIntervalMs: 50, status: 'working' });
    const { url } = await startModern({
      'tools/list': () => ({ tools: [{ name: 'long', inputSchema: { type: 'object' } }] }),
      'tools/call': () => ({ resultType: 'task', ...task() }),
      'tasks/get': () =>
        updates.length === 0
          ? { ...task(), status: 'input_required', inputRequests }
          : { ...task(), status: 'completed', result: { content: [{ type: 'text', text: 'ok' }] } },
      'tasks/update': ({ params }) => {
        updates.push(params.inputResponses);
        return {};
      },
    });
    const place = await freshPlace();
    const first = await openApi({ place });
    const server = { type: 'streamableHttp', name: 'tasks', autoApprove: ['*'] };
    await first.json('POST', '/api/servers', { ...server, baseUrl: String(url) });
    const key = await makeKey(first);
    const asked = await call(withKey(first, key), '/mcp/tasks', 'long', {}, form);
    expect(asked.result?.inputRequests).toMatchObject({ ok: { method: 'elicitation/create' } });
    await first.close();
    const second = withKey(await openApi({ place }), key);
    const inputResponses = { ok: { action: 'accept', content: {} } };
    const next = { requestState: asked.result?.requestState ?? '', inputResponses };
    const done = await call(second, '/mcp/tasks', 'long', next, form);
    expect(done.result).toMatchObject({ content: [{ text: 'ok' }] });
    expect(updates).toMatchObject([{ ok: { action: 'accept' } }]);
  });
});

describe('a call that waits for approval', () => {
  it('is called off on another host as well, once the program declines', async () => {
    const echo = await startEcho();
    const place = await freshPlace();
    const first = await openApi({ place });
    const server = { type: 'streamableHttp', name: 'echo', baseUrl: echo.url };
    await first.json('POST', '/api/servers', server);
    const key = await makeKey(first);
    const page = { elicitation: { url: {} } };
    const order = ['/mcp/echo', 'echo', { arguments: { words: 'no' } }] as const;
    const asked = await call(withKey(first, key), ...order, page);
    expect(asked.result?.inputRequests).toMatchObject({
      approval: { params: { mode: 'url', url: expect.stringMatching(/^http:.*\/\?inbox$/) } },
    });
    await first.close();
    const second = await openApi({ place });
    const requestState = asked.result?.requestState ?? '';
    const next = { requestState, inputResponses: { approval: { action: 'decline' } } };
    const [path, name, args] = order;
    const done = await call(withKey(second, key), path, name, { ...args, ...next }, page);
    expect(done.result).toMatchObject({ isError: true });
    const { calls } = await second.json<{ calls: ToolCallView[] }>('GET', '/api/tool-calls');
    expect(calls).toMatchObject([{ state: 'cancelled' }]);
    expect(echo.calls).toEqual([]);
  });
});

describe('a call that goes on on another host', () => {
  it('is called off once its program leaves', async () => {
    const echo = await startEcho();
    const place = await freshPlace();
    const first = await openApi({ place });
    const server = { type: 'streamableHttp', name: 'echo', baseUrl: echo.url };
    await first.json('POST', '/api/servers', server);
    const key = await makeKey(first);
    const page = { elicitation: { url: {} } };
    const order = ['/mcp/echo', 'echo'] as const;
    const args = { arguments: { words: 'no' } };
    const asked = await call(withKey(first, key), ...order, args, page);
    await first.close();
    const second = await openApi({ place });
    const leaving = new AbortController();
    const { signal } = leaving;
    const left = {
      ...second,
      raw: (...[method, path, init]: Parameters<typeof second.raw>) =>
        second.raw(method, path, { ...init, signal }),
    };
    const next = { ...args, requestState: asked.result?.requestState ?? '' };
    const going = call(withKey(left, key), ...order, next, page).catch(() => undefined);
    const states = async () => {
      const { calls } = await second.json<{ calls: ToolCallView[] }>('GET', '/api/tool-calls');
      return calls.map(({ state }) => state);
    };
    await expect.poll(states).toEqual(['proposed']);
    leaving.abort();
    await expect.poll(states).toEqual(['cancelled']);
    await going;
    expect(echo.calls).toEqual([]);
  });
});

describe('what a program hears', () => {
  it('is a changed resource, over both ways to subscribe', async () => {
    const echo = await startEcho();
    const api = await openApi();
    await api.json('POST', '/api/servers', {
      type: 'streamableHttp',
      name: 'echo',
      baseUrl: echo.url,
    });
    for (const era of ['legacy', 'modern'] as const) {
      const program = await openProgram(api, era, { path: '/mcp/echo' });
      const { promise, resolve } = Promise.withResolvers<string>();
      program.setNotificationHandler('notifications/resources/updated', ({ params }) =>
        resolve(params.uri),
      );
      if (era === 'modern') await program.listen({ resourceSubscriptions: ['note://one'] });
      else await program.subscribeResource({ uri: 'note://one' });
      await vi.waitFor(() => echo.updated('note://one'), { timeout: 20_000 });
      const again = setInterval(() => echo.updated('note://one'), 100);
      expect(await promise).toBe('note://one');
      clearInterval(again);
    }
  });

  it('ends with the host: open streams end, and a call that runs gets its time', async () => {
    const echo = await startEcho();
    const api = await openApi();
    const server = { type: 'streamableHttp', name: 'echo', baseUrl: echo.url, autoApprove: ['*'] };
    await api.json('POST', '/api/servers', server);
    const key = await makeKey(api);
    const program = await openProgram(api, 'legacy', { path: '/mcp/echo', key });
    const calling = program.callTool({ name: 'hold', arguments: {} });
    await echo.held;
    const draining = api.host.drain(20_000);
    echo.release();
    expect(JSON.stringify(await calling)).toContain('released');
    await draining;
    const { calls } = await api.json<{ calls: ToolCallView[] }>('GET', '/api/tool-calls');
    expect(calls).toMatchObject([{ state: 'succeeded' }]);
  });
});
