import { describe, expect, it } from 'vitest';
import type { Topic } from '#shared/vocabulary/message.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import { says, ScriptedModel } from '../../../test/fakes/scripted-model.ts';
import { dump, errorOf, openApi, type TestApi, token } from '../../../test/fixtures/http.ts';
import { ask } from '../../../test/host.ts';

const model = 'test/scripted';

async function start() {
  const bugs: string[] = [];
  const quiet = () => undefined;
  const logger: Logger = {
    debug: quiet,
    info: quiet,
    warn: quiet,
    error: (_fields, message) => bugs.push(message),
  };
  const scripted = new ScriptedModel(says('one'), says('two'));
  const api = await openApi({ logger, models: { [model]: scripted } });
  const topic = await api.json<Topic>('POST', '/api/topics', { title: 'Topic', model });
  const other = await api.json<Topic>('POST', '/api/topics', { title: 'Other', model });
  const answer = await ask(api.host, other.id, 'hi');
  return { api, topic, other, answer, bugs };
}

/** What a request that must fail got; checks that it has a sentence, and that nothing was stored. */
async function refused(
  api: TestApi,
  method: string,
  path: string,
  body?: unknown,
): Promise<string> {
  const before = await dump(api);
  const error = await errorOf(await api.send(method, path, body));
  expect(error.message).toMatch(/^\S.{8,}$/s);
  expect(await dump(api)).toBe(before);
  return `${error.status} ${error.code}`;
}

const missing: [method: string, path: string, body: unknown, expected: string][] = [
  ['GET', '/api/topics/none', undefined, '404 topic_not_found'],
  ['GET', '/api/topics/none/events', undefined, '404 topic_not_found'],
  ['GET', '/api/topics/none/messages', undefined, '404 topic_not_found'],
  ['PATCH', '/api/topics/none', { title: 'x' }, '404 topic_not_found'],
  ['DELETE', '/api/topics/none', undefined, '404 topic_not_found'],
  ['POST', '/api/topics/none/messages', { text: 'hi' }, '404 topic_not_found'],
  ['POST', '/api/topics/__proto__/messages', { text: 'hi' }, '404 topic_not_found'],
  ['POST', '/api/topics', { model: 'nobody/nothing' }, '404 model_not_found'],
  ['POST', '/api/topics', { assistantId: 'none' }, '404 assistant_not_found'],
  ['PUT', '/api/settings', { defaultModel: 'nobody/x' }, '404 model_not_found'],
  ['POST', '/api/answers/none/stop', undefined, '404 answer_not_found'],
  ['POST', '/api/answers/none/regenerate', {}, '404 answer_not_found'],
  ['GET', '/api/servers/none', undefined, '404 server_not_found'],
  ['GET', '/api/servers/none/tools', undefined, '404 server_not_found'],
  ['GET', '/api/servers/none/logs', undefined, '404 server_not_found'],
  ['POST', '/api/servers/none/connect', {}, '404 server_not_found'],
  ['POST', '/api/servers/none/approve', { launchHash: 'x' }, '404 server_not_found'],
  ['PATCH', '/api/servers/constructor', { name: 'x' }, '404 server_not_found'],
  ['DELETE', '/api/servers/none', undefined, '404 server_not_found'],
  ['POST', '/api/servers/none/tools/echo/call', {}, '404 server_not_found'],
  ['POST', '/api/servers/demo/tools/none/call', {}, '404 tool_not_found'],
  ['POST', '/api/servers/demo/tools/toString/call', {}, '404 tool_not_found'],
  ['GET', '/api/tool-calls/none', undefined, '404 tool_call_not_found'],
  ['POST', '/api/tool-calls/none/abort', undefined, '404 tool_call_not_found'],
  [
    'POST',
    '/api/tool-calls/none/decision',
    { decision: 'deny', argsHash: '' },
    '404 tool_call_not_found',
  ],
  ['PATCH', '/api/assistants/none', { name: 'x' }, '404 assistant_not_found'],
  ['DELETE', '/api/assistants/none', undefined, '404 assistant_not_found'],
  ['PATCH', '/api/providers/none', {}, '404 provider_not_found'],
  ['DELETE', '/api/providers/none', undefined, '404 provider_not_found'],
  ['GET', '/api/nothing', undefined, '404 not_found'],
  ['DELETE', '/api/models', undefined, '404 not_found'],
];

