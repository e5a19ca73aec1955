import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ServerView } from '#shared/api/api.ts';
import type { DiagnosisView } from '#shared/api/server-api.ts';
import { startPlainServer } from '../../../test/fakes/plain-http-server.ts';
import { errorOf, openApi, type TestApi } from '../../../test/fixtures/http.ts';

const script = join(import.meta.dirname, '../../../test/fakes/asking-server.mjs');

async function start(era = 'legacy'): Promise<{ api: TestApi; path: string }> {
  const api = await openApi();
  const config = { name: 'asking', command: process.execPath, args: [script, era] };
  const { id, launchHash } = await api.json<ServerView>('POST', '/api/servers', config);
  await api.send('POST', `/api/servers/${id}/approve`, { launchHash });
  return { api, path: `/api/servers/${id}` };
}

describe.each(['legacy', 'modern'])('what a %s server offers', (era) => {
  it('is listed and read', async () => {
    const { api, path } = await start(era);
    expect(await api.json('GET', `${path}/prompts`)).toEqual({
      prompts: [{ name: 'greeting', description: 'Greets.', arguments: [] }],
      truncated: false,
    });
    expect(await api.json('POST', `${path}/prompts/greeting/get`, {})).toMatchObject({
      messages: [{ role: 'user', content: { type: 'text', text: 'Good morning!' } }],
    });
    expect(await api.json('GET', `${path}/resources`)).toEqual({
      resources: [{ uri: 'memo:note', name: 'note', mimeType: 'text/plain' }],
      truncated: false,
    });
    expect(await api.json('GET', `${path}/templates`)).toMatchObject({
      templates: [{ uriTemplate: 'memo:{day}', name: 'day' }],
    });
    expect(await api.json('POST', `${path}/resources/read`, { uri: 'memo:note' })).toMatchObject({
      contents: [{ uri: 'memo:note', text: expect.stringContaining('milk') }],
    });
    const ref = { template: 'memo:{day}' };
    const argument = { name: 'day', value: 't' };
    expect(await api.json('POST', `${path}/complete`, { ref, argument })).toMatchObject({
      values: ['tuesday', 'thursday'],
    });
  });

  it('is refused with a reason where there is no such thing', async () => {
    const { api, path } = await start(era);
    const unknown: [string, string, object | undefined][] = [
      ['POST', `${path}/prompts/none/get`, {}],
      ['POST', `${path}/resources/read`, { uri: 'memo:none' }],
    ];
    for (const [method, address, body] of unknown) {
      const { status, message } = await errorOf(await api.send(method, address, body));
      expect([404, 502]).toContain(status);
      expect(message).toMatch(/^The server responded: /);
    }
    for (const [address, body] of [
      ['resources/read', {}],
      ['resources/read', { uri: '' }],
      ['prompts/greeting/get', { arguments: { a: 1 } }],
      ['complete', { ref: {}, argument: { name: 'a', value: '' } }],
      ['complete', { ref: { prompt: 'p', template: 't' }, argument: { name: 'a', value: '' } }],
    ] as const)
      expect(await errorOf(await api.send('POST', `${path}/${address}`, body))).toMatchObject({
        code: 'invalid_request',
      });
  });

  it('is explained by the diagnosis', async () => {
    const { api, path } = await start(era);
    const before = await api.json<DiagnosisView>('GET', `${path}/diagnosis`);
    expect(before).toMatchObject({ state: 'idle', probes: [], processes: [] });
    await api.send('POST', `${path}/connect`, {});
    const after = await api.json<DiagnosisView>('GET', `${path}/diagnosis`);
    expect(after).toMatchObject({
      name: 'asking',
      state: 'connected',
      era,
      transport: { configured: 'stdio' },
      serverInfo: { name: 'asking', version: '1' },
      auth: { state: 'not-needed' },
      hint: "It's working.",
    });
    expect(after.probes.length).toBeGreaterThan(0);
    expect(after.processes.length).toBeGreaterThan(0);
    const notes = () => readdir(join(api.place.home, 'processes'));
    expect(await notes()).toHaveLength(1);
    const status = await api.json('GET', `${path}/status`);
    expect(status).toEqual({ state: 'connected', since: expect.any(Number) });
    await api.close();
    expect(await notes()).toEqual([]);
  });
});

