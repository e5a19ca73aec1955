import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import type { CreatedKeyView } from '#shared/api/people-api.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { startEcho } from '../fakes/echo-server.ts';
import { openApi } from '../fixtures/http.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const resultChars = 900_000;
const count = 20;

it('a session of /mcp holds no answer that cannot be read again', async () => {
  const echo = await startEcho();
  const api = await openApi();
  const server = { type: 'streamableHttp', name: 'echo', baseUrl: echo.url, autoApprove: ['*'] };
  await api.json('POST', '/api/servers', server);
  const asked = { name: 'a program', scopes: ['chat'], trusted: true };
  const { key } = await api.json<CreatedKeyView>('POST', '/api/keys', asked);
  const base = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const post = (message: JsonObject, more: Record<string, string> = {}) =>
    api.raw('POST', '/mcp/echo', {
      headers: { ...base, ...more },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
  const params = { protocolVersion: '2025-11-25', capabilities: {} };
  const opened = await post({ id: 0, method: 'initialize', params });
  const headers = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  const call = async (id: number) => {
    const words = `${id}${'a'.repeat(resultChars)}`;
    const answer = await post(
      { id, method: 'tools/call', params: { name: 'echo', arguments: { words } } },
      headers,
    );
    expect((await answer.text()).length).toBeGreaterThan(resultChars);
    echo.calls.length = 0;
  };
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  await call(0);
  const before = heap();
  for (let id = 1; id <= count; id += 1) await call(id);
  expect(heap() - before).toBeLessThan((count * resultChars) / 2);
});
