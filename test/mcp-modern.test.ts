import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { memorySkillFiles, SkillsExtension } from '@modelcontextprotocol/server/ext/skills';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { McpService, McpServiceOptions } from '#mcp/service/mcp-service.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { listen } from './fakes/loopback.ts';
import { approved, callTool, testService } from './fakes/mcp-servers.ts';
import { beginEvents } from './fixtures/http-channel.ts';
import { Refusal, startModern } from './fixtures/modern-http.ts';

const done = { resultType: 'complete', content: [{ type: 'text', text: 'done' }] };
const tool = (name: string, properties: object = {}) => ({
  name,
  inputSchema: { type: 'object', properties },
});
const tools = (...names: string[]) => ({ tools: names.map((name) => tool(name)) });

async function meet(
  url: URL | string,
  options: Partial<McpServiceOptions> = {},
): Promise<{ service: McpService; id: string }> {
  const service = testService(options);
  onTestFinished(() => service.close());
  const record = approved({ type: 'streamableHttp', baseUrl: String(url) });
  await service.setServer(record);
  return { service, id: record.id };
}

describe('keeping what a modern server said', () => {
  it('lasts as long as the server says, not as long as we would', async () => {
    let lists = 0;
    const { url } = await startModern({
      'tools/list': () => ({ ...tools(`t${++lists}`), ttlMs: 1000, cacheScope: 'private' }),
    });
    const { service, id } = await meet(url);
    const name = async () => (await service.listTools(id))[0]?.name;
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    expect([await name(), await name()]).toEqual(['t1', 't1']);
    vi.setSystemTime(Date.now() + 999);
    expect(await name()).toBe('t1');
    vi.setSystemTime(Date.now() + 2);
    expect(await name()).toBe('t2');
  });

  it('lasts no time where the server says 0, and a call needs no new list', async () => {
    let lists = 0;
    const { url, requests } = await startModern({
      'tools/list': () => ({ ...tools('act', `t${++lists}`), ttlMs: 0, cacheScope: 'private' }),
      'tools/call': () => done,
    });
    const { service, id } = await meet(url);
    await service.listTools(id);
    expect((await service.listTools(id))[1]?.name).toBe('t2');
    const before = requests.length;
    await callTool(service, id, 'act');
    expect(requests.slice(before).map(({ message }) => message?.method)).toEqual(['tools/call']);
  });

  it('goes through all pages, also one whose cursor is empty', async () => {
    const pages: Record<string, object> = {
      first: { ...tools('one'), nextCursor: '' },
      '': { ...tools('two'), nextCursor: 'x' },
      x: tools('three'),
    };
    const { url } = await startModern({
      'tools/list': ({ params }) => pages[(params.cursor as string | undefined) ?? 'first'],
    });
    const { service, id } = await meet(url);
    expect((await service.listTools(id)).map(({ name }) => name)).toEqual(['one', 'two', 'three']);
  });
});

