import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  block,
  input,
  messageEnd,
  messageStart,
  text,
  thinking,
} from '../fakes/anthropic-streams.ts';
import { type ListAnswer, startFakeVendor } from '../fakes/fake-vendor.ts';
import { completed, created, delta, functionCall, message } from '../fakes/openai-streams.ts';
import { openV1 } from '../fixtures/v1.ts';

const messages = [{ role: 'user' as const, content: 'Hi' }];
const schema = { type: 'object' as const, properties: {} };

/** Fields that name an answer or its time, and what official clients add to one that they read themselves. */
const own = new Set(
  'id item_id call_id created created_at model completed_at citations'.split(' '),
);
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, each: unknown) => (own.has(key) ? undefined : each)));

/** A vendor that answers with this stream, asked directly and by way of Cerise. */
async function openBoth(kind: string, events: object[]) {
  const frames = events.map((event) => {
    const name = 'type' in event ? `event: ${String(event.type)}\n` : '';
    return `${name}data: ${JSON.stringify(event)}\n\n`;
  });
  const answer: ListAnswer = {
    headers: { 'content-type': 'text/event-stream' },
    body: `${frames.join('')}data: [DONE]\n\n`,
  };
  const vendor = await startFakeVendor(() => answer);
  onTestFinished(() => vendor.close());
  const api = await openV1([]);
  const baseUrl = `${vendor.origin}/v1`;
  await api.json('POST', '/api/providers', {
    name: 'up',
    kind,
    baseUrl,
    apiKey: 'k',
    models: ['m'],
  });
  return { api, vendor, baseUrl };
}

