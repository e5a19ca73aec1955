import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { NativeTool } from '#tools/registry/registry.ts';
import type { ReplayedRequest } from '../fakes/vendor-replay.ts';
import { readNaively, splitAnswers } from './naive-readers.ts';
import { allRecorded, bytesOf } from './recorded.ts';
import { useReplayHost } from './replay-host.ts';
import { toldIn } from './told.ts';

interface Loop {
  interactions: {
    request: { url: string; headers: Record<string, string>; body: string };
    response: { body: string };
  }[];
}

const folder = new URL('../../../shared/recordings/loops/', import.meta.url);
const recorded = existsSync(folder);
if (!recorded) console.warn('Skipped: no recorded loops beside the repository.');

const question = 'What is the weather in Paris?';
const systemPrompt = 'Use the get_weather tool, then answer in one short sentence.';
const weather = (inputSchema: JsonObject): NativeTool => ({
  name: 'get_weather',
  description: 'Get current weather for a city.',
  inputSchema,
  annotations: { readOnlyHint: true },
  execute: async () => ({
    content: [{ type: 'text', text: '{"temperature":22,"condition":"sunny"}' }],
  }),
});
const citySchema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};

describe.skipIf(!recorded)('a recorded loop through a whole host', () => {
  it.each([
    ['openai-chat', 'openai-chat', 'gpt-4o-mini', { temperature: 0, maxOutputTokens: 80 }],
    ['anthropic', 'anthropic', 'claude-opus-4-7', { maxOutputTokens: 80 }],
  ])('asks what was asked, request by request: %s', async (file, kind, model, parameters) => {
    const loop = new URL(`${file}.json`, folder);
    const { interactions } = JSON.parse(readFileSync(loop, 'utf8')) as Loop;
    const { provider } = await useReplayHost([weather(citySchema)]);
    const vendor = await provider(kind, model);
    vendor.play(...interactions.map(({ response }) => ({ bytes: Buffer.from(response.body) })));
    const answer = await vendor.ask(question, { systemPrompt, parameters });
    expect(answer.status).toBe('success');
    expect(vendor.requests.map(meaningOf)).toEqual(
      interactions.map(({ request }) => JSON.parse(request.body) as unknown),
    );
    for (const [index, { request }] of interactions.entries()) {
      expect(request.url.endsWith(vendor.requests[index]?.path ?? '?')).toBe(true);
      expect(vendor.requests[index]?.headers).toMatchObject(request.headers);
    }
    const told = interactions.map(({ response }) => readNaively(file, eventsIn(response.body)));
    expect(toldIn(answer).parts).toEqual(told.flatMap(({ parts }) => parts));
    const tokens = told.reduce((sum, { usage }) => sum + (usage?.inputTokens ?? 0), 0);
    expect(answer.usage?.inputTokens).toBe(tokens);
  });
});

describe.skipIf(!recorded)('a recording that holds several answers', () => {
  const several = allRecorded().filter(({ events }) => splitAnswers(events).length > 1);

  it.each(several)('is gone through with real results: $name', async ({ vendor, kind, events }) => {
    const answers = splitAnswers(events);
    const { provider } = await useReplayHost([calculator]);
    const endpoint = await provider(kind, 'gpt-5');
    endpoint.play(...answers.map((answer) => ({ bytes: bytesOf(vendor, answer) })));
    const answer = await endpoint.ask('((12 + 7) * 3) * 10?');
    expect(answer.status).toBe('success');
    expect(endpoint.requests).toHaveLength(answers.length);
    const { input } = endpoint.requests.at(-1)!.body as { input: Record<string, string>[] };
    const items = answers.flatMap((events) => events.flatMap(itemIn));
    const sent = (type: string) => input.filter((item) => item['type'] === type);
    const told = (type: string) => items.filter((item) => item['type'] === type);
    expect(sent('function_call').map(callIn)).toEqual(told('function_call').map(callIn));
    expect(sent('function_call_output').map(({ call_id, output }) => [call_id, output])).toEqual(
      told('function_call').map((call, index) => [call['call_id'], ['19', '57', '570'][index]]),
    );
    expect(sent('reasoning').map((item) => item['encrypted_content'])).toEqual(
      told('reasoning').map((item) => item['encrypted_content']),
    );
  });
});

const calculator: NativeTool = {
  name: 'calculator',
  description: 'A minimal calculator.',
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
  async execute(args) {
    const { a, b, op } = args as { a: number; b: number; op: string };
    return { content: [{ type: 'text', text: String(op === 'add' ? a + b : a * b) }] };
  },
};

/**
 * A request as far as it means something: what is cached changes no answer, tools are chosen freely
 * unless something is said, and `max_tokens` has got a longer name since.
 */
function meaningOf({ body }: ReplayedRequest): unknown {
  const { tool_choice, max_completion_tokens, ...rest } = JSON.parse(
    JSON.stringify(body, (key, value: unknown) => (key === 'cache_control' ? undefined : value)),
  ) as Record<string, unknown>;
  expect(['auto', undefined]).toContain(tool_choice);
  const limit = max_completion_tokens !== undefined && { max_tokens: max_completion_tokens };
  return { ...rest, ...limit };
}

function eventsIn(body: string): unknown[] {
  const data = body.split('\n').filter((line) => line.startsWith('data: {'));
  return data.map((line) => JSON.parse(line.slice(6)) as unknown);
}

function itemIn(event: unknown): Record<string, unknown>[] {
  const { type, item } = event as { type: string; item: Record<string, unknown> };
  return type === 'response.output_item.done' ? [item] : [];
}

function callIn({ call_id, name, arguments: args }: Record<string, unknown>): unknown {
  return { call_id, name, args: JSON.parse(args as string) as unknown };
}
