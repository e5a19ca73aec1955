import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { McpService } from '#mcp/service/mcp-service.ts';
import type { ServerRecord } from '#shared/vocabulary/server.ts';
import { listen } from './fakes/loopback.ts';
import { approved, callTool, testService } from './fakes/mcp-servers.ts';
import { answerJson, beginEvents, type Received, startScripted } from './fixtures/http-channel.ts';

const hello = [{ type: 'text', text: 'hello' }];

function start(): McpService {
  const service = testService();
  onTestFinished(() => service.close());
  return service;
}

async function add(service: McpService, config: Record<string, unknown>): Promise<ServerRecord> {
  const record = approved(config);
  await service.setServer(record);
  return record;
}

async function agreed(service: McpService, { id }: ServerRecord): Promise<unknown> {
  return (await service.initClient(id)).greeting.agreement;
}

/** A stdio server of that kind, and how often it was started so far. */
function eraServer(kind: string): { config: Record<string, unknown>; starts: () => number } {
  const folder = mkdtempSync(join(tmpdir(), 'cerise-eras-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const journal = join(folder, 'starts');
  const script = join(import.meta.dirname, 'fakes/era-server.ts');
  return {
    config: { type: 'stdio', command: process.execPath, args: [script, kind, journal] },
    starts: () => readFileSync(journal, 'utf8').split('\n').length - 1,
  };
}

describe('the era of a stdio server', () => {
  it.each([
    ['modern', { era: 'modern', version: '2026-07-28' }],
    ['both', { era: 'modern', version: '2026-07-28' }],
    ['legacy', { era: 'legacy', version: '2025-11-25' }],
    ['silent', { era: 'legacy', version: '2024-11-05' }],
  ])('that speaks %s is found with one process', async (kind, agreement) => {
    const service = start();
    const { config, starts } = eraServer(kind);
    const record = await add(service, config);
    expect((await service.listTools(record.id)).map(({ name }) => name)).toEqual(['greet']);
    expect((await callTool(service, record.id, 'greet')).content).toEqual(hello);
    expect(await agreed(service, record)).toEqual(agreement);
    expect(await service.checkConnectivity(record.id)).toBe(true);
    expect(starts()).toBe(1);
  });

  it('that ends at the first question is started again the old way, and never asked it again', async () => {
    const service = start();
    const { config, starts } = eraServer('fragile');
    const record = await add(service, config);
    expect((await callTool(service, record.id, 'greet')).content).toEqual(hello);
    expect(starts()).toBe(2);
    await service.restartServer(record.id);
    expect((await callTool(service, record.id, 'greet')).content).toEqual(hello);
    expect(starts()).toBe(3);
    expect((await service.diagnose(record.id)).probes.map(({ text }) => text)).toEqual([
      'initialize: responded',
    ]);
  });

  it('is remembered, so that a silent server is greeted at once the next time', async () => {
    const service = start();
    const record = await add(service, eraServer('silent').config);
    await service.initClient(record.id);
    await service.restartServer(record.id);
    expect((await service.diagnose(record.id)).probes.map(({ text }) => text)).toEqual([
      'initialize: responded',
    ]);
  });
});

function greeter(): McpServer {
  const server = new McpServer({ name: 'greeter', version: '1' });
  server.registerTool('greet', {}, () => ({ content: [{ type: 'text', text: 'hello' }] }));
  return server;
}

describe('the era of an HTTP server', () => {
  it.each(['reject', 'stateless'] as const)(
    'is the modern one where it is spoken (legacy: %s); headers go along',
    async (legacy) => {
      const seen: (string | null)[] = [];
      const handler = createMcpHandler(greeter, { legacy });
      const web = await listen((request) => {
        seen.push(request.headers.get('x-key'));
        return handler.fetch(request);
      });
      onTestFinished(() => web.close());
      const service = start();
      const headers = { 'x-key': 'secret-key' };
      const record = await add(service, { type: 'streamableHttp', baseUrl: web.url, headers });
      expect((await callTool(service, record.id, 'greet')).content).toEqual(hello);
      expect(await agreed(service, record)).toEqual({ era: 'modern', version: '2026-07-28' });
      expect(new Set(seen)).toEqual(new Set(['secret-key']));
    },
  );

  const page = '<!doctype html><title>Welcome</title>';
  const methodNotFound = (id: unknown) =>
    JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } });
  it.each<[string, (response: ServerResponse, received: Received) => unknown]>([
    ['an internal error', (response) => response.writeHead(500).end('oops')],
    ['a gateway that is busy', (response) => response.writeHead(503).end()],
    ['a page for people', (response) => response.writeHead(200, html).end(page)],
    ['a page that says not found', (response) => response.writeHead(404, html).end(page)],
    ['method not found', (response, { message }) => answerRaw(response, 404, message?.id)],
    ['method not found and 200', (response, { message }) => answerRaw(response, 200, message?.id)],
    ['method not found for nobody', (response) => answerRaw(response, 400, null)],
    ['nothing', (response) => response.writeHead(202).end()],
    ['an empty result', (response, { message }) => answerJson(response, result(message?.id, {}))],
    ['a closed connection', (response) => response.destroy()],
  ])('is the old one where the probe meets %s', async (_what, answer) => {
    const { url, requests } = await startScripted((received, response) =>
      received.message?.method === 'server/discover'
        ? answer(response, received)
        : oldServer(received, response),
    );
    const service = start();
    const record = await add(service, { type: 'streamableHttp', baseUrl: url.href });
    expect((await callTool(service, record.id, 'greet')).content).toEqual(hello);
    expect(await agreed(service, record)).toEqual({ era: 'legacy', version: '2025-06-18' });
    await service.restartServer(record.id);
    const probes = requests.filter(({ message }) => message?.method === 'server/discover');
    expect(new Set(probes.map(({ body }) => body)).size).toBe(1);
  });

  it('is the old one where the server names only old versions', async () => {
    const { url, requests } = await startScripted((received, response) => {
      const { id, method } = received.message ?? {};
      if (method !== 'server/discover') return oldServer(received, response);
      const discovery = { supportedVersions: ['2025-06-18', '2025-03-26'], capabilities: {} };
      return answerJson(response, result(id, discovery));
    });
    const service = start();
    const record = await add(service, { type: 'streamableHttp', baseUrl: url.href });
    expect(await agreed(service, record)).toEqual({ era: 'legacy', version: '2025-06-18' });
    expect(requests[1]?.message?.params).toMatchObject({ protocolVersion: '2025-06-18' });
  });

  it('is refused in words where the server names only unknown versions', async () => {
    const { url } = await startScripted(({ message }, response) => {
      const discovery = { supportedVersions: ['2031-01-01'], capabilities: {} };
      return answerJson(response, result(message?.id, discovery));
    });
    const service = start();
    const record = await add(service, { type: 'streamableHttp', baseUrl: url.href });
    await expect(service.initClient(record.id)).rejects.toMatchObject({
      code: 'protocol_error',
      message: "The server uses MCP version 2031-01-01, which isn't supported.",
    });
    expect(service.status(record.id)).toMatchObject({ state: 'failed' });
  });

  it.each([400, 404, 405])('is that of SSE where a POST meets %i', async (status) => {
    let stream: ServerResponse | undefined;
    const { url } = await startScripted((received, response) => {
      const { method, path, message } = received;
      if (method === 'GET') {
        stream = response;
        return beginEvents(response, 'event: endpoint\ndata: /messages?id=1\n\n');
      }
      if (path === '/mcp') return response.writeHead(status).end('no');
      response.writeHead(202).end();
      const answer = message?.id === undefined ? undefined : oldAnswer(message.method, message.id);
      return answer && stream?.write(`event: message\ndata: ${JSON.stringify(answer)}\n\n`);
    });
    const service = start();
    const record = await add(service, { type: 'streamableHttp', baseUrl: url.href });
    expect((await callTool(service, record.id, 'greet')).content).toEqual(hello);
    expect((await service.diagnose(record.id)).transport).toEqual({
      configured: 'streamableHttp',
      used: 'sse',
    });
  });

  const html = { 'content-type': 'text/html' };
  function answerRaw(response: ServerResponse, status: number, id: unknown): void {
    response.writeHead(status, { 'content-type': 'application/json' }).end(methodNotFound(id));
  }
});

