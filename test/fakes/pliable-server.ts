/**
 * A stdio server that says of its tools what a file says at that moment, so that a test can change them
 * under a running host. The file holds `{tools, answers}`; calls are written to the file beside it that
 * ends in `.calls`. The tool `announce` tells the host that the list has changed.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

interface Message {
  id?: number;
  method?: string;
  params?: { name?: string; arguments?: unknown };
}

const [, , file = ''] = process.argv;
const script = () =>
  JSON.parse(readFileSync(file, 'utf8')) as { tools: object[]; answers?: Record<string, string> };

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line) as Message;
  if (id === undefined) return;
  if (method === 'initialize') send({ id, result: greeting });
  else if (method === 'tools/list') send({ id, result: { tools: script().tools } });
  else if (method === 'tools/call') send({ id, result: call(params ?? {}) });
  else send({ id, error: { code: -32_601, message: 'Method not found' } });
});

const greeting = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: { listChanged: true } },
  serverInfo: { name: 'pliable', version: '1' },
};

function call({ name = '', arguments: args }: NonNullable<Message['params']>): object {
  appendFileSync(`${file}.calls`, `${JSON.stringify([name, args])}\n`);
  if (name === 'announce') send({ method: 'notifications/tools/list_changed' });
  return { content: [{ type: 'text', text: script().answers?.[name] ?? `did ${name}` }] };
}

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}
