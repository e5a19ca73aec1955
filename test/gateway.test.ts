import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CreatedKeyView } from '#shared/api/people-api.ts';
import type { ToolCallView } from '#shared/api/tool-call-api.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import { startServed } from './conformance/served.ts';
import { type EchoServer, startEcho } from './fakes/echo-server.ts';
import { openApi, type TestApi } from './fixtures/http.ts';
import { type Era, eras, openProgram } from './fixtures/mcp-programs.ts';
import { owner } from './host.ts';

interface World {
  api: TestApi;
  echo: EchoServer;
  serverId: string;
  /** A key that an admin vouched for. */
  key: string;
}

/** A host with one foreign server, whose tools run unasked, and a trusted key. */
async function openWorld(limits: Partial<Limits> = {}): Promise<World> {
  const echo = await startEcho();
  const api = await openApi({ limits });
  const server = { type: 'streamableHttp', name: 'echo', baseUrl: echo.url, autoApprove: ['*'] };
  const { id } = await api.json<{ id: string }>('POST', '/api/servers', server);
  return { api, echo, serverId: id, key: await makeKey(api, { trusted: true }) };
}

async function makeKey(api: TestApi, fields: object = {}): Promise<string> {
  const body = { name: 'a program', scopes: ['chat'], ...fields };
  return (await api.json<CreatedKeyView>('POST', '/api/keys', body)).key;
}

function textOf(result: Awaited<ReturnType<Client['callTool']>>): string {
  const [first] = (result.content ?? []) as { text?: string }[];
  return first?.text ?? '';
}

async function latestCall(api: TestApi): Promise<ToolCallView> {
  const { calls } = await api.json<{ calls: ToolCallView[] }>('GET', '/api/tool-calls');
  const [first] = calls;
  if (!first) throw new Error('there is no call');
  return api.json<ToolCallView>('GET', `/api/tool-calls/${first.id}`);
}

async function approve(api: TestApi, { id, argsHash }: ToolCallView): Promise<void> {
  const decision = { decision: 'approve', scope: 'once', argsHash };
  const response = await api.send('POST', `/api/tool-calls/${id}/decision`, decision);
  expect(response.status).toBe(200);
}