describe('HTTP servers that do not work', () => {
  it('need a sign-in when they answer 401', async () => {
    const { url } = await startScripted((_received, response) => response.writeHead(401).end('no'));
    for (const type of ['streamableHttp', 'sse']) {
      const service = start();
      const record = await add(service, { type, baseUrl: url.href });
      await expect(service.initClient(record.id)).rejects.toMatchObject({
        code: 'http_error',
        details: { status: 401 },
      });
      expect(service.status(record.id).state).toBe('needs-auth');
    }
  });

  it('are given up when they accept and never answer', { timeout: 20_000 }, async () => {
    const server = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const service = start();
    for (const type of ['streamableHttp', 'sse']) await add(service, { type, baseUrl });
    const lists = await service.listAllActiveServerTools();
    expect(lists.map(({ error }) => error?.code)).toEqual(['timed_out', 'timed_out']);
    const again = performance.now();
    await service.listAllActiveServerTools();
    // Whoever waits for a server waits for three seconds at least.
    expect(performance.now() - again).toBeLessThan(2500);
  });
});

function result(id: unknown, value: object): object {
  return { jsonrpc: '2.0', id, result: value };
}

function oldAnswer(method: string | undefined, id: unknown): object {
  if (method === 'tools/list') return result(id, { tools: [{ name: 'greet', inputSchema: {} }] });
  if (method === 'tools/call') return result(id, { content: hello });
  const serverInfo = { name: 'old', version: '1' };
  return result(id, { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo });
}

function oldServer({ method, message }: Received, response: ServerResponse): void {
  if (method !== 'POST') response.writeHead(405).end();
  else if (message?.id === undefined) response.writeHead(202).end();
  else answerJson(response, oldAnswer(message.method, message.id));
}
