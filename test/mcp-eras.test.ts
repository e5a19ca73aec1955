import { type AddressInfo, createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { afterEach, describe, expect, it } from 'vitest';
import type { McpService } from '#mcp/mcp-service.ts';
import { approved, testService } from './fakes/mcp-servers.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

function start(): McpService {
  const service = testService();
  cleanups.push(() => service.close());
  return service;
}

async function greet(service: McpService, serverId: string): Promise<unknown> {
  const request = { serverId, name: 'greet', arguments: {}, callId: 'c1' };
  return (await service.callTool(request)).content;
}

describe('both protocol eras', () => {
  it('connects to a stdio server that speaks only the modern revision', async () => {
    const service = start();
    const script = join(import.meta.dirname, 'fakes/modern-server.ts');
    const record = approved({ type: 'stdio', command: process.execPath, args: [script] });
    await service.setServer(record);
    expect((await service.listTools(record.id)).map(({ name }) => name)).toEqual(['greet']);
    expect(await greet(service, record.id)).toEqual([{ type: 'text', text: 'hello' }]);
    const { protocolVersion } = await service.initClient(record.id);
    expect(protocolVersion).toBe('2026-07-28');
    expect(await service.checkConnectivity(record.id)).toBe(true);
  });

  it.each([
    ['reject', '2026-07-28'],
    ['stateless', '2026-07-28'],
  ] as const)(
    'speaks the modern revision over HTTP (legacy: %s) and sends headers',
    async (legacy, version) => {
      const seen: (string | null)[] = [];
      const handler = createMcpHandler(greeter, { legacy });
      const baseUrl = await listen((request) => {
        seen.push(request.headers.get('x-key'));
        return handler.fetch(request);
      });
      const service = start();
      const headers = { 'x-key': 'secret-key' };
      const record = approved({ type: 'streamableHttp', baseUrl, headers });
      await service.setServer(record);
      expect(await greet(service, record.id)).toEqual([{ type: 'text', text: 'hello' }]);
      expect((await service.initClient(record.id)).protocolVersion).toBe(version);
      expect(new Set(seen)).toEqual(new Set(['secret-key']));
    },
  );

  it('falls back to the handshake when probing meets an internal error', async () => {
    const handler = createMcpHandler(greeter);
    const baseUrl = await listen(async (request) => {
      const body = await request.clone().text();
      if (body.includes('server/discover')) return new Response('oops', { status: 500 });
      return handler.fetch(request);
    });
    const service = start();
    const record = approved({ type: 'streamableHttp', baseUrl });
    await service.setServer(record);
    expect(await greet(service, record.id)).toEqual([{ type: 'text', text: 'hello' }]);
  });
});

describe('HTTP servers that do not work', () => {
  it('needs sign-in when the server answers 401', async () => {
    const baseUrl = await listen(() => new Response('no', { status: 401 }));
    for (const type of ['streamableHttp', 'sse']) {
      const service = start();
      const record = approved({ type, baseUrl });
      await service.setServer(record);
      await expect(service.initClient(record.id)).rejects.toMatchObject({
        code: 'http_error',
        details: { status: 401 },
      });
      expect(service.status(record.id).state).toBe('needs-auth');
    }
  });

  it('gives up on a server that accepts and never answers', { timeout: 20_000 }, async () => {
    const server = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanups.push(() => server.close());
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const service = start();
    const records = ['streamableHttp', 'sse'].map((type) => approved({ type, baseUrl }));
    await Promise.all(records.map((record) => service.setServer(record)));
    const lists = await service.listAllActiveServerTools();
    expect(lists.map(({ error }) => error?.code)).toEqual(['timed_out', 'timed_out']);
    const again = performance.now();
    await service.listAllActiveServerTools();
    expect(performance.now() - again).toBeLessThan(200);
  });
});

function greeter(): McpServer {
  const server = new McpServer({ name: 'greeter', version: '1' });
  server.registerTool('greet', {}, () => ({ content: [{ type: 'text', text: 'hello' }] }));
  return server;
}

async function listen(fetch: (request: Request) => Response | Promise<Response>): Promise<string> {
  const server = serve({ fetch, port: 0, hostname: '127.0.0.1' });
  await once(server, 'listening');
  cleanups.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}
