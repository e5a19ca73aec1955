import { PassThrough } from 'node:stream';
import type { ListSessionsResponse, SessionUpdate } from '@agentclientprotocol/sdk';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '#client/client.ts';
import type { ServerView } from '#shared/api/api.ts';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import { calls, says } from '../../../test/fakes/scripted-model.ts';
import {
  callsIn,
  newSession,
  openEditor,
  prompt,
  saidIn,
} from '../../../test/fixtures/acp-editor.ts';
import { stored, token } from '../../../test/fixtures/http.ts';
import { model, noting, openV1, type V1 } from '../../../test/fixtures/v1.ts';
import { AcpAgent } from './acp-agent.ts';
import { RpcLines } from './rpc-lines.ts';

/** An editor on a host, over streams as those of a process. */
function editorOf({ fetch }: Pick<V1, 'fetch'>, choose?: Parameters<typeof openEditor>[1]) {
  const headers = { authorization: `Bearer ${token}` };
  const client = createClient({
    baseUrl: 'http://cerise.test:4310',
    headers,
    fetch: (url, init) => fetch(url, init),
  });
  const io = { stdin: new PassThrough(), stdout: new PassThrough() };
  const rpc = new RpcLines(io);
  const agent = new AcpAgent(client, rpc, '1.2.3');
  const running = rpc.run(agent.handlers, new AbortController().signal);
  const close = async () => {
    io.stdin.end();
    await running;
    await agent.close();
  };
  onTestFinished(close);
  return { ...openEditor(io, choose), close };
}

async function openHost(...[rounds, options]: Parameters<typeof openV1>): Promise<V1> {
  const api = await openV1(rounds, options);
  await api.json('PUT', '/api/settings', { defaultModel: model });
  return api;
}

/** The files of a person’s messages, as an editor lists them. */
const linksIn = (updates: readonly SessionUpdate[]): string[] =>
  updates.flatMap((update) =>
    update.sessionUpdate === 'user_message_chunk' && update.content.type === 'resource_link'
      ? [`${update.content.name} ${update.content.mimeType}`]
      : [],
  );

const thinking: Chunk[] = [
  { type: 'thinking-start', id: 'r' },
  { type: 'thinking-delta', id: 'r', text: 'Let me see.' },
  { type: 'thinking-complete', id: 'r' },
];

describe('an editor', () => {
  it('says hello, and gets what Cerise can do', async () => {
    const { agent } = editorOf(await openHost([]));
    const hello = { protocolVersion: 1, clientCapabilities: {} };
    expect(await agent.request('initialize', hello)).toMatchObject({
      protocolVersion: 1,
      agentInfo: { name: 'cerise', version: '1.2.3' },
      agentCapabilities: { loadSession: true, promptCapabilities: { embeddedContext: true } },
    });
    await expect(agent.request('session/dance', {})).rejects.toThrow('no method');
  });

  it('sees thoughts, calls as they go, and the text', async () => {
    const api = await openHost(
      [[...thinking, ...calls(['look_up', { what: 'x' }])], says('It rains.')],
      {
        tools: [noting([])],
      },
    );
    const editor = editorOf(api);
    const sessionId = await newSession(editor);
    expect(await prompt(editor, sessionId, 'What is the weather?')).toBe('end_turn');
    expect(saidIn(editor, 'agent_thought_chunk')).toBe('Let me see.');
    expect(saidIn(editor, 'agent_message_chunk')).toBe('It rains.');
    const states = callsIn(editor);
    expect(states[0]).toBe('Cerise · look_up: pending');
    expect(states.at(-1)).toBe('Cerise · look_up: completed');
    expect(editor.updates).toContainEqual(
      expect.objectContaining({
        sessionUpdate: 'tool_call_update',
        status: 'completed',
        rawInput: { what: 'x' },
        content: [{ type: 'content', content: { type: 'text', text: 'It rains.' } }],
      }),
    );
    expect((await stored(api, sessionId)).messages).toHaveLength(2);
  });

  it('sends files, pictures and links with a prompt', async () => {
    const api = await openHost([says('Seen.')]);
    const editor = editorOf(api);
    const sessionId = await newSession(editor);
    await editor.agent.request('session/prompt', {
      sessionId,
      prompt: [
        { type: 'text', text: 'Look' },
        { type: 'resource_link', uri: 'file:///a.ts', name: 'a.ts' },
        {
          type: 'resource',
          resource: { uri: 'file:///b.md', mimeType: 'text/markdown', text: '# B' },
        },
        { type: 'image', mimeType: 'image/png', data: Buffer.from('x').toString('base64') },
      ],
    });
    const [question] = (await stored(api, sessionId)).messages;
    expect(question?.blocks).toMatchObject([
      { type: 'file', name: 'b.md', mimeType: 'text/markdown' },
      { type: 'image', mimeType: 'image/png' },
      { type: 'main_text', content: 'Look\n[a.ts](file:///a.ts)' },
    ]);
    const second = editorOf(api);
    await second.agent.request('session/load', { sessionId, cwd: '/', mcpServers: [] });
    expect(saidIn(second, 'user_message_chunk')).toBe('Look\n[a.ts](file:///a.ts)');
    expect(linksIn(second.updates)).toEqual(['b.md text/markdown', 'image image/png']);
  });

  it('stops an answer', async () => {
    const gate = Promise.withResolvers<void>();
    const api = await openHost([calls(['look_up', {}])], {
      tools: [noting([], { before: gate.promise })],
    });
    const editor = editorOf(api);
    const sessionId = await newSession(editor);
    const ended = prompt(editor, sessionId, 'Go');
    await expect.poll(() => callsIn(editor).at(-1)).toBe('Cerise · look_up: in_progress');
    await editor.agent.notify('session/cancel', { sessionId });
    expect(await ended).toBe('cancelled');
    gate.resolve();
  });

  it('stops what it has only begun to send', async () => {
    const notes: unknown[] = [];
    const api = await openHost([calls(['look_up', {}]), says('Too late.')], {
      tools: [noting(notes)],
    });
    const editor = editorOf(api);
    const sessionId = await newSession(editor);
    const ended = prompt(editor, sessionId, 'Go');
    await editor.agent.notify('session/cancel', { sessionId });
    expect(await ended).toBe('cancelled');
    expect(saidIn(editor, 'agent_message_chunk')).not.toContain('Too late.');
  });

  it('hears why an answer failed', async () => {
    const details = { vendorMessage: 'Queue full' };
    const said = { message: 'The model is busy.', hint: 'Wait.', details };
    const error = { code: 'model_failed', ...said } as const;
    const editor = editorOf(await openHost([[{ type: 'error', error }]]));
    await expect(prompt(editor, await newSession(editor), 'Hi')).rejects.toThrow(
      'The model is busy. Wait. Queue full',
    );
  });

  it('chooses a model', async () => {
    const api = await openHost([says('Hi.')]);
    const editor = editorOf(api);
    const sessionId = await newSession(editor);
    const value = 'demo/scripted';
    const set = { sessionId, configId: 'model', value };
    expect(await editor.agent.request('session/set_config_option', set)).toMatchObject({
      configOptions: [{ id: 'model', currentValue: value }],
    });
    expect((await stored(api, sessionId)).topic.model).toBe(value);
  });
});

