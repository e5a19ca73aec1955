import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import type { ModelRequest } from '#shared/vocabulary/model.ts';
import { fromWire } from '../from-wire.ts';
import {
  anthropicStreams,
  block,
  input,
  messageEnd,
  messageStart,
  text,
} from '../../../../test/fakes/anthropic-streams.ts';
import { startFakeOpenAi, type FakeOpenAi } from '../../../../test/fakes/fake-openai.ts';
import { balanceProblem, readWithWire, toSse } from '../../../../test/fakes/wire-oracle.ts';
import { anthropicMessages } from './anthropic-messages.ts';

let fake: FakeOpenAi;
beforeAll(async () => {
  fake = await startFakeOpenAi();
});
afterAll(() => fake.close());

const request: ModelRequest = {
  purpose: 'answer',
  system: '',
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'Q' }] }],
  tools: [],
  parameters: {},
};
const capabilities = {
  tools: true,
  imagesIn: true,
  audioIn: false,
  filesIn: true,
  imagesOut: false,
  reasoning: true,
};

async function ask(sent = request): Promise<Chunk[]> {
  const target = {
    model: 'claude-test',
    baseUrl: fake.baseUrl,
    apiKey: 'secret-key-0123',
    capabilities,
  };
  const model = fromWire(anthropicMessages, target, { wait: async () => {} });
  const chunks: Chunk[] = [];
  const { signal } = new AbortController();
  for await (const batch of model.stream(sent, signal)) chunks.push(...batch);
  return chunks;
}
const textOf = (chunks: Chunk[]) =>
  chunks.map((chunk) => (chunk.type === 'text-delta' ? chunk.text : '')).join('');
const headers = { 'content-type': 'text/event-stream' };

describe('Anthropic over HTTP', () => {
  it.each(Object.entries(anthropicStreams))(
    'comes out as it is read: %s',
    async (_name, events) => {
      fake.respond({ raw: toSse(events), headers });
      expect(await ask()).toEqual(readWithWire(anthropicMessages, events));
      expect(fake.requests.at(-1)).toMatchObject({
        path: '/v1/messages',
        headers: { 'x-api-key': 'secret-key-0123' },
      });
    },
  );

  const events = [
    messageStart,
    ...block(0, { type: 'text', text: '' }, text('Grüße, '), text('世界')),
    ...block(
      1,
      { type: 'tool_use', id: 't', name: 'look', input: {} },
      input('{"a":'),
      input('1}'),
    ),
    ...messageEnd('tool_use'),
  ];
  const bytes = Buffer.from(toSse(events));

  it('ends with an error or whole, wherever it is cut', { timeout: 60_000 }, async () => {
    const settled = bytes.indexOf('"message_delta"');
    for (let at = 0; at < bytes.length; at += 1) {
      fake.respond({ raw: bytes, headers, cut: { at, how: at % 3 === 0 ? 'reset' : 'end' } });
      const chunks = await ask();
      expect(balanceProblem(chunks.filter(({ type }) => type !== 'error'))).toBeUndefined();
      expect('Grüße, 世界'.startsWith(textOf(chunks))).toBe(true);
      const last = chunks.at(-1);
      if (at < settled)
        expect(last).toMatchObject({ type: 'error', error: { code: 'model_failed' } });
      else expect(last?.type).toMatch(/^(error|response-complete)$/);
    }
  });

  it('asks again when the vendor is overloaded before the first word, not after it', async () => {
    const overloaded = {
      type: 'error',
      error: { type: 'overloaded_error', message: 'Overloaded' },
    };
    const good = anthropicStreams['text only']!;
    const before = fake.requests.length;
    fake.respond(
      { raw: toSse([messageStart, overloaded]), headers },
      { raw: JSON.stringify(overloaded), status: 529 },
      { raw: toSse(good), headers },
    );
    expect(textOf(await ask())).toBe('Grüße, 世界 🌸');
    expect(fake.requests.length - before).toBe(3);
    fake.respond({ raw: toSse([...events.slice(0, 3), overloaded]), headers });
    const chunks = await ask();
    expect(textOf(chunks)).toBe('Grüße, ');
    expect(chunks.at(-1)).toMatchObject({ type: 'error', error: { details: { status: 529 } } });
    expect(fake.requests.length - before).toBe(4);
  });

  it.each([
    [401, 'authentication_error', 'invalid x-api-key', 'model_unauthorized'],
    [400, 'invalid_request_error', 'prompt is too long: 9 > 8', 'model_context_too_long'],
    [400, 'invalid_request_error', 'Your credit balance is too low', 'model_no_credit'],
    [404, 'not_found_error', 'model: claude-x', 'model_not_found'],
  ])('tells a %i %s in a person’s words: %s', async (status, type, message, code) => {
    fake.respond({ status, raw: JSON.stringify({ type: 'error', error: { type, message } }) });
    expect(await ask()).toMatchObject([{ type: 'error', error: { code } }]);
  });
});

interface Loop {
  interactions: { request: { body: string }; response: { body: string } }[];
}

describe('a recorded loop of Anthropic', () => {
  const file = new URL('../../../../../shared/recordings/loops/anthropic.json', import.meta.url);
  const recorded = existsSync(file);
  if (!recorded) console.warn('Skipped: no recorded loops beside the repository.');

  it.skipIf(!recorded)('is replayed: its first answer leads to its second request', async () => {
    const { interactions } = JSON.parse(readFileSync(file, 'utf8')) as Loop;
    fake.respond({ raw: interactions[0]!.response.body, headers });
    const called = (await ask()).find((chunk) => chunk.type === 'tool-pending')!;
    const { callId, toolName, arguments: args } = called;
    const sent: ModelRequest = {
      ...request,
      messages: [
        ...request.messages,
        {
          role: 'assistant',
          parts: [{ type: 'tool-call', callId, toolName, arguments: args! }],
        },
      ],
    };
    fake.respond({ raw: interactions[1]!.response.body, headers });
    expect(textOf(await ask(sent))).toBe('Paris is currently sunny at 22°C.');
    type Sent = { messages: { content: unknown[] }[] };
    const expected = JSON.parse(interactions[1]!.request.body) as Sent;
    const actual = fake.requests.at(-1)!.body as unknown as Sent;
    expect(actual.messages[1]).toEqual(expected.messages[1]);
  });
});
