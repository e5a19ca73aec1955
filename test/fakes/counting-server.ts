/**
 * A stdio server with a memory of its own, so that a test can tell its instances apart: `count` answers
 * the process id and how often it was asked, `grow` changes the list of tools and says so. Its argument
 * is a file that gets a line for each start.
 */
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

interface Message {
  id?: number;
  method?: string;
  params?: { name?: string };
}

const [, , journal] = process.argv;
if (journal) appendFileSync(journal, `${process.pid}\n`);

let count = 0;
let grown = false;

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line) as Message;
  if (id === undefined) return;
  if (method === 'initialize') send({ id, result: greeting });
  else if (method === 'tools/list') send({ id, result: { tools: tools() } });
  else if (method === 'tools/call') send({ id, result: call(params?.name ?? '') });
  else send({ id, error: { code: -32_601, message: 'Method not found' } });
});

const greeting = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: { listChanged: true } },
  serverInfo: { name: 'counting', version: '1' },
};

function tools(): object[] {
  const names = grown ? ['count', 'grow', 'grown'] : ['count', 'grow'];
  return names.map((name) => ({
    name,
    description: grown ? `${name}, changed` : name,
    inputSchema: { type: 'object' },
  }));
}

function call(name: string): object {
  if (name === 'grow') {
    grown = true;
    send({ method: 'notifications/tools/list_changed' });
  } else count += 1;
  return { content: [{ type: 'text', text: `${process.pid} ${count}` }] };
}

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}
