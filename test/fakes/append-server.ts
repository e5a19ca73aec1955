/**
 * A stdio server with one tool, `append`: it writes a line with the key it is given to the file that is
 * this program's argument, and answers a moment later. Whatever runs twice is there twice.
 */
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

interface Message {
  id?: number;
  method?: string;
  params?: { arguments?: { key?: string } };
}

const [, , file = '', delay = '0'] = process.argv;

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line) as Message;
  if (id === undefined) return;
  if (method === 'initialize') send({ id, result: greeting });
  else if (method === 'tools/list') send({ id, result: { tools: [append] } });
  else if (method === 'tools/call') call(id, params?.arguments?.key ?? '');
  else send({ id, error: { code: -32_601, message: 'Method not found' } });
});

const greeting = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'notes', version: '1' },
};

const append = {
  name: 'append',
  description: 'Appends a line to a file.',
  inputSchema: { type: 'object', properties: { key: { type: 'string' } }, required: ['key'] },
};

function call(id: number, key: string): void {
  appendFileSync(file, `${key}\n`);
  const result = { content: [{ type: 'text', text: `wrote ${key}` }] };
  setTimeout(() => send({ id, result }), Number(delay));
}

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}