describe.each(eras)('a program of the %s revision', (era) => {
  it('uses a server by its name or id, with its own names, and leaves a record', async () => {
    const { api, echo, serverId, key } = await openWorld();
    for (const path of ['/mcp/echo', `/mcp/${serverId}`]) {
      const program = await openProgram(api, era, { path, key });
      const result = await program.callTool({ name: 'echo', arguments: { words: path } });
      expect(textOf(result)).toBe(path);
    }
    expect(echo.calls).toHaveLength(2);
    expect(await latestCall(api)).toMatchObject({ toolName: 'echo', state: 'succeeded', serverId });
  });

  it('gets prompts, resources and completions, of all servers and of one', async () => {
    const { api, key } = await openWorld();
    const one = await openProgram(api, era, { path: '/mcp/echo', key });
    expect((await one.listPrompts()).prompts.map(({ name }) => name)).toEqual(['greet', 'read']);
    const { contents } = await one.readResource({ uri: 'note://one' });
    expect(contents).toMatchObject([{ uri: 'note://one', text: 'a note' }]);
    const all = await openProgram(api, era, { key });
    const { messages } = await all.getPrompt({
      name: 'mcp__echo__greet',
      arguments: { name: 'A' },
    });
    expect(JSON.stringify(messages)).toContain('Greet A.');
    const { resourceTemplates } = await all.listResourceTemplates();
    const template = resourceTemplates.find(({ name }) => name === 'notes')?.uriTemplate ?? '';
    expect(template).toMatch(/^cerise:[^:]+:note:\/\/\{name\}$/);
    const ref = { type: 'ref/resource', uri: template } as const;
    const { completion } = await all.complete({ ref, argument: { name: 'name', value: 't' } });
    expect(completion.values).toEqual(['two', 'three']);
    const filled = { uri: template.replace('{name}', 'two') };
    expect((await all.readResource(filled)).contents).toMatchObject([
      { ...filled, text: 'a note at note://two' },
    ]);
    const { resources } = await all.listResources();
    const uri = resources.find((each) => each.name === 'note')?.uri ?? '';
    expect(uri).toMatch(/^cerise:[^:]+:note:\/\/one$/);
    expect((await all.readResource({ uri })).contents).toMatchObject([{ uri, text: 'a note' }]);
    const read = await all.getPrompt({ name: 'mcp__echo__read' });
    expect(read.messages).toMatchObject([{ content: { uri } }, { content: { resource: { uri } } }]);
    await expect(all.readResource({ uri: 'cerise:nobody:note://one' })).rejects.toThrow(
      /not found/i,
    );
  });

  it('with a limited key sees and calls nothing but what the key is for', async () => {
    const { api, echo, serverId } = await openWorld();
    const servers = [{ id: serverId, tools: ['echo'] }];
    const key = await makeKey(api, { servers, trusted: true });
    const all = await openProgram(api, era, { key });
    expect((await all.listTools()).tools.map(({ name }) => name)).toEqual(['mcp__echo__echo']);
    await expect(all.callTool({ name: 'mcp__echo__hold', arguments: {} })).rejects.toThrow();
    await expect(
      all.callTool({ name: 'mcp__time__get_current_time', arguments: {} }),
    ).rejects.toThrow();
    expect((await all.listPrompts()).prompts).toEqual([]);
    const one = await openProgram(api, era, { path: '/mcp/echo', key });
    await expect(one.callTool({ name: 'hold', arguments: {} })).rejects.toThrow(/no tool named/);
    await expect(openProgram(api, era, { path: '/mcp/time', key })).rejects.toThrow();
    expect(echo.calls).toEqual([]);
  });

  it('counts as untrusted, so that what may change something waits for a person', async () => {
    const { api, echo } = await openWorld();
    const program = await openProgram(api, era, { path: '/mcp/echo', key: await makeKey(api) });
    const calling = program.callTool({ name: 'echo', arguments: { words: 'hello' } });
    await expect.poll(() => latestCall(api)).toMatchObject({ state: 'proposed' });
    const waiting = await latestCall(api);
    expect(echo.calls).toEqual([]);
    await approve(api, waiting);
    expect(textOf(await calling)).toBe('hello');
    expect(echo.calls).toEqual(['hello']);
  });

  it('is told that nobody approved in time, and the call cannot run any more', async () => {
    const { api, echo } = await openWorld({ mcpApprovalTime: 200 });
    const program = await openProgram(api, era, { path: '/mcp/echo', key: await makeKey(api) });
    const result = await program.callTool({ name: 'echo', arguments: { words: 'hello' } });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain("wasn't approved in time");
    expect(await latestCall(api)).toMatchObject({ state: 'cancelled', reach: 'never-left' });
    expect(echo.calls).toEqual([]);
  });

  it('shows the page of Cerise where it can and the policy asks', async () => {
    const { api } = await openWorld();
    const program = await openProgram(api, era, {
      path: '/mcp/echo',
      key: await makeKey(api),
      capabilities: { elicitation: { url: {} } },
    });
    const shown: unknown[] = [];
    program.setRequestHandler('elicitation/create', async ({ params }) => {
      shown.push(params);
      await approve(api, await latestCall(api));
      return { action: 'accept' };
    });
    const result = await program.callTool({ name: 'echo', arguments: { words: 'hello' } });
    expect(textOf(result)).toBe('hello');
    expect(shown).toMatchObject([
      { mode: 'url', url: expect.stringContaining('http://cerise.test') },
    ]);
  });

  it('cancels a call, which the server is told', async () => {
    const { api, echo, key } = await openWorld();
    const program = await openProgram(api, era, { path: '/mcp/echo', key });
    const stop = new AbortController();
    const calling = program.callTool({ name: 'hold', arguments: {} }, { signal: stop.signal });
    await echo.held;
    stop.abort();
    await expect(calling).rejects.toThrow();
    await echo.cancelled;
    await expect.poll(() => latestCall(api)).toMatchObject({ state: 'cancelled' });
  });

  it('T87: loses a call that runs with its key, and hears nothing more of it', async () => {
    const { api, echo, key } = await openWorld();
    const program = await openProgram(api, era, { path: '/mcp/echo', key });
    const calling = program.callTool({ name: 'hold', arguments: {} });
    await echo.held;
    const { keys } = await api.json<{ keys: { id: string }[] }>('GET', '/api/keys');
    expect((await api.send('DELETE', `/api/keys/${keys[0]?.id}`)).status).toBe(204);
    await expect(calling).rejects.toThrow();
    await echo.cancelled;
    await expect.poll(() => latestCall(api)).toMatchObject({ state: 'cancelled' });
  });

  it('T87: keeps a call whose key outlives a new password', async () => {
    const { api, echo, key } = await openWorld();
    const program = await openProgram(api, era, { path: '/mcp/echo', key });
    const calling = program.callTool({ name: 'hold', arguments: {} });
    await echo.held;
    const change = { password: 'a new password' };
    expect((await api.send('PATCH', `/api/users/${owner}`, change)).status).toBe(200);
    echo.release();
    expect(textOf(await calling)).toBe('released');
  });

  it('cancels a call before Cerise has reached the server, which never gets it', async () => {
    const echo = await startEcho();
    const resume = echo.pause();
    const api = await openApi();
    const server = { type: 'streamableHttp', name: 'echo', baseUrl: echo.url, autoApprove: ['*'] };
    await api.json('POST', '/api/servers', server);
    const key = await makeKey(api, { trusted: true });
    const program = await openProgram(api, era, { path: '/mcp/echo', key });
    const lookUp = vi.spyOn(api.host.servers, 'tool');
    const stop = new AbortController();
    const no = { name: 'echo', arguments: { words: 'no' } };
    const calling = program.callTool(no, { signal: stop.signal });
    await expect.poll(() => lookUp).toHaveBeenCalled();
    stop.abort();
    await expect(calling).rejects.toThrow();
    resume();
    const ended = { state: 'cancelled', reach: 'never-left' };
    await expect.poll(() => latestCall(api)).toMatchObject(ended);
    expect(echo.calls).toEqual([]);
  });

  it('hears of progress', async () => {
    const { api, key } = await openWorld();
    const program = await openProgram(api, era, { path: '/mcp/echo', key });
    const heard: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => void heard.push(progress);
    await program.callTool({ name: 'steps', arguments: {} }, { onprogress });
    expect(heard).toEqual([1, 2, 3]);
  });

  it('answers the questions of a server, or a person does in Cerise', async () => {
    const { api, key } = await openWorld();
    const able = await openProgram(api, era, {
      path: '/mcp/demo',
      key,
      capabilities: { elicitation: { form: {} } },
    });
    able.setRequestHandler('elicitation/create', async () => ({
      action: 'accept',
      content: { name: 'Ada' },
    }));
    const order = { name: 'ask_form', arguments: {} };
    expect(textOf(await able.callTool(order))).toContain('Ada');
    const unable = await openProgram(api, era, { path: '/mcp/demo', key });
    const calling = unable.callTool(order);
    const inputs = async () =>
      (await api.json<{ inputs: { id: string }[] }>('GET', '/api/inputs')).inputs;
    await expect.poll(inputs).toHaveLength(1);
    const [{ id } = { id: '' }] = await inputs();
    const answer = { action: 'accept', content: { name: 'Grace' } };
    await api.json('POST', `/api/inputs/${id}`, answer);
    expect(textOf(await calling)).toContain('Grace');
  });

  it('uses its own model for a server that asks for one', async () => {
    const { api, key } = await openWorld();
    const program = await openProgram(api, era, {
      path: '/mcp/demo',
      key,
      capabilities: { sampling: {} },
    });
    program.setRequestHandler('sampling/createMessage', async () => ({
      role: 'assistant',
      model: 'theirs',
      content: { type: 'text', text: 'from their model' },
    }));
    const result = await program.callTool({ name: 'ask_model', arguments: { question: 'why?' } });
    expect(JSON.stringify(result.content)).toContain('from their model');
  });

  it('finds tools behind a search, and calls them through it', async () => {
    const { api, echo, key } = await openWorld();
    const program = await openProgram(api, era, { path: '/mcp?tools=search', key });
    const { tools } = await program.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['search_tools', 'call_tool']);
    const found = await program.callTool({ name: 'search_tools', arguments: { query: 'echo' } });
    expect(textOf(found)).toContain('mcp__echo__echo');
    const args = { name: 'mcp__echo__echo', arguments: { words: 'hello' } };
    expect(textOf(await program.callTool({ name: 'call_tool', arguments: args }))).toBe('hello');
    expect(echo.calls).toEqual(['hello']);
  });

  it('is told of changed lists', async () => {
    const { api, echo, key } = await openWorld();
    const program = await openProgram(api, era, { path: '/mcp/echo', key });
    await program.listTools();
    const { promise, resolve } = Promise.withResolvers<void>();
    await hearTools(program, era, resolve);
    echo.changed();
    await promise;
  });
});