describe('a client that goes away', () => {
  it.for(['/api/topics', '/api/data/import', '/api/files'])(
    'while it sends a body to %s, is no bug of ours',
    async (path) => {
      const { api, bugs } = await start();
      const body = new ReadableStream({
        pull(controller) {
          controller.error(new Error('aborted'));
        },
      });
      const type = path === '/api/topics' ? 'application/json' : 'application/x-ndjson';
      const headers = { authorization: `Bearer ${token}`, 'content-type': type };
      const init = { headers, body, duplex: 'half' as const };
      expect(await errorOf(await api.raw('POST', path, init))).toMatchObject({ code: 'cancelled' });
      expect(bugs).toEqual([]);
    },
  );
});

describe('a request for something that is not there', () => {
  it('is answered with the code of what is missing', async () => {
    const api = await openApi();
    for (const [method, path, body, expected] of missing)
      expect(await refused(api, method, path, body), `${method} ${path}`).toBe(expected);
  });

  it('names a message, a branch or an answer of another topic', async () => {
    const { api, topic, answer } = await start();
    const messages = `/api/topics/${topic.id}/messages`;
    const send = (body: object) => refused(api, 'POST', messages, { text: 'hi', ...body });
    expect(await send({ parentId: answer.id })).toBe('404 message_not_found');
    expect(await send({ parentId: 'none' })).toBe('404 message_not_found');
    expect(await send({ model: 'nobody/none' })).toBe('404 model_not_found');
    const show = { activeLeafId: answer.id };
    expect(await refused(api, 'PATCH', `/api/topics/${topic.id}`, show)).toBe(
      '404 message_not_found',
    );
    const user = `/api/answers/${answer.parentId}/regenerate`;
    expect(await refused(api, 'POST', user, {})).toBe('404 answer_not_found');
  });
});

describe('a message', () => {
  it.each(['', ' ', '\n\t \u3000', '\u00a0'])('of %j is empty', async (text) => {
    const { api, topic } = await start();
    const path = `/api/topics/${topic.id}/messages`;
    expect(await refused(api, 'POST', path, { text })).toBe('400 message_empty');
  });

  it('of 600 KiB is too large, counted in bytes; the whole body may be 1 MiB', async () => {
    const { api, topic } = await start();
    const path = `/api/topics/${topic.id}/messages`;
    const refuse = (text: string) => refused(api, 'POST', path, { text });
    expect(await refuse('a'.repeat(600 * 1024))).toBe('413 message_too_large');
    expect(await refuse('界'.repeat(200 * 1024))).toBe('413 message_too_large');
    expect(await refuse('a'.repeat(2 * 1024 * 1024))).toBe('413 body_too_large');
  });

  it('of 512 KiB is accepted', async () => {
    const { api, topic } = await start();
    const answer = await ask(api.host, topic.id, 'a'.repeat(512 * 1024));
    expect(answer.status).toBe('success');
  });
});

const wrongBodies: [body: string, expected: string][] = [
  ['{"text": "hi"', '400 invalid_json'],
  ['not json', '400 invalid_json'],
  ["{'text': 'hi'}", '400 invalid_json'],
  ['\u0000', '400 invalid_json'],
  ['[]', '400 invalid_request'],
  ['null', '400 invalid_request'],
  ['7', '400 invalid_request'],
  ['"text"', '400 invalid_request'],
  ['', '400 invalid_request'],
  ['{}', '400 invalid_request'],
  ['{"text": 7}', '400 invalid_request'],
  ['{"text": ["hi"]}', '400 invalid_request'],
  ['{"text": {"toString": "x"}}', '400 invalid_request'],
  ['{"text": "hi", "model": 7}', '400 invalid_request'],
  ['{"text": "hi", "tools": "all"}', '400 invalid_request'],
  ['{"text": "hi", "tools": {"mode": "sometimes"}}', '400 invalid_request'],
  ['{"text": "hi", "unknown": true}', '400 invalid_request'],
  ['{"text": "hi", "owner": "somebody"}', '400 invalid_request'],
  ['{"text": "hi", "constructor": {}}', '400 invalid_request'],
];