describe('a call to a modern server', () => {
  it('mirrors its marked arguments, and lists the tools again when the server minds', async () => {
    let header = 'Region';
    const calls: unknown[] = [];
    const { url, requests } = await startModern({
      'tools/list': () => ({
        tools: [tool('act', { region: { type: 'string', 'x-mcp-header': header } })],
        ttlMs: 60_000,
      }),
      'tools/call': ({ headers }) => {
        calls.push([headers['mcp-param-region'], headers['mcp-param-zone']]);
        if (headers[`mcp-param-${header.toLowerCase()}`] === undefined)
          throw new Refusal(-32020, 'Header mismatch');
        return done;
      },
    });
    const { service, id } = await meet(url);
    await callTool(service, id, 'act', { region: 'süd' });
    header = 'Zone';
    expect((await callTool(service, id, 'act', { region: 'nord' })).content).toEqual(done.content);
    expect(calls).toEqual([
      ['=?base64?c8O8ZA==?=', undefined],
      ['nord', undefined],
      [undefined, 'nord'],
    ]);
    expect(requests.filter(({ message }) => message?.method === 'tools/list')).toHaveLength(2);
  });

  it('is refused after the second mismatch', async () => {
    let calls = 0;
    const { url } = await startModern({
      'tools/list': () => tools('act'),
      'tools/call': () => {
        calls += 1;
        throw new Refusal(-32020, 'Header mismatch');
      },
    });
    const { service, id } = await meet(url);
    await expect(callTool(service, id, 'act')).rejects.toMatchObject({ code: 'protocol_error' });
    expect(calls).toBe(2);
  });

  it.each([
    ['a missing capability', -32021, 'protocol_error'],
    ['an internal error', -32603, 'protocol_error'],
    ['an unknown tool', -32602, 'tool_not_found'],
  ])('that meets %s is sent once', async (_what, number, code) => {
    let calls = 0;
    const { url } = await startModern({
      'tools/list': () => tools('act'),
      'tools/call': () => {
        calls += 1;
        throw new Refusal(number, 'Unknown tool: act');
      },
    });
    const { service, id } = await meet(url);
    await expect(callTool(service, id, 'act')).rejects.toMatchObject({ code });
    expect(calls).toBe(1);
  });

  it('that gets a result of an unknown kind fails', async () => {
    const { url } = await startModern({
      'tools/list': () => tools('act'),
      'tools/call': () => ({ resultType: 'hologram', content: [] }),
    });
    const { service, id } = await meet(url);
    await expect(callTool(service, id, 'act')).rejects.toMatchObject({
      code: 'unreadable_response',
    });
  });

  it('gives the state back byte for byte, under a new id and with the answers', async () => {
    const state = '{"n": 1.0, "ü":"\\u0000\\ud83d", "x":" \\n"}  ';
    const asked: { id: number; params: JsonObject; body: string }[] = [];
    const { url, requests } = await startModern({
      'tools/list': () => tools('act'),
      'tools/call': ({ id, params }) => {
        asked.push({ id, params, body: requests.at(-1)?.body ?? '' });
        if (params.inputResponses) return done;
        const inputRequests = {
          who: {
            method: 'elicitation/create',
            params: {
              message: 'Who?',
              requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
            },
          },
          where: { method: 'roots/list' },
        };
        return { resultType: 'input_required', inputRequests, requestState: state };
      },
    });
    const seen: unknown[] = [];
    const { service, id } = await meet(url, {
      answers: () => ({
        elicit: async (request, { serverName, callId }) => {
          seen.push({ message: request.message, serverName, callId });
          return { action: 'accept', content: { name: 'Ada' } };
        },
        sample: () => Promise.reject(new Error('not asked')),
        roots: async () => [{ uri: 'file:///work' }],
      }),
    });
    const call = callTool(service, id, 'act', {}, { callId: 'ask-me' });
    expect((await call).content).toEqual(done.content);
    expect(seen).toEqual([{ message: 'Who?', serverName: 'test', callId: 'ask-me' }]);
    expect(asked[1]?.params).toMatchObject({
      name: 'act',
      requestState: state,
      inputResponses: {
        who: { action: 'accept', content: { name: 'Ada' } },
        where: { roots: [{ uri: 'file:///work' }] },
      },
    });
    expect(asked[1]?.body).toContain(JSON.stringify(state));
    expect(asked[1]?.id).not.toBe(asked[0]?.id);
  });

  it('ignores what the server asks beside its results, and says nothing to it', async () => {
    const { url, requests } = await startModern({
      'tools/list': () => tools('act'),
      'tools/call': ({ id, response }) => {
        const question = { jsonrpc: '2.0', id: 77, method: 'roots/list' };
        beginEvents(response, `data: ${JSON.stringify(question)}\n\n`);
        response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: done })}\n\n`);
        return undefined;
      },
    });
    const { service, id } = await meet(url);
    expect((await callTool(service, id, 'act')).content).toEqual(done.content);
    await service.checkConnectivity(id);
    expect(requests.filter(({ body }) => body.includes('"id":77'))).toEqual([]);
    expect(service.logs(id).join('\n')).toContain('ignored a request from the server: roots/list');
  });
});

describe('a resource that is not there', () => {
  it.each([-32002, -32602])('is not found, whichever way the server says so (%i)', async (code) => {
    const { url } = await startModern(
      {
        'resources/read': ({ params }) => {
          throw new Refusal(code, 'Resource not found', { uri: params.uri });
        },
      },
      { resources: {} },
    );
    const { service, id } = await meet(url);
    await expect(service.getResource(id, 'memo:none')).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('a task of a modern server', () => {
  const task = (status: string, more: object = {}) => ({
    taskId: 't-1',
    status,
    createdAt: '2026-07-28T00:00:00Z',
    lastUpdatedAt: '2026-07-28T00:00:00Z',
    ttlMs: 60_000,
    pollIntervalMs: 100,
    ...more,
  });

  it('is waited for, tells what it does, asks, and is found by its id in the headers', async () => {
    let polls = 0;
    const names: unknown[] = [];
    const answers: unknown[] = [];
    const question = {
      sure: { method: 'elicitation/create', params: { message: '?', requestedSchema: form } },
    };
    const { url } = await startModern({
      'tools/list': () => tools('long'),
      'tools/call': () => ({ resultType: 'task', ...task('working', { statusMessage: 'begun' }) }),
      'tasks/get': ({ headers }) => {
        names.push(headers['mcp-name']);
        polls += 1;
        if (polls === 1) return task('input_required', { inputRequests: question });
        return polls < 3 ? task('working') : task('completed', { result: done });
      },
      'tasks/update': ({ params }) => {
        answers.push(params.inputResponses);
        return {};
      },
    });
    const heard: unknown[] = [];
    const { service, id } = await meet(url, {
      answers: () => ({
        elicit: async () => ({ action: 'accept', content: { ok: true } }),
        sample: () => Promise.reject(new Error('not asked')),
        roots: async () => [],
      }),
    });
    const onProgress = ({ message }: { message?: string | undefined }): void =>
      void heard.push(message);
    const result = await callTool(service, id, 'long', {}, { onProgress });
    expect(result.content).toEqual(done.content);
    expect(heard).toContain('begun');
    expect(answers).toEqual([{ sure: { action: 'accept', content: { ok: true } } }]);
    expect(new Set(names)).toEqual(new Set(['t-1']));
  });

  it('is cancelled at the server when the call is', async () => {
    const cancelled = Promise.withResolvers<unknown>();
    const begun = Promise.withResolvers<void>();
    const { url, requests } = await startModern({
      'tools/list': () => tools('long'),
      'tools/call': () => ({ resultType: 'task', ...task('working') }),
      'tasks/get': () => {
        begun.resolve();
        return task('working');
      },
      'tasks/cancel': ({ params }) => {
        cancelled.resolve(params.taskId);
        return {};
      },
    });
    const { service, id } = await meet(url);
    const call = callTool(service, id, 'long', {}, { callId: 'stop-me' });
    await begun.promise;
    service.abortTool('stop-me');
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
    expect(await cancelled.promise).toBe('t-1');
    expect(requests.filter(({ message }) => message?.method === 'tools/call')).toHaveLength(1);
  });

  const form = { type: 'object', properties: { ok: { type: 'boolean' } } };
});

describe('the skills of a real server', () => {
  it('are listed without being read, and loaded when they are what was listed', async () => {
    const skills = await SkillsExtension.load(
      memorySkillFiles({
        'pdf/SKILL.md':
          '---\nname: pdf\ndescription: >-\n  Reads PDFs\n  and fills them\nmetadata:\n  version: "1.0"\n---\nDo it.\n',
        'pdf/references/forms.md': 'Forms.\n',
      }),
    );
    const handler = createMcpHandler(() => {
      const server = new McpServer({ name: 'skilled', version: '1' });
      skills.attach(server);
      return server;
    });
    const methods: string[] = [];
    const web = await listen((request) => {
      methods.push(request.headers.get('mcp-method') ?? '');
      return handler.fetch(request);
    });
    onTestFinished(() => web.close());
    const { service, id } = await meet(web.url);
    const [skill] = await service.listSkills(id);
    expect(skill).toMatchObject({
      uri: 'skill://pdf/SKILL.md',
      name: 'pdf',
      description: 'Reads PDFs and fills them',
    });
    expect(methods).not.toContain('resources/read');
    const loaded = await service.loadSkill(id, 'skill://pdf/SKILL.md');
    expect(loaded.verified).toBe(true);
    expect(loaded.bytes.toString()).toContain('Do it.');
    const forms = 'skill://pdf/references/forms.md';
    const file = await service.readSkillFile(id, 'skill://pdf/SKILL.md', forms);
    expect(file.bytes.toString()).toBe('Forms.\n');
  });
});
