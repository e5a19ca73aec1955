import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Chunk } from '#shared/chunk.ts';
import type { ModelAdapter, ModelMessage, ModelRequest } from '#shared/model.ts';
import {
  sseBytes,
  startFakeOpenAi,
  textChunks,
  toolCallChunks,
  type FakeOpenAi,
} from '../../test/fakes/fake-openai.ts';
import { listVendorModels, openAiCompatible } from './openai-compatible.ts';

const key = 'secret-key-0123456789';
let fake: FakeOpenAi;
let adapter: ModelAdapter;
beforeAll(async () => {
  fake = await startFakeOpenAi(['b-model', { id: 'org/a:free' }, { id: 7 }, null]);
  const provider = { name: 'fake', baseUrl: fake.baseUrl, apiKey: key };
  adapter = openAiCompatible(provider, 'm/1:x', { wait: async () => {} });
});
afterAll(() => fake.close());

const request = (
  messages: ModelMessage[] = [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
): ModelRequest => ({
  purpose: 'answer',
  system: 'Be kind.',
  messages,
  tools: [{ name: 'weather', description: 'd', inputSchema: { type: 'object', properties: {} } }],
  parameters: { temperature: 0.3, reasoningEffort: 'high' },
});

async function ask(sent = request(), signal = new AbortController().signal): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  for await (const batch of adapter.stream(sent, signal)) chunks.push(...batch);
  return chunks;
}

type DeltaType = 'text-delta' | 'thinking-delta' | 'tool-input-delta';

const textOf = (chunks: Chunk[], type: DeltaType = 'text-delta') =>
  chunks.map((chunk) => (chunk.type === type ? chunk.text : '')).join('');

/** What holds for every stream, whole or cut. */
function expectLegal(chunks: Chunk[]): void {
  const open = new Set<string>();
  for (const [index, chunk] of chunks.entries()) {
    const end = chunk.type === 'error' || chunk.type === 'response-complete';
    expect(end).toBe(index === chunks.length - 1);
    if (chunk.type === 'text-start' || chunk.type === 'thinking-start') open.add(chunk.id);
    if (chunk.type === 'text-delta' || chunk.type === 'thinking-delta')
      expect(open).toContain(chunk.id);
    if (chunk.type === 'text-complete' || chunk.type === 'thinking-complete')
      expect(open.delete(chunk.id)).toBe(true);
  }
  expect(open.size).toBe(0);
}