async function hearTools(program: Client, era: Era, tell: () => void): Promise<void> {
  program.setNotificationHandler('notifications/tools/list_changed', tell);
  if (era === 'modern') await program.listen({ toolsListChanged: true });
}

describe('what a program is not told', () => {
  it('is the log of a server that it does not manage', async () => {
    const { api, key } = await openWorld();
    const served = await startServed();
    onTestFinished(() => served.close());
    const server = { type: 'streamableHttp', name: 'served', baseUrl: served.url };
    await api.json('POST', '/api/servers', { ...server, autoApprove: ['*'] });
    const full = await makeKey(api, { scopes: ['admin'], trusted: true });
    const heard = { full: 0, chat: 0 };
    for (const [name, each] of [
      ['full', full],
      ['chat', key],
    ] as const) {
      const program = await openProgram(api, 'legacy', { path: '/mcp/served', key: each });
      program.setNotificationHandler('notifications/message', () => void (heard[name] += 1));
      await program.setLoggingLevel('debug');
      await program.callTool({ name: 'test_tool_with_logging', arguments: {} });
    }
    await expect.poll(() => heard.full).toBeGreaterThanOrEqual(3);
    expect(heard.chat).toBe(0);
  });

  it('asks for no roots of a program unless an admin set the server to take them', async () => {
    const { api, key } = await openWorld();
    const served = await startServed();
    onTestFinished(() => served.close());
    const server = { type: 'streamableHttp', baseUrl: served.url, autoApprove: ['*'] };
    await api.json('POST', '/api/servers', { ...server, name: 'plain' });
    await api.json('POST', '/api/servers', { ...server, name: 'taking', callerRoots: true });
    const answers = await Promise.all(
      ['plain', 'taking'].map(async (name) => {
        const capabilities = { roots: {} };
        const program = await openProgram(api, 'legacy', {
          path: `/mcp/${name}`,
          key,
          capabilities,
        });
        const roots = [{ uri: 'file:///theirs' }];
        program.setRequestHandler('roots/list', async () => ({ roots }));
        const call = { name: 'test_input_required_result_list_roots', arguments: {} };
        return textOf(await program.callTool(call));
      }),
    );
    expect(answers[0]).not.toContain('theirs');
    expect(answers[1]).toContain('file:///theirs');
  });
});

describe('what a program hears', () => {
  it('is nothing of servers that its key is not for', async () => {
    const api = await openApi();
    const add = (name: string) =>
      api.json<{ id: string }>('POST', '/api/servers', {
        type: 'streamableHttp',
        name,
        baseUrl: 'http://127.0.0.1:9/mcp',
      });
    const { id } = await add('one');
    const within = [{ id }];
    const credential = { kind: 'key', id: 'a key', scopes: ['chat'], within } as const;
    const door = await api.host.doors.open({ owner, role: 'admin', credential });
    const heard: unknown[] = [];
    onTestFinished(api.host.doors.listen(door, (news) => heard.push(news)));
    await add('other');
    expect(door.servers().map((server) => server.id)).toEqual([id]);
    expect(heard).toEqual([]);
    await api.json('PATCH', `/api/servers/${id}`, { name: 'first' });
    await expect.poll(() => heard.length).toBeGreaterThan(0);
  });
});
