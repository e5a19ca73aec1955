import { describe, expect, it, onTestFinished } from 'vitest';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import { type FakeVendor, type ListAnswer, startFakeVendor } from '../fakes/fake-vendor.ts';
import { calls, says } from '../fakes/scripted-model.ts';
import { token } from '../fixtures/http.ts';
import { clientsOf, model, noting, openV1, type V1 } from '../fixtures/v1.ts';

const messages = [{ role: 'user' as const, content: 'Hi' }];
const tool = (name: string, parameters: object = { type: 'object' }) => ({
  type: 'function',
  function: { name, parameters },
});

/** More than a schema of a tool may be nested. */
let deep: object = { type: 'string' };
for (let level = 0; level < 150; level += 1) deep = { type: 'array', items: deep };
deep = { type: 'object', properties: { deep } };

interface VendorError {
  error: { message: string; type: string; param?: string | null; code?: string };
}

/** The error of a request, as its vendor tells it. */
async function refusal(api: V1, path: string, body: object, headers = {}) {
  const response = await api.send('POST', `/v1/${path}`, { model, messages, ...body }, headers);
  const { error } = (await response.json()) as VendorError;
  return { status: response.status, headers: response.headers, ...error };
}

/** A host with a provider that fails in this way. */
async function failing(answer: ListAnswer): Promise<{ api: V1; vendor: FakeVendor }> {
  const vendor = await startFakeVendor(() => answer);
  onTestFinished(() => vendor.close());
  const api = await openV1([]);
  const baseUrl = `${vendor.origin}/v1`;
  const provider = {
    name: 'up',
    kind: 'openai-compatible',
    baseUrl,
    apiKey: 'sk-1',
    models: ['m'],
  };
  await api.json('POST', '/api/providers', provider);
  return { api, vendor };
}

