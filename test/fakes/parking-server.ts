/**
 * A stdio server of 2026-07-28 that keeps nothing: all it knows of a call comes back with its state. Its
 * argument is a file that gets a line for each `tools/call` it was sent and for each cancellation.
 */
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parkingState } from './parking-state.ts';

interface Message {
  id?: number;
  method?: string;
  params?: { name?: string; inputResponses?: object; requestState?: string };
}

const [, , journal = ''] = process.argv;

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method = '', params = {} } = JSON.parse(line) as Message;
  if (method === 'tools/call' || method.includes('cancel'))
    appendFileSync(journal, `${JSON.stringify({ method, params })}\n`);
  if (id === undefined) return;
  const result = answer(method, params);
  if (result) send({ id, result });
  else send({ id, error: { code: -32_601, message: 'Method not found' } });
});

function answer(method: string, params: Message['params'] = {}): object | undefined {
  if (method === 'server/discover')
    return { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } };
  if (method === 'tools/list')
    return { tools: [{ name: 'order', inputSchema: { type: 'object' } }] };
  if (method !== 'tools/call') return undefined;
  if (params.inputResponses)
    return { content: [{ type: 'text', text: JSON.stringify(params.inputResponses) }] };
  return parkingState('Who?');
}

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}
