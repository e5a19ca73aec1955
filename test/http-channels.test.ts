import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { getRequestListener } from '@hono/node-server';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createSseChannel } from '#mcp/channels/sse-channel.ts';
import { createStreamableHttpChannel } from '#mcp/channels/streamable-http-channel.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { freePort } from './fixtures/free-port.ts';
import { modern, openChannel, type TestChannel } from './fixtures/http-channel.ts';
import { realServer } from './real-servers.ts';

const everything = await realServer('@modelcontextprotocol/server-everything', '2026.8.31');
const clientInfo = { name: 'test', version: '1' };

async function greet({ request, channel }: TestChannel): Promise<void> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const { result } = await request('initialize', params, { repeatable: true });
  const { protocolVersion: version } = result as { protocolVersion: string };
  channel.agree({ era: 'legacy', version });
  channel.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
}

describe.skipIf(!everything)('server-everything', () => {
  it.each([
    ['streamableHttp', createStreamableHttpChannel],
    ['sse', createSseChannel],
  ] as const)('is called, heard and cancelled over %s', async (type, create) => {
    const url = await startEverything(everything ?? '', type);
    const test = await openChannel(create, { url });
    await greet(test);
    const { result } = await test.request('tools/list');
    expect((result as { tools: unknown[] }).tools.length).toBeGreaterThan(10);
    const echo = (message: string): JsonObject => ({ name: 'echo', arguments: { message } });
    const many = Array.from({ length: 30 }, (_, index) => `${index} 世界 🍒`);
    const answers = await Promise.all(many.map((text) => test.request('tools/call', echo(text))));
    expect(answers).toMatchObject(
      many.map((text) => ({ result: { content: [{ text: `Echo: ${text}` }] } })),
    );
    const id = test.nextId();
    const long = {
      name: 'trigger-long-running-operation',
      arguments: { duration: 60, steps: 600 },
    };
    void test.request('tools/call', { ...long, _meta: { progressToken: 'p' } });
    const seen = test.others.length;
    await test.untilOthers(seen + 2);
    expect(test.channel.cancel(id)).toBe(false);
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled' } as const;
    test.channel.send({ ...cancelled, params: { requestId: id } });
    expect(await test.request('ping')).toMatchObject({ result: {} });
    await test.channel.close();
    await expect(test.closed).resolves.toBeUndefined();
  });
});

describe('a server of the newest revision', () => {
  it('takes our messages and headers as they are', async () => {
    const { url, handler } = await startModern();
    const { request, channel, untilOthers, others, nextId } = await openChannel(
      createStreamableHttpChannel,
      { url },
    );
    const envelope = (params: JsonObject = {}): JsonObject => {
      const { _meta, ...rest } = modern(params);
      const capabilities = { 'io.modelcontextprotocol/clientCapabilities': {} };
      return { ...rest, _meta: { ...(_meta as JsonObject), ...capabilities } };
    };
    expect(await request('server/discover', envelope())).toMatchObject({
      result: { supportedVersions: ['2026-07-28'] },
    });
    channel.agree({ era: 'modern', version: '2026-07-28' });
    const call = envelope({ name: 'greet', arguments: { who: '世界' } });
    expect(await request('tools/call', call)).toMatchObject({
      result: { content: [{ text: 'hello 世界' }] },
    });
    expect(await request('prompts/get', envelope({ name: 'grüß 世界' }))).toMatchObject({
      result: { messages: [{ role: 'user' }] },
    });
    expect(await request('nothing/such', envelope())).toMatchObject({ error: { code: -32601 } });
    const id = nextId();
    const filter = { notifications: { toolsListChanged: true } };
    void request('subscriptions/listen', envelope(filter), { repeatable: true });
    await untilOthers(1);
    handler.notify.toolsChanged();
    await untilOthers(2);
    expect(others.map((other) => 'method' in other && other.method)).toEqual([
      'notifications/subscriptions/acknowledged',
      'notifications/tools/list_changed',
    ]);
    expect(channel.cancel(id)).toBe(true);
  });
});

async function startModern() {
  const handler = createMcpHandler(
    () => {
      const server = new McpServer({ name: 'modern', version: '1' });
      server.registerTool('greet', { inputSchema: z.object({ who: z.string() }) }, ({ who }) => ({
        content: [{ type: 'text', text: `hello ${who}` }],
      }));
      server.registerPrompt('grüß 世界', {}, () => ({
        messages: [{ role: 'user', content: { type: 'text', text: 'hello' } }],
      }));
      return server;
    },
    { legacy: 'reject' },
  );
  const listener = getRequestListener((request) => handler.fetch(request));
  const server = createServer((request, response) => void listener(request, response));
  return { handler, url: await listen(server) };
}

async function listen(server: Server): Promise<URL> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
}

/** Starts the server on a free port and waits until it says that it listens. */
async function startEverything(script: string, type: 'streamableHttp' | 'sse'): Promise<URL> {
  const port = await freePort();
  const child = spawn(process.execPath, [script, type], {
    env: { PATH: process.env['PATH'], PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });
  for await (const line of createInterface({ input: child.stderr })) {
    if (/(listening|running) on port/i.test(line)) break;
  }
  child.stderr.resume();
  return new URL(`http://127.0.0.1:${port}/${type === 'sse' ? 'sse' : 'mcp'}`);
}