describe('a call that needs approval', () => {
  const pay = (notes: unknown[]) => noting(notes, { name: 'pay', writes: true, result: 'Paid.' });

  it.each([
    { choice: 'once', made: 1, end: 'completed' },
    { choice: 'deny', made: 0, end: 'failed' },
  ])('is asked about in the editor: $choice', async ({ choice, made, end }) => {
    const notes: unknown[] = [];
    const api = await openHost([calls(['pay', { what: 'a\u202Eb' }]), says('Done.')], {
      tools: [pay(notes)],
    });
    const editor = editorOf(api, async () => choice);
    const sessionId = await newSession(editor);
    expect(await prompt(editor, sessionId, 'Pay')).toBe('end_turn');
    expect(notes).toHaveLength(made);
    expect(editor.permissions).toMatchObject([
      {
        sessionId,
        toolCall: { title: 'Cerise · pay' },
        options: [{ kind: 'allow_once' }, {}, {}, { kind: 'reject_once' }],
      },
    ]);
    // Characters that hide are visible where a person decides.
    expect(JSON.stringify(editor.permissions[0]?.toolCall.content)).toContain('⟨U+202E');
    expect(callsIn(editor).at(-1)).toBe(`Cerise · pay: ${end}`);
  });

  it('can be decided in Cerise instead, and goes on in the editor', async () => {
    const notes: unknown[] = [];
    const api = await openHost([calls(['pay', {}]), says('Done.')], { tools: [pay(notes)] });
    const never = new Promise<undefined>(() => undefined);
    const editor = editorOf(api, () => never);
    const sessionId = await newSession(editor);
    const ended = prompt(editor, sessionId, 'Pay');
    await expect.poll(() => editor.permissions.length).toBe(1);
    const [call] = await api.host.approvals.waiting('local');
    const decision = { decision: 'approve', argsHash: call?.argsHash };
    await api.send('POST', `/api/tool-calls/${call?.id}/decision`, decision);
    expect(await ended).toBe('end_turn');
    expect(notes).toHaveLength(1);
  });
});

