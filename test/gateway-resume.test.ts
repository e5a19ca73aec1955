import { describe, expect, it, onTestFinished } from 'vitest';
import type { CreatedKeyView } from '#shared/api/people-api.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { startEcho } from './fakes/echo-server.ts';
import { openApi } from './fixtures/http.ts';
import { greet, makeKey, post, withKey } from './fixtures/mcp-posts.ts';

describe('what is kept for readers who come back', () => {
  it('is bounded for each session, and an answer that was not kept is said to be too long', async () => {
    const echo = await startEcho();
    const api = await openApi();
    const server = { type: 'streamableHttp', name: 'echo', baseUrl: echo.url, autoApprove: ['*'] };
    await api.json('POST', '/api/servers', server);
    const asked = { name: 'a program', scopes: ['chat'], trusted: true };
    const { key } = await api.json<CreatedKeyView>('POST', '/api/keys', asked);
    const base = { authorization: `Bearer ${key}`, accept: 'text/event-stream' };
    const post = (message: JsonObject, more: Record<string, string> = {}) =>
      api.raw('POST', '/mcp/echo', {
        headers: { ...base, 'content-type': 'application/json', ...more },
        body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      });
    const params = { protocolVersion: '2025-11-25', capabilities: {} };
    const hello = { id: 1, method: 'initialize', params };
    const opened = await post(hello, { accept: '*/*' });
    const headers = {
      ...base,
      'mcp-session-id': opened.headers.get('mcp-session-id') ?? '',
    };
    const sizes = [...Array.from({ length: 15 }, () => 200_000), 800_000];
    for (const [id, size] of sizes.entries()) {
      const params = { name: 'echo', arguments: { words: 'a'.repeat(size) } };
      const answer = await post({ id, method: 'tools/call', params }, headers);
      expect((await answer.text()).length).toBeGreaterThan(size);
    }
    const open = (more: Record<string, string> = {}) =>
      api.raw('GET', '/mcp/echo', { headers: { ...headers, ...more } });
    const channel = await open();
    onTestFinished(() => channel.body?.cancel());
    const again = (number: number) => open({ 'last-event-id': `${number}_0` });
    expect(await (await again(16)).text()).toContain('too long to send again');
    // What is not kept is taken for a second stream of the session.
    const states = await Promise.all(sizes.map(async (_, at) => (await again(at + 1)).status));
    const kept = states.filter((status) => status === 200).length;
    expect(kept).toBeGreaterThan(1);
    expect(kept).toBeLessThan(5);
  });
});

describe('a stream that breaks off', () => {
  it('goes on after the last event that came', async () => {
    const echo = await startEcho();
    const api = await openApi();
    const server = { type: 'streamableHttp', name: 'echo', baseUrl: echo.url, autoApprove: ['*'] };
    await api.json('POST', '/api/servers', server);
    const keyed = withKey(api, await makeKey(api));
    const session = { 'mcp-session-id': await greet(keyed, '/mcp/echo') };
    const params = { name: 'steps', arguments: {}, _meta: { progressToken: 'p' } };
    const message = { id: 7, method: 'tools/call', params };
    const response = await post(keyed, '/mcp/echo', message, session);
    const [first = '', ...rest] = (await response.text()).split('\n\n').filter(Boolean);
    expect(first).toMatch(/^id: 1_0\n/);
    expect(rest).toHaveLength(4);
    const headers = { ...session, accept: 'text/event-stream', 'last-event-id': '1_2' };
    const again = await keyed.raw('GET', '/mcp/echo', { headers });
    expect((await again.text()).split('\n\n').filter(Boolean)).toEqual(rest.slice(2));
  });

  it('goes on while the call still runs', async () => {
    const echo = await startEcho();
    const api = await openApi();
    const server = { type: 'streamableHttp', name: 'echo', baseUrl: echo.url, autoApprove: ['*'] };
    await api.json('POST', '/api/servers', server);
    const keyed = withKey(api, await makeKey(api));
    const session = { 'mcp-session-id': await greet(keyed, '/mcp/echo') };
    const message = { id: 7, method: 'tools/call', params: { name: 'hold', arguments: {} } };
    const response = await post(keyed, '/mcp/echo', message, session);
    await response.body?.cancel();
    const headers = { ...session, accept: 'text/event-stream', 'last-event-id': '1_0' };
    const again = await keyed.raw('GET', '/mcp/echo', { headers });
    await echo.held;
    echo.release();
    expect(await again.text()).toContain('released');
  });
});
