/**
 * A stdio server with one tool, `greet`. Its first argument says what it speaks: `modern`, `legacy`,
 * `both` (real servers), `silent` (old, says nothing about what it does not know) or `fragile` (old,
 * ends at a first request it does not know). The second is a file that gets a line for each start.
 */
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';

const [, , kind, journal] = process.argv;
if (journal) appendFileSync(journal, 'started\n');

const hello = { content: [{ type: 'text' as const, text: 'hello' }] };

function greeter(): McpServer {
  const server = new McpServer({ name: 'greeter', version: '1' });
  server.registerTool('greet', {}, () => hello);
  return server;
}

function answer(method: string): object | undefined {
  if (method === 'initialize') {
    const serverInfo = { name: 'old', version: '1' };
    return { protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo };
  }
  if (method === 'ping') return {};
  if (method === 'tools/list') return { tools: [{ name: 'greet', inputSchema: {} }] };
  return method === 'tools/call' ? hello : undefined;
}

function serveOld(onUnknown: () => void): void {
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line) as { id?: number; method: string };
    if (id === undefined) return;
    const result = answer(method);
    if (result) process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
    else onUnknown();
  });
}

if (kind === 'modern') serveStdio(greeter, { legacy: 'reject' });
else if (kind === 'both') serveStdio(greeter);
else if (kind === 'legacy') await greeter().connect(new StdioServerTransport());
else serveOld(() => kind === 'fragile' && process.exit(1));