describe('a failure of the model’s vendor', () => {
  it('passes on a limit with the time to wait', async () => {
    const error = { message: 'Slow down', type: 'requests', code: 'rate_limit_exceeded' };
    const { api } = await failing({
      status: 429,
      headers: { 'retry-after': '70' },
      body: { error },
    });
    const told = await refusal(api, 'chat/completions', { model: 'up/m' });
    expect(told).toMatchObject({ status: 429, type: 'rate_limit_error' });
    expect(told.message).toContain('Slow down');
    expect(told.headers.get('retry-after')).toBe('70');
    expect(told.headers.get('x-should-retry')).toBe('true');
  });

  it('passes on that the vendor has no room', async () => {
    const error = { type: 'overloaded_error', message: 'Overloaded' };
    const { api } = await failing({
      status: 529,
      headers: { 'retry-after': '90' },
      body: { error },
    });
    expect(await refusal(api, 'chat/completions', { model: 'up/m' })).toMatchObject({
      status: 503,
    });
    expect(await refusal(api, 'messages', { model: 'up/m' })).toMatchObject({
      status: 529,
      type: 'overloaded_error',
    });
  });

  it('says what the vendor refused, which no retry helps', async () => {
    const error = { message: 'Invalid schema for response_format', type: 'invalid_request_error' };
    const { api } = await failing({ status: 400, body: { error } });
    const told = await refusal(api, 'responses', { model: 'up/m', input: 'Hi' });
    expect(told).toMatchObject({ status: 400, type: 'invalid_request_error' });
    expect(told.message).toContain('Invalid schema for response_format');
    expect(told.headers.get('x-should-retry')).toBe('false');
  });

  it.each([
    ['chat/completions', { messages }],
    ['responses', { input: 'Hi' }],
    ['messages', { messages, max_tokens: 99 }],
  ])('says what the vendor refused in a stream of %s that has begun', async (path, body) => {
    const details = { status: 400, vendorMessage: 'Too many tokens' };
    const error = { code: 'model_failed', message: 'Refused.', hint: 'Ask for less.', details };
    const { fetch } = await openV1([[...says('Half'), { type: 'error', error } as Chunk]]);
    const response = await fetch(`http://cerise.test:4310/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ model, stream: true, ...body }),
    });
    expect(await response.text()).toContain('Refused. Ask for less. Too many tokens');
  });

  it('keeps the key of the provider to itself, and no retry helps', async () => {
    const error = { message: 'Incorrect API key provided: sk-1', code: 'invalid_api_key' };
    const { api } = await failing({ status: 401, body: { error } });
    const told = await refusal(api, 'chat/completions', { model: 'up/m' });
    expect(told).toMatchObject({ status: 502, code: 'model_unauthorized' });
    expect(told.message).not.toContain('sk-1');
    expect(told.headers.get('x-should-retry')).toBe('false');
  });
});

describe('a request that does not fit', () => {
  it.each([
    [{ messages: [{ role: 'user', content: [{ type: 'video' }] }] }, 'messages.0.content.0.type'],
    [{ tool_choice: 'maybe' }, 'tool_choice'],
    [{ temperature: 3 }, 'temperature'],
    [{ n: 2 }, 'n'],
    [{ logprobs: true }, 'logprobs'],
    [{ stop: 5 }, 'stop'],
    [{ reasoning_effort: 'silly' }, 'reasoning_effort'],
    [{ tools: [tool('2fa')] }, 'tools.0.function.name'],
    [
      { tools: [tool('mine')], tool_choice: { type: 'function', function: { name: 'his' } } },
      'tool_choice',
    ],
    [{ tools: [tool('mine', deep)] }, 'tools'],
  ])('names its field: $1', async (body, param) => {
    const api = await openV1([]);
    const told = await refusal(api, 'chat/completions', body);
    expect(told).toMatchObject({ status: 400, type: 'invalid_request_error', param });
    expect(told.message).not.toContain('Invalid input');
    expect(api.scripted.requests).toEqual([]);
  });

  it('takes parameters that are what they would be anyway', async () => {
    const api = await openV1([says('One.'), says('Two.')]);
    const plain = { model, messages, input: 'Hi', top_logprobs: 0, logprobs: false };
    for (const path of ['chat/completions', 'responses'])
      expect((await api.send('POST', `/v1/${path}`, plain)).status).toBe(200);
  });

  it('names the field of a response and of a message', async () => {
    const api = await openV1([]);
    for (const input of [undefined, []])
      expect(await refusal(api, 'responses', { input })).toMatchObject({
        status: 400,
        param: 'input',
      });
    const effort = { input: 'Hi', reasoning: { effort: 'silly' } };
    expect(await refusal(api, 'responses', effort)).toMatchObject({ param: 'reasoning.effort' });
    const content = [{ type: 'container_upload', file_id: 'x' }];
    const told = await refusal(api, 'messages', { messages: [{ role: 'assistant', content }] });
    expect(told.message).toContain('messages.0.content.0.type');
  });
});

describe('errors that OpenAI has a code for', () => {
  it('have that code', async () => {
    const { api } = await failing({ status: 402, body: { error: { message: 'Pay' } } });
    const told = await refusal(api, 'chat/completions', { model: 'up/m' });
    expect(told).toMatchObject({ status: 502, code: 'insufficient_quota' });
    const guess = { authorization: 'Bearer nobody' };
    const stranger = await refusal(api, 'chat/completions', {}, guess);
    expect(stranger).toMatchObject({ status: 401, code: 'invalid_api_key' });
  });
});

describe('models', () => {
  it('are found by names with slashes, and missing ones are told to either vendor’s client', async () => {
    const api = await openV1([]);
    const get = (name: string, headers = {}) =>
      api.send('GET', `/v1/models/${name}`, undefined, headers);
    expect(await (await get('own/scripted')).json()).toMatchObject({ id: model });
    expect(await (await get('own%2Fscripted')).json()).toMatchObject({ id: model });
    expect(await (await get('a/b/c')).json()).toMatchObject({ error: { param: null } });
    const missing = await get('nothing', { 'anthropic-version': '2023-06-01' });
    expect(await missing.json()).toMatchObject({
      type: 'error',
      error: { type: 'not_found_error' },
    });
  });
});

const streams = [
  ['chat/completions', { messages }, '"error":{'],
  ['responses', { input: 'Hi' }, 'event: error\n'],
  ['messages', { messages, max_tokens: 99 }, 'event: error\n'],
] as const;

describe.each(streams)('a stream of %s', (path, body, mark) => {
  const waiting = async (api: V1, key?: string) => {
    const { fetch } = key === undefined ? api : clientsOf(api, key);
    const response = await fetch(`http://cerise.test:4310/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ model, stream: true, ...body }),
    });
    return response.text();
  };

  const openWaiting = async (limits = {}) => {
    const notes: unknown[] = [];
    const api = await openV1([calls(['look_up', {}]), says('Never.')], {
      tools: [noting(notes, { before: new Promise(() => undefined) })],
      limits,
    });
    return { api, notes };
  };

  const newKey = (api: V1) =>
    api.json<{ key: string; id: string }>('POST', '/api/keys', { name: 'k', scopes: ['chat'] });

  it('ends with an error when its key is removed, and its answer with it', async () => {
    const { api, notes } = await openWaiting({ v1Grace: 20 });
    const { key, id } = await newKey(api);
    const text = waiting(api, key);
    await expect.poll(() => notes.length).toBe(1);
    await expect.poll(() => api.host.streams.size).toBe(1);
    await api.send('DELETE', `/api/keys/${id}`);
    expect(await text).toContain(mark);
    const statuses = async () => {
      const { db } = api.host.store;
      const rows = await db.selectFrom('messages').select('status').execute();
      return rows.map(({ status }) => status);
    };
    await expect.poll(statuses).toContain('stopped');
  });

  it('ends with an error when this host ends before the answer', async () => {
    const { api, notes } = await openWaiting();
    const { key } = await newKey(api);
    const text = waiting(api, key);
    await expect.poll(() => api.host.streams.size).toBe(1);
    await expect.poll(() => notes.length).toBe(1);
    await api.close();
    const told = await text;
    expect(told).toContain(mark);
    expect(told).toContain('shutting down');
  });
});