describe('a server that does not work', () => {
  it('says why, since when, and when it is tried again', async () => {
    const api = await openApi();
    const url = 'http://127.0.0.1:9/mcp';
    const { id } = await api.json<ServerView>('POST', '/api/servers', { name: 'gone', url });
    expect((await api.send('POST', `/api/servers/${id}/connect`, {})).status).toBe(502);
    const status = await api.json<ServerView>('GET', `/api/servers/${id}/status`);
    expect(status).toMatchObject({
      state: 'reconnecting',
      reason: expect.stringMatching(/\S/),
      since: expect.any(Number),
      retryAt: expect.any(Number),
    });
    expect(status.retryAt).toBeGreaterThan(status.since);
    const diagnosis = await api.json<DiagnosisView>('GET', `/api/servers/${id}/diagnosis`);
    expect(diagnosis.errors).toMatchObject([{ message: status.reason }]);
  });
});

describe('a server that connects and then fails', () => {
  it('is not said to work', async () => {
    const server = await startPlainServer();
    onTestFinished(() => server.close());
    server.answers['tools/list'] = [500, 'The service behind it is down'];
    const api = await openApi();
    const entry = { name: 'half', url: server.url };
    const { id } = await api.json<ServerView>('POST', '/api/servers', entry);
    await api.send('POST', `/api/servers/${id}/connect`, {});
    expect(await api.json('GET', `/api/servers/${id}/diagnosis`)).toMatchObject({
      state: 'connected',
      ping: { error: expect.stringContaining('The service behind it is down') },
      hint: "It's connected, but returned an error. Check its response and its log.",
    });
  });
});

describe('a server as other hosts write it', () => {
  it.each([
    [{ command: 'npx -y pkg' }, { type: 'stdio', command: 'npx', args: ['-y', 'pkg'] }],
    [{ url: 'https://a.example/sse' }, { type: 'sse', baseUrl: 'https://a.example/sse' }],
    [
      { type: 'http', url: 'https://a.example/mcp', headers: { n: 1 } },
      { type: 'streamableHttp', headers: { n: '•••' } },
    ],
    [
      { command: 'x', isActive: false },
      { type: 'stdio', disabled: true },
    ],
  ])('is understood: %j', async (entry, expected) => {
    const api = await openApi();
    const response = await api.send('POST', '/api/servers', { name: 'one', ...entry });
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ name: 'one', config: expected });
  });

  it('is refused with the field that is wrong', async () => {
    const api = await openApi();
    for (const [entry, words] of [
      [{ name: 'one' }, /command/],
      [{ name: 'one', command: 'x', timeout: 'long' }, /timeout/],
      [{ name: 'one', url: 'ftp://a.example' }, /url/],
      [{ name: 'one', command: 'x', envv: {} }, /envv/],
      [[], /^Invalid request\. body: must be an object\./],
    ] as const) {
      const { status, message, hint } = await errorOf(
        await api.send('POST', '/api/servers', entry),
      );
      expect(status).toBe(400);
      expect(`${message} ${hint}`).toMatch(words);
    }
  });

  it('is enabled by the word it was disabled with', async () => {
    const api = await openApi();
    const entry = { name: 'one', url: 'http://127.0.0.1:9/mcp', enabled: false };
    const { id, state } = await api.json<ServerView>('POST', '/api/servers', entry);
    expect(state).toBe('disabled');
    expect(await api.json('PATCH', `/api/servers/${id}`, { enabled: true })).toMatchObject({
      state: 'idle',
    });
  });
});
