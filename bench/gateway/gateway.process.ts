import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { createHost } from '#chat/host/host.ts';
import { createApp } from '#server/app.ts';
import { silentLogger } from '#shared/vocabulary/ports.ts';

/** One contestant: prints what a call costs the whole process, one after the other and several at once. */
const [, , contestant = '', era = 'legacy'] = process.argv;
const calls = 2000;
const warmUp = 3000;
const owner = 'local';

type Fetch = (request: Request) => Response | Promise<Response>;
type Words = { words: string };
const closing: (() => unknown)[] = [];

async function listen(fetch: Fetch): Promise<string> {
  const server = serve({ fetch, port: 0, hostname: '127.0.0.1' }) as Server;
  if (!server.listening) await once(server, 'listening');
  closing.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function connect(url: string, headers: Record<string, string> = {}): Promise<Client> {
  const mode = era === 'modern' ? { pin: '2026-07-28' } : 'legacy';
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
  );
  closing.push(() => client.close());
  return client;
}

/** An official server with one tool. */
function serveTool(run: (args: Words) => Promise<object> | object): Promise<string> {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'echo', version: '1' });
    const schema = { inputSchema: z.object({ words: z.string() }) };
    server.registerTool('echo', { description: 'Says it again.', ...schema }, async (args) => {
      return (await run(args)) as { content: [] };
    });
    return server;
  });
  return listen((request) => handler.fetch(request));
}

const echo = ({ words }: Words) => ({ content: [{ type: 'text', text: words }] });

async function openCerise(url: string): Promise<Client> {
  const home = mkdtempSync(join(tmpdir(), 'cerise-bench-'));
  const host = await createHost({ home, logger: silentLogger });
  closing.push(async () => {
    await host.close();
    rmSync(home, { recursive: true, force: true });
  });
  const config = { type: 'streamableHttp', name: 'echo', baseUrl: url, autoApprove: ['*'] };
  await host.servers.add(owner, config);
  const visitor = { owner, role: 'admin', credential: { kind: 'token', id: 'bench' } } as const;
  const fields = { name: 'bench', scopes: ['chat' as const], trusted: true };
  const { key } = await host.keys.create(visitor, fields);
  let own = '';
  const app = createApp(host, { allowedHosts: () => new Set([own]) });
  const address = await listen((request) => app.fetch(request));
  own = new URL(address).host;
  return connect(`${address}/mcp/echo`, { authorization: `Bearer ${key}` });
}

async function open(): Promise<Client> {
  const url = await serveTool(echo);
  if (contestant === 'cerise') return openCerise(url);
  if (contestant === 'floor') return connect(url);
  const next = await connect(url);
  const hop = await serveTool((args) => next.callTool({ name: 'echo', arguments: { ...args } }));
  return connect(hop);
}

async function measure(client: Client, width: number, count: number): Promise<number> {
  let left = count;
  const before = process.cpuUsage();
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (; left > 0; left--)
        await client.callTool({ name: 'echo', arguments: { words: 'hello' } });
    }),
  );
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

const client = await open();
await measure(client, 4, warmUp);
const results: Record<string, number> = {};
for (const width of [1, 16]) results[`cpu${width}`] = await measure(client, width, calls);
for (const close of closing.toReversed()) await close();
console.log(JSON.stringify(results));
process.exit(0);
