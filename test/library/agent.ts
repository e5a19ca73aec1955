// An agent without a host (`runAgent`).
import assert from 'node:assert/strict';
import { type Chunk, McpService, type ModelAdapter, runAgent } from 'cerise';
import { type ITool, loadMcpTools } from 'cerise/mcp';
import { createDesk } from './desk-server.ts';

const call: Chunk[] = [
  {
    type: 'tool-pending',
    callId: 'call_0',
    toolName: 'mcp__desk__add',
    arguments: { a: 40, b: 2 },
    rawArguments: '{"a":40,"b":2}',
  },
  { type: 'response-complete', finishReason: 'tool-calls' },
];
/** Adds by its tool, then says what the tool said. */
const model: ModelAdapter = {
  async *stream({ messages }) {
    const last = messages.at(-1);
    if (last?.role !== 'tool') return yield call;
    const [part] = last.results[0]?.result.content ?? [];
    yield [
      { type: 'text-delta', id: 't', text: part?.type === 'text' ? `It is ${part.text}.` : '?' },
      { type: 'response-complete', finishReason: 'stop', usage: { inputTokens: 1 } },
    ];
  },
};

const service = new McpService({ builtin: async () => createDesk() });
await service.addServers({ name: 'desk', type: 'inMemory', builtin: 'desk' });
const tools = await loadMcpTools(service, ['desk']);
const seen: string[] = [];
const { status, text, blocks, messages } = await runAgent({
  model,
  tools,
  messages: 'What is 40 + 2?',
  onEvent: ({ type }) => seen.push(type),
});
assert.deepEqual([status, text], ['success', 'It is 42.']);
assert.deepEqual(
  blocks.map(({ type }) => type),
  ['tool', 'main_text'],
);
assert.equal(messages.length, 4);
assert(seen.includes('block-delta'));

// What a tool of a program gives or throws is told to the model, and ends nothing.
const careless = (execute: () => unknown) =>
  ({ name: 'mcp__desk__add', description: '', parameters: {}, execute }) as ITool;
const texts = [() => 'plain text', () => undefined, () => Promise.reject(new Error('broken'))];
for (const [at, expected] of [/plain text/, /must return/, /broken/].entries()) {
  const execute = texts[at];
  assert(execute);
  const { status, text } = await runAgent({ model, tools: [careless(execute)], messages: 'Go' });
  assert.equal(status, 'success');
  assert.match(text, expected);
}

const refused = await runAgent({ model, tools, messages: 'Again', approve: () => false });
assert.equal(refused.blocks[0]?.status, 'error');
await service.close();
console.log('ok');