describe('a body', () => {
  it('that is no JSON or has another shape is refused', async () => {
    const { api, topic, bugs } = await start();
    for (const [body, expected] of wrongBodies)
      expect(await refused(api, 'POST', `/api/topics/${topic.id}/messages`, body), body).toBe(
        expected,
      );
    expect(bugs).toEqual([]);
  });

  it('says which field is wrong, without repeating what was sent', async () => {
    const { api, topic } = await start();
    const path = `/api/topics/${topic.id}`;
    const error = await errorOf(
      await api.send('PATCH', path, { parameters: { temperature: 'secret-canary' } }),
    );
    expect(error.details).toEqual([{ path: 'parameters.temperature', message: expect.anything() }]);
    expect(JSON.stringify(error)).not.toContain('secret-canary');
  });

  it.each([
    ['PATCH', '/api/servers/none', '{"__proto__": {"polluted": 1}}'],
    ['POST', '/api/assistants', '{"name": "a", "__proto__": {"polluted": 1}}'],
    ['POST', '/api/servers/demo/tools/echo/call', '{"arguments": {"__proto__": {"polluted": 1}}}'],
    ['POST', '/api/servers', '{"type":"__proto__","name":"x","command":"x"}'],
  ])('%s %s %s pollutes nothing', async (method, path, body) => {
    const { api, bugs } = await start();
    const response = await api.send(method, path, body);
    expect(response.status).toBeLessThan(500);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect(bugs).toEqual([]);
  });

  it.each(['[', '{"a":'])('nested half a million deep with %s is refused', async (open) => {
    const { api, bugs } = await start();
    const close = open === '[' ? ']' : '}';
    const depth = open === '[' ? 500_000 : 170_000;
    const deep = `${open.repeat(depth)}1${close.repeat(depth)}`;
    const path = '/api/servers/demo/tools/echo/call';
    const error = await errorOf(await api.send('POST', path, `{"arguments":{"message":${deep}}}`));
    expect(error).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(bugs).toEqual([]);
  });

  it('without a length is cut off at the limit', async () => {
    const { api, bugs } = await start();
    const before = await dump(api);
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 64 * 1024;
        controller.enqueue(new Uint8Array(64 * 1024).fill(0x20));
        if (sent >= 10 * 1024 * 1024) controller.close();
      },
    });
    const init = {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body,
      duplex: 'half' as const,
    };
    const response = await api.raw('POST', '/api/topics', init);
    expect(await errorOf(response)).toMatchObject({ status: 413, code: 'body_too_large' });
    expect(sent).toBeLessThan(2 * 1024 * 1024);
    expect(await dump(api)).toBe(before);
    expect(bugs).toEqual([]);
  });
});

describe('other input', () => {
  it.each([
    '/api/topics?limit=abc',
    '/api/topics?limit=0',
    '/api/topics?limit=-1',
    '/api/topics?limit=501',
    '/api/topics?limit=1.5',
  ])('%s is refused', async (path) => {
    const api = await openApi();
    expect(await refused(api, 'GET', path)).toBe('400 invalid_request');
  });

  it.each(['%00', "'; drop table topics; --", '" OR *', '*', 'NEAR(', '%', '_', '你', '\\'])(
    'a search for %j answers with hits or none',
    async (query) => {
      const { api, bugs } = await start();
      const response = await api.send('GET', `/api/search?q=${encodeURIComponent(query)}`);
      expect(response.status).toBe(200);
      expect(bugs).toEqual([]);
    },
  );

  it('that only looks like a path is not found', async () => {
    const { api, bugs } = await start();
    for (const path of ['/api/topics/%00', '/api/topics/%E0%A4%A', '/api/topics/..%2f..%2fetc'])
      expect((await api.send('GET', path)).status, path).toBe(404);
    expect((await api.send('GET', `/api/topics/${'x'.repeat(10_000)}`)).status).toBe(404);
    expect(bugs).toEqual([]);
  });

  it('of the wrong type in a changed server is refused, and the server stays as it was', async () => {
    const api = await openApi();
    const config = { type: 'stdio', name: 's', command: 'true', env: { A: 'b' } };
    const { id } = await api.json<{ id: string }>('POST', '/api/servers', config);
    for (const change of [
      { command: 7 },
      { args: 'a "b' },
      { args: [{}] },
      { env: 'ab' },
      { env: ['a'] },
      { env: { A: {} } },
      { env: { B: '•••' } },
      { type: 'sse' },
      { type: 'inMemory', builtin: 'demo' },
      { timeout: -1 },
      { unknown: 1 },
      { name: '' },
    ])
      expect(
        await refused(api, 'PATCH', `/api/servers/${id}`, change),
        JSON.stringify(change),
      ).toBe('400 invalid_server');
    expect(await refused(api, 'PATCH', '/api/servers/demo', { name: 'x' })).toBe(
      '400 invalid_server',
    );
    expect(await refused(api, 'DELETE', '/api/servers/demo')).toBe('400 invalid_server');
    const builtin = { type: 'inMemory', name: 'x', builtin: 'demo' };
    expect(await refused(api, 'POST', '/api/servers', builtin)).toBe('400 invalid_server');
  });
});