const usage = {
  ...delta({}),
  choices: [],
  usage: {
    prompt_tokens: 20,
    completion_tokens: 9,
    total_tokens: 29,
    prompt_tokens_details: { cached_tokens: 4, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: 3,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  },
};
const first = delta({ role: 'assistant', content: '' });
const mine = (index: number, args: string, id?: string) =>
  delta({
    tool_calls: [
      {
        index,
        ...(id && { id, type: 'function' }),
        function: { ...(id && { name: 'mine' }), arguments: args },
      },
    ],
  });
const chats: Record<string, object[]> = {
  text: [first, delta({ content: 'Hel' }), delta({ content: 'lo' }), delta({}, 'stop')],
  reasoning: [
    first,
    delta({ reasoning_content: 'So.' }),
    delta({ content: 'Hi' }),
    delta({}, 'stop'),
  ],
  'two calls': [
    delta({ role: 'assistant', content: null }),
    mine(0, '', 'call_a'),
    mine(0, '{"a": 1'),
    mine(0, '}'),
    mine(1, '', 'call_b'),
    mine(1, '{ }'),
    delta({}, 'tool_calls'),
  ],
  'text and a call': [
    first,
    delta({ content: 'Let me see.' }),
    mine(0, '{}', 'call_a'),
    delta({}, 'tool_calls'),
  ],
  'a withheld rest': [first, delta({ content: 'Par' }), delta({}, 'content_filter')],
  'a cut': [first, delta({ content: 'Par' }), delta({}, 'length')],
  'a picture': [
    first,
    delta({ content: 'Here' }),
    delta({
      images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,aGVsbG8=' } }],
    }),
    delta({}, 'stop'),
  ],
};

describe('a chat completion through Cerise is what the vendor says', () => {
  it.each(Object.keys(chats))('%s', async (name) => {
    const { api, baseUrl } = await openBoth('openai-compatible', [...(chats[name] ?? []), usage]);
    const tools = [{ type: 'function' as const, function: { name: 'mine', parameters: schema } }];
    const ask = (client: OpenAI, model: string) =>
      client.chat.completions
        .stream({ model, messages, tools, stream_options: { include_usage: true } })
        .finalChatCompletion();
    const direct = await ask(new OpenAI({ apiKey: 'k', baseURL: baseUrl }), 'm');
    expect(plain(await ask(api.openai, 'up/m'))).toEqual(plain(direct));
    const whole = await api.openai.chat.completions.create({ model: 'up/m', messages, tools });
    expect(plain(whole)).toMatchObject({
      ...(plain({ ...direct, choices: undefined }) as object),
      choices: direct.choices.map(({ finish_reason, message: { content, refusal } }) => ({
        finish_reason,
        message: { content, refusal },
      })),
    });
  });
});

const says = text('Hello');
const signs = { type: 'signature_delta', signature: 'SIG==' };
const thinks = { type: 'thinking', thinking: '', signature: '' };
const speaks = { type: 'text', text: '' };
const uses = { type: 'tool_use', id: 'toolu_1', name: 'mine', input: {} };
const answers: Record<string, object[]> = {
  text: [...block(0, speaks, says), ...messageEnd('end_turn')],
  thinking: [
    ...block(0, thinks, thinking('So.'), signs),
    ...block(1, speaks, says),
    ...messageEnd('end_turn'),
  ],
  'sealed thinking': [
    ...block(0, { type: 'redacted_thinking', data: 'SEALED' }),
    ...block(1, speaks, says),
    ...messageEnd('end_turn'),
  ],
  'a call': [
    ...block(0, thinks, thinking('So.'), signs),
    ...block(1, speaks, says),
    ...block(2, uses, input('{"a": '), input('1}')),
    ...messageEnd('tool_use'),
  ],
  'a cut': [...block(0, speaks, says), ...messageEnd('max_tokens')],
  'a refusal': [...block(0, speaks, says), ...messageEnd('refusal')],
};

describe('a message through Cerise is what the vendor says', () => {
  it.each(Object.keys(answers))('%s', async (name) => {
    const { api, vendor } = await openBoth('anthropic', [messageStart, ...(answers[name] ?? [])]);
    const asked = {
      messages,
      max_tokens: 2000,
      thinking: { type: 'enabled' as const, budget_tokens: 1024 },
      tools: [{ name: 'mine', input_schema: schema }],
    };
    const ask = (client: Anthropic, model: string) =>
      client.messages.stream({ ...asked, model }).finalMessage();
    const direct = await ask(new Anthropic({ apiKey: 'k', baseURL: vendor.origin }), 'm');
    const { content, stop_reason, usage: counted } = await ask(api.anthropic, 'up/m');
    const whole = await api.anthropic.messages.create({ ...asked, model: 'up/m' });
    expect(plain(whole.content)).toEqual(plain(direct.content));
    expect(plain({ content, stop_reason })).toEqual(
      plain({ content: direct.content, stop_reason: direct.stop_reason }),
    );
    expect(counted.output_tokens).toBe(direct.usage.output_tokens);
    expect(counted.input_tokens).toBe(direct.usage.input_tokens);
  });
});

const responses: Record<string, object[]> = {
  text: message(0, 'Hel', 'lo'),
  'a call': functionCall(0, 'call_a', '{"a": ', '1}'),
  'text and a call': [...message(0, 'Hello'), ...functionCall(1, 'call_a', '{}')],
};

describe('a response through Cerise is what the vendor says', () => {
  it.each(Object.keys(responses))('%s', async (name) => {
    const events = [created, ...(responses[name] ?? []), completed()];
    const { api } = await openBoth('openai', events);
    const tools = [
      { type: 'function' as const, name: 'weather', parameters: schema, strict: false },
    ];
    const stream = await api.openai.responses.create({
      model: 'up/m',
      input: 'Hi',
      tools,
      stream: true,
    });
    const told = await Array.fromAsync(stream);
    // Deltas may come together.
    const typesOf = (all: readonly object[]) =>
      all
        .flatMap((event) => ('type' in event ? [String(event.type)] : []))
        .filter((type, index, types) => type !== types[index - 1]);
    const named = new Set(typesOf(events));
    // What a vendor of the test leaves out, the official API tells.
    const known = told.filter(({ type }) => named.has(type));
    expect(typesOf(known)).toEqual(typesOf(events));
    const numbers = told.map((event) => event.sequence_number);
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
  });
});
