import { describe, expect, it } from 'vitest';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import { type Round, says } from '../fakes/scripted-model.ts';
import { model, openV1, type V1 } from '../fixtures/v1.ts';

/** As models write arguments: with spaces, in pieces that end anywhere. */
const first = '{"path": "a.ts",\n  "lines": [1, 2]}';
const second = '{ "path": "b.ts" }';
const name = 'read_file';
const schema = { type: 'object' as const, properties: { path: { type: 'string' } } };
const question = [{ role: 'user' as const, content: 'Read both' }];

/** A model that writes these batches, each after a client has seen the one before. */
function writes(...batches: Chunk[][]): Round {
  return async function* () {
    for (const batch of batches) {
      yield batch;
      await new Promise((resolve) => void setTimeout(resolve, 30));
    }
  };
}

const begins = (callId: string): Chunk => ({ type: 'tool-created', callId, toolName: name });
const grows = (callId: string, text: string): Chunk => ({ type: 'tool-input-delta', callId, text });
const ends = (callId: string, rawArguments: string): Chunk => ({
  type: 'tool-pending',
  callId,
  toolName: name,
  arguments: JSON.parse(rawArguments),
  rawArguments,
});
const over: Chunk = { type: 'response-complete', finishReason: 'tool-calls' };

const rounds: Record<string, Round> = {
  'one after the other': writes(
    [begins('1')],
    [grows('1', first.slice(0, 9))],
    [grows('1', first.slice(9, 20)), grows('1', first.slice(20)), ends('1', first), begins('2')],
    [grows('2', second.slice(0, 3))],
    [grows('2', second.slice(3)), ends('2', second), over],
  ),
  'at the same time': writes(
    [begins('1'), begins('2')],
    [grows('1', first.slice(0, 9)), grows('2', second.slice(0, 9))],
    [grows('2', second.slice(9)), grows('1', first.slice(9))],
    [ends('1', first), ends('2', second), over],
  ),
  'at once': [begins('1'), ends('1', first), begins('2'), ends('2', second), over],
};

interface Streamed {
  /** The arguments of each call, as the official client puts its deltas together. */
  calls: string[];
  deltas: number;
}

const doors: Record<string, (api: V1) => Promise<Streamed>> = {
  'chat completions': async ({ openai }) => {
    const stream = openai.chat.completions.stream({
      model,
      messages: question,
      tools: [{ type: 'function', function: { name, parameters: schema } }],
    });
    let deltas = 0;
    stream.on('chunk', ({ choices }) => {
      if (choices[0]?.delta.tool_calls?.[0]?.function?.arguments) deltas += 1;
    });
    const { choices } = await stream.finalChatCompletion();
    const made = choices[0]?.message.tool_calls ?? [];
    return {
      calls: made.map((call) => ('function' in call ? call.function.arguments : '')),
      deltas,
    };
  },
  responses: async ({ openai }) => {
    const tools = [{ type: 'function' as const, name, parameters: schema, strict: false }];
    const stream = openai.responses.stream({ model, input: 'Read both', tools });
    let deltas = 0;
    stream.on('response.function_call_arguments.delta', () => (deltas += 1));
    const { output } = await stream.finalResponse();
    return {
      calls: output.flatMap((item) => (item.type === 'function_call' ? [item.arguments] : [])),
      deltas,
    };
  },
  messages: async ({ anthropic }) => {
    const tools = [{ name, input_schema: schema }];
    const stream = anthropic.messages.stream({ model, max_tokens: 99, messages: question, tools });
    let deltas = 0;
    stream.on('inputJson', () => (deltas += 1));
    const { content } = await stream.finalMessage();
    return {
      calls: content.flatMap((block) =>
        block.type === 'tool_use' ? [JSON.stringify(block.input)] : [],
      ),
      deltas,
    };
  },
};

describe.each(Object.keys(doors))('the calls of a client’s own tools, streamed as %s', (door) => {
  it.each(Object.keys(rounds))('have the arguments that the model wrote %s', async (way) => {
    const api = await openV1([rounds[way] ?? says('')]);
    const { calls, deltas } = (await doors[door]?.(api)) ?? { calls: [], deltas: 0 };
    expect(calls.map((text) => JSON.parse(text) as unknown)).toEqual([
      JSON.parse(first),
      JSON.parse(second),
    ]);
    expect(deltas).toBeGreaterThanOrEqual(way === 'one after the other' ? 4 : 2);
  });
});

describe('a whole answer with calls of a client’s own tools', () => {
  it('has their arguments as the model wrote them', async () => {
    const { openai } = await openV1([rounds['one after the other'] ?? says('')]);
    const tools = [{ type: 'function' as const, function: { name, parameters: schema } }];
    const { choices } = await openai.chat.completions.create({ model, messages: question, tools });
    expect(choices[0]?.message.tool_calls).toMatchObject([
      { function: { name, arguments: first } },
      { function: { name, arguments: second } },
    ]);
  });
});