describe('an OpenAI-compatible model', () => {
  it('sends what was asked and streams thinking, text and usage', async () => {
    fake.respond({ chunks: textChunks(['Hel', 'lo'], ['h', 'm']) });
    const chunks = await ask();
    expectLegal(chunks);
    expect([textOf(chunks, 'thinking-delta'), textOf(chunks)]).toEqual(['hm', 'Hello']);
    expect(chunks.at(-1)).toMatchObject({
      finishReason: 'stop',
      usage: { inputTokens: 7, outputTokens: 5 },
    });
    const { path, headers, body } = fake.requests.at(-1)!;
    expect(path).toBe('/v1/chat/completions');
    expect(headers.authorization).toBe(`Bearer ${key}`);
    expect(body).toMatchObject({
      model: 'm/1:x',
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0.3,
      reasoning_effort: 'high',
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Hi' },
      ],
      tools: [{ type: 'function', function: { name: 'weather' } }],
    });
  });

  it('streams parallel calls in the order asked', async () => {
    fake.respond({
      chunks: toolCallChunks([
        { id: 'call_0', name: 'weather', arguments: '{"city":"Tokyo"}' },
        { id: 'call_1', name: 'weather', arguments: '' },
      ]),
      write: 'each',
    });
    const chunks = await ask();
    expectLegal(chunks);
    expect(chunks.filter(({ type }) => type === 'tool-pending')).toMatchObject([
      { callId: 'call_0', arguments: { city: 'Tokyo' } },
      { callId: 'call_1', arguments: {} },
    ]);
    expect(chunks.at(-1)).toMatchObject({ finishReason: 'tool-calls' });
  });

  it('shows an image of a tool to the model in a message of its own', async () => {
    fake.respond({ chunks: textChunks(['ok']) });
    const result = { content: [{ type: 'image' as const, data: 'AQID', mimeType: 'image/png' }] };
    await ask(
      request([
        { role: 'user', parts: [{ type: 'text', text: 'Q' }] },
        {
          role: 'assistant',
          parts: [{ type: 'tool-call', callId: 'c', toolName: 'weather', arguments: {} }],
        },
        { role: 'tool', results: [{ callId: 'c', toolName: 'weather', result }] },
      ]),
    );
    expect(fake.requests.at(-1)!.body['messages']).toMatchObject([
      {},
      {},
      {
        role: 'assistant',
        tool_calls: [{ id: 'c', function: { name: 'weather', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: '[Image: image/png]' },
      {
        role: 'user',
        content: [{ type: 'text' }, { image_url: { url: 'data:image/png;base64,AQID' } }],
      },
    ]);
  });

  it('asks again after a rate limit and tells other failures without the key', async () => {
    fake.respond(
      { status: 429, headers: { 'retry-after': '1' }, raw: '{"error":{"message":"slow"}}' },
      { chunks: textChunks(['ok']) },
    );
    expect(textOf(await ask())).toBe('ok');
    fake.respond({ status: 401, raw: JSON.stringify({ error: { message: `bad key ${key}` } }) });
    const chunks = await ask();
    expect(chunks).toMatchObject([{ type: 'error', error: { code: 'model_unauthorized' } }]);
    expect(JSON.stringify(chunks)).not.toContain(key);
  });

  it.each([
    ['HTML instead of a stream', '<html>', 'text/html'],
    ['JSON that is no chunk', 'data: {"choices":"x"}\n\n', 'text/event-stream'],
    ['an event that is no JSON', 'data: {{{\n\n', 'text/event-stream'],
    [
      'an error in the stream',
      'data: {"error":{"message":"overloaded","code":"x"}}\n\n',
      'text/event-stream',
    ],
    ['nothing at all', '', 'text/event-stream'],
  ])('ends with an error for %s', async (_name, raw, type) => {
    fake.respond({ raw, headers: { 'content-type': type } });
    const chunks = await ask();
    expectLegal(chunks);
    expect(chunks.at(-1)).toMatchObject({ type: 'error', error: { code: 'model_failed' } });
  });

  it('leaves the vendor when it is aborted', async () => {
    const controller = new AbortController();
    const left = new Promise<void>((resolve) => {
      fake.onLeft = resolve;
    });
    fake.respond({ hang: true });
    fake.onRequest = () => controller.abort();
    expect(await ask(request(), controller.signal)).toMatchObject([
      { type: 'error', error: { code: 'cancelled' } },
    ]);
    await left;
    fake.onLeft = undefined;
    fake.onRequest = undefined;
  });
});

describe('a stream that is cut', () => {
  const bytes = sseBytes([
    ...textChunks(['Grüße, ', '世界', '!'], ['…']).slice(0, 4),
    ...toolCallChunks([{ id: 'c', name: 'weather', arguments: '{"a":1}' }]),
  ]);

  it.each(['reset', 'end'] as const)(
    'is legal and a prefix at every byte (%s)',
    async (how) => {
      fake.respond({ raw: bytes });
      const whole = await ask();
      expect(whole.at(-1)?.type).toBe('response-complete');
      const finishAt = bytes.lastIndexOf('"finish_reason":"tool_calls"');
      for (let at = 0; at < bytes.length; at += 1) {
        fake.respond({ raw: bytes, cut: { at, how } });
        const cut = await ask();
        expectLegal(cut);
        expect(textOf(whole).startsWith(textOf(cut))).toBe(true);
        if (at < finishAt)
          expect(cut.at(-1)).toMatchObject({ type: 'error', error: { code: 'model_failed' } });
      }
    },
    60_000,
  );
});

describe('recorded streams of vendors', () => {
  const folder = new URL('../../../shared/recordings/openai-chat/', import.meta.url);
  const names = existsSync(folder)
    ? readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
    : [];
  if (names.length === 0)
    console.warn('Skipped: no recorded vendor streams beside the repository.');

  const all = names.length === 0 ? ['none'] : names;
  it.skipIf(names.length === 0).each(all)('%s comes out whole, in any framing', async (name) => {
    const lines = readFileSync(new URL(name, folder), 'utf8').trim().split('\n');
    const events = lines.map((line) => JSON.parse(line) as RecordedEvent);
    fake.respond({ chunks: events, write: 'each' });
    const each = await ask();
    fake.respond({ chunks: events, write: 'once' });
    const once = await ask();
    expectLegal(each);
    expect(once).toEqual(each);
    const said = (read: (delta: RecordedDelta) => string | null | undefined) =>
      events.map(({ choices }) => read(choices[0]?.delta ?? {}) ?? '').join('');
    expect(textOf(each)).toBe(said((delta) => delta.content));
    expect(textOf(each, 'thinking-delta')).toBe(said((delta) => delta.reasoning_content));
    const calls = said((delta) =>
      delta.tool_calls?.map((call) => call.function.arguments ?? '').join(''),
    );
    expect(textOf(each, 'tool-input-delta')).toBe(calls);
    const pending = each.find((chunk) => chunk.type === 'tool-pending');
    if (calls)
      expect(pending).toMatchObject({
        toolName: 'weather',
        arguments: JSON.parse(calls) as object,
      });
    const usage = events.findLast((event) => event.usage)?.usage;
    expect(each.at(-1)).toMatchObject({
      finishReason: calls ? 'tool-calls' : 'stop',
      usage: { inputTokens: usage?.prompt_tokens, outputTokens: usage?.completion_tokens },
    });
  });
});

interface RecordedDelta {
  content?: string | null;
  reasoning_content?: string | null;
  tool_calls?: { function: { arguments?: string } }[];
}
interface RecordedEvent {
  choices: { delta?: RecordedDelta }[];
  usage?: { prompt_tokens: number; completion_tokens: number } | null;
}

describe('listVendorModels', () => {
  const { signal } = new AbortController();

  it('gives the ids, whatever else is in the list', async () => {
    const provider = { name: 'fake', baseUrl: `${fake.baseUrl}/`, apiKey: key };
    expect(await listVendorModels(provider, signal)).toEqual(['b-model', 'org/a:free']);
    expect(fake.requests.at(-1)).toMatchObject({
      path: '/v1/models',
      headers: { authorization: `Bearer ${key}` },
    });
  });

  it('throws a readable error when nobody is there', async () => {
    const gone = await startFakeOpenAi();
    await gone.close();
    await expect(
      listVendorModels({ name: 'gone', baseUrl: gone.baseUrl }, signal),
    ).rejects.toMatchObject({
      code: 'model_unreachable',
      message: `Could not reach ${new URL(gone.baseUrl).origin}: the connection was refused.`,
    });
  });
});