describe('a session', () => {
  it('is a chat that another editor loads, and continues', async () => {
    const api = await openHost(
      [[...thinking, ...calls(['look_up', {}])], says('One.'), says('Two.')],
      { tools: [noting([])] },
    );
    const first = editorOf(api);
    const sessionId = await newSession(first);
    await prompt(first, sessionId, 'Hi');
    await first.close();
    const second = editorOf(api);
    await newSession(second);
    await second.agent.request('session/load', { sessionId, cwd: '/', mcpServers: [] });
    expect(saidIn(second, 'user_message_chunk')).toBe('Hi');
    expect(saidIn(second, 'agent_message_chunk')).toBe('One.');
    expect(callsIn(second)).toEqual(['Cerise · look_up: pending', 'Cerise · look_up: completed']);
    expect(await prompt(second, sessionId, 'Again')).toBe('end_turn');
    expect(saidIn(second, 'agent_message_chunk')).toBe('One.Two.');
  });

  it('shows the rest of an answer that runs when it is loaded', async () => {
    const gate = Promise.withResolvers<void>();
    const api = await openHost([calls(['look_up', {}]), says('Late.')], {
      tools: [noting([], { before: gate.promise })],
    });
    const first = editorOf(api);
    const sessionId = await newSession(first);
    const ended = prompt(first, sessionId, 'Hi');
    await expect.poll(() => callsIn(first).length).toBeGreaterThan(1);
    const second = editorOf(api);
    await newSession(second);
    await second.agent.request('session/load', { sessionId, cwd: '/', mcpServers: [] });
    gate.resolve();
    await expect.poll(() => saidIn(second, 'agent_message_chunk')).toBe('Late.');
    await ended;
  });

  it('is in the list of sessions, and goes on without being shown again', async () => {
    const api = await openHost([says('One.'), says('Two.')]);
    const first = editorOf(api);
    const sessionId = await newSession(first);
    await prompt(first, sessionId, 'Hi');
    await api.json('PATCH', `/api/topics/${sessionId}`, { title: 'Greeting' });
    const second = editorOf(api);
    const listed = await second.agent.request<ListSessionsResponse>('session/list', { cwd: '/a' });
    expect(listed).toEqual({
      sessions: [{ sessionId, cwd: '/a', title: 'Greeting', updatedAt: expect.any(String) }],
    });
    await second.agent.request('session/resume', { sessionId, cwd: '/a' });
    expect(second.updates).toEqual([]);
    expect(await prompt(second, sessionId, 'Again')).toBe('end_turn');
    expect(saidIn(second, 'agent_message_chunk')).toBe('Two.');
  });

  it('is listed in pages', async () => {
    const api = await openHost([]);
    for (let index = 0; index < 51; index += 1) await api.json('POST', '/api/topics', {});
    const { agent } = editorOf(api);
    const ids = new Set<string>();
    let page: ListSessionsResponse = { sessions: [] };
    do {
      const cursor = page.nextCursor;
      page = await agent.request<ListSessionsResponse>('session/list', { cursor });
      for (const { sessionId } of page.sessions) ids.add(sessionId);
    } while (page.nextCursor);
    expect(ids.size).toBe(51);
  });

  it('stops its answer when it is closed', async () => {
    const never = new Promise<void>(() => undefined);
    const api = await openHost([calls(['look_up', {}])], {
      tools: [noting([], { before: never })],
    });
    const editor = editorOf(api);
    const sessionId = await newSession(editor);
    const ended = prompt(editor, sessionId, 'Hi');
    await expect.poll(() => callsIn(editor).length).toBeGreaterThan(1);
    await editor.agent.request('session/close', { sessionId });
    expect(await ended).toBe('cancelled');
  });

  it('says whose fault it is that something did not work', async () => {
    const { agent } = editorOf(await openHost([]));
    const sessionId = 'none';
    const image = { type: 'image', data: '***', mimeType: 'image/png' };
    await expect(
      agent.request('session/load', { sessionId, cwd: '/', mcpServers: [] }),
    ).rejects.toMatchObject({ code: -32_002 });
    await expect(
      agent.request('session/prompt', { sessionId, prompt: [image] }),
    ).rejects.toMatchObject({ code: -32_602, message: expect.stringContaining('base64') });
  });

  it('leaves no chat behind if nothing was said', async () => {
    const api = await openHost([]);
    const editor = editorOf(api);
    await newSession(editor);
    await editor.close();
    expect(await api.json('GET', '/api/topics')).toMatchObject({ topics: [] });
  });

  it('T01: attaches servers of the editor, but runs no command that nobody approved', async () => {
    const api = await openHost([says('Hi.')]);
    const editor = editorOf(api);
    const command = { name: 'local', command: '/bin/touch', args: ['/tmp/never'], env: [] };
    const remote = { type: 'http', name: 'remote', url: 'https://mcp.example/mcp', headers: [] };
    const sessionId = await newSession(editor, [command, remote]);
    const { servers } = await api.json<{ servers: ServerView[] }>('GET', '/api/servers');
    const attached = servers.filter(({ attachedTo }) => attachedTo);
    expect(attached.map(({ name, state }) => [name, state])).toEqual([
      ['local', 'draft'],
      ['remote', expect.not.stringMatching('draft')],
    ]);
    await prompt(editor, sessionId, 'Hi');
    expect(saidIn(editor, 'agent_message_chunk')).toMatch(/^local needs approval: .* mcp approve/);
    const load = { sessionId, cwd: '/', mcpServers: [command, remote] };
    await editor.agent.request('session/load', load);
    const after = await api.json<{ servers: ServerView[] }>('GET', '/api/servers');
    expect(after.servers.filter(({ attachedTo }) => attachedTo)).toHaveLength(2);
  });
});
