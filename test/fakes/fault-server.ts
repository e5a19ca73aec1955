/**
 * A stdio server of 2026-07-28 whose tools do something that can be counted: each appends the key it was
 * given to the file named by its argument. `large` answers with more than fits into a block, `order` asks
 * a person first and acts when it has the answer.
 */
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parkingState } from './parking-state.ts';

interface Message {
  id?: number;
  method?: string;
  params?: { name?: string; arguments?: { key?: string }; inputResponses?: object };
}

const [, , effects = ''] = process.argv;

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method = '', params = {} } = JSON.parse(line) as Message;
  if (id === undefined) return;
  const result = answer(method, params);
  if (result) send({ id, result });
  else send({ id, error: { code: -32_601, message: 'Method not found' } });
});

function answer(method: string, params: Message['params'] = {}): object | undefined {
  if (method === 'server/discover')
    return { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } };
  if (method === 'tools/list') return { tools: ['act', 'large', 'order'].map(tool) };
  return method === 'tools/call' ? call(params) : undefined;
}

function tool(name: string): object {
  return { name, inputSchema: { type: 'object', properties: { key: { type: 'string' } } } };
}

function call({ name, arguments: args, inputResponses }: NonNullable<Message['params']>): object {
  if (name === 'order' && !inputResponses) return parkingState('Who?');
  appendFileSync(effects, `${args?.key}\n`);
  const text = name === 'large' ? `${args?.key} ${'x'.repeat(100_000)}` : 'done';
  return { content: [{ type: 'text', text }] };
}

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}
