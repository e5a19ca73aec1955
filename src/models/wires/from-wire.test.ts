import { Agent } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import type { ModelAdapter, ModelMessage, ModelRequest } from '#shared/vocabulary/model.ts';
import {
  sseBytes,
  startFakeOpenAi,
  textChunks,
  toolCallChunks,
  type FakeOpenAi,
} from '../../../test/fakes/fake-openai.ts';
import { readWithWire, recordedStreams } from '../../../test/fakes/wire-oracle.ts';
import { askModel, everything, expectLegal, textOf } from '../../../test/fixtures/model-chunks.ts';
import { fromWire } from './from-wire.ts';
import { openAiChat } from './openai/openai-chat.ts';
import { openAiResponses } from './openai/openai-responses.ts';
import type { Wire, WireTarget } from './wire.ts';

const key = 'secret-key-0123456789';
let fake: FakeOpenAi;
let target: WireTarget;
let adapter: ModelAdapter;
const waits: number[] = [];
const wait = async (delay: number) => void waits.push(delay);

beforeAll(async () => {
  fake = await startFakeOpenAi();
  target = {
    model: 'm/1:x',
    baseUrl: `${fake.baseUrl}/`,
    apiKey: key,
    capabilities: everything,
  };
  adapter = fromWire(openAiChat, target, { wait });
});
afterAll(() => fake.close());

const question: ModelRequest = {
  purpose: 'answer',
  system: '',
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
  tools: [],
  parameters: {},
};
const ask = (request?: Partial<ModelRequest>, signal?: AbortSignal) =>
  askModel(adapter, request, signal);

describe('a model behind a wire', () => {
  it('sends its request and streams the answer, a batch a read', async () => {
    fake.respond({ chunks: textChunks(['Hel', 'lo'], ['h', 'm']) });
    const batches: Chunk[][] = [];
    for await (const batch of adapter.stream(question, new AbortController().signal)) {
      batches.push(batch);
    }
    const chunks = batches.flat();
    expectLegal(chunks);
    expect(batches).toHaveLength(1);
    expect([textOf(chunks, 'thinking-delta'), textOf(chunks)]).toEqual(['hm', 'Hello']);
    expect(fake.requests.at(-1)).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: { model: 'm/1:x', stream: true },
    });
  });

  it('reads the same whether an answer comes at once or byte by byte', async () => {
    const bytes = sseBytes([
      ...textChunks(['Grüße, ', '世界', '🙂'], ['…']).slice(0, 4),
      ...toolCallChunks([{ id: 'c', name: 'weather', arguments: '{"a":"ü"}' }]),
    ]);
    fake.respond({ raw: bytes });
    const once = await ask();
    fake.respond({ pieces: [...bytes].map((byte) => Buffer.from([byte])) });
    expect(await ask()).toEqual(once);
    fake.respond({ raw: bytes.toString().replaceAll('\n', '\r\n') });
    expect(await ask()).toEqual(once);
  });

  it('takes an answer in one piece', async () => {
    const message = { role: 'assistant', content: 'Whole.', reasoning_content: 'hm' };
    const usage = { prompt_tokens: 1, completion_tokens: 2 };
    const raw = JSON.stringify({ choices: [{ message, finish_reason: 'stop' }], usage });
    fake.respond({ raw, headers: { 'content-type': 'application/json; charset=utf-8' } });
    const chunks = await ask();
    expectLegal(chunks);
    expect(textOf(chunks)).toBe('Whole.');
    expect(chunks.at(-1)).toMatchObject({ finishReason: 'stop', usage: { outputTokens: 2 } });
  });

  it.each([
    ['HTML instead of a stream', '<html>', 'text/html', 'provider-unreadable'],
    [
      'JSON that is no chunk',
      'data: {"choices":"x"}\n\n',
      'text/event-stream',
      'provider-unreadable',
    ],
    ['an event that is no JSON', 'data: {{{\n\n', 'text/event-stream', 'provider-unreadable'],
    ['an error in the stream', 'data: {"error":{"message":"overloaded"}}\n\n', '', 'model-failed'],
    ['a text as an error', 'data: {"error":"overloaded"}\n\n', '', 'model-failed'],
    [
      'an error without its envelope',
      'data: {"object":"error","message":"x"}\n\n',
      '',
      'model-failed',
    ],
    [
      'an error in one piece',
      '{"error":{"message":"overloaded"}}',
      'application/json',
      'model-failed',
    ],
    ['nothing at all', '', 'text/event-stream', 'stream-cut'],
    ['only goodbye', 'data: [DONE]\n\n', 'text/event-stream', 'stream-cut'],
  ])('ends with an error for %s', async (_name, raw, type, id) => {
    fake.respond({ raw, headers: { 'content-type': type || 'text/event-stream' } });
    const chunks = await ask();
    expectLegal(chunks);
    expect(chunks).toMatchObject([
      { type: 'error', error: { code: 'model_failed', messageSaid: { id } } },
    ]);
  });

  it('leaves the vendor when it is aborted, before and within the answer', async () => {
    for (const answer of [{ hang: true }, { raw: 'data: {"choices":[]}\n\n', hang: true }]) {
      const controller = new AbortController();
      const left = new Promise<void>((resolve) => {
        fake.onLeft = resolve;
      });
      fake.respond(answer);
      fake.onRequest = () => controller.abort();
      expect(await ask({}, controller.signal)).toMatchObject([
        { type: 'error', error: { code: 'cancelled' } },
      ]);
      await left;
    }
    fake.onLeft = undefined;
    fake.onRequest = undefined;
  });

  it('leaves the vendor when its reader leaves', async () => {
    const left = new Promise<void>((resolve) => {
      fake.onLeft = resolve;
    });
    fake.respond({ chunks: textChunks(Array.from({ length: 5_000 }, () => 'a')), write: 'each' });
    for await (const _ of adapter.stream(question, new AbortController().signal)) break;
    await left;
    fake.onLeft = undefined;
  });

  it('does not read ahead of one that has stopped asking', async () => {
    const words = Array.from({ length: 20_000 }, (_, index) => `word ${index} `);
    fake.respond({ chunks: textChunks(words), write: 'each' });
    const stream = adapter.stream(question, new AbortController().signal);
    const iterator = stream[Symbol.asyncIterator]();
    const first = await iterator.next();
    for (let tick = 0; tick < 200; tick += 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    const second = await iterator.next();
    const held = (first.value as Chunk[]).length + (second.value as Chunk[]).length;
    expect(held).toBeLessThan(10_000);
    const chunks = [...(first.value as Chunk[]), ...(second.value as Chunk[])];
    for (let item = await iterator.next(); !item.done; item = await iterator.next()) {
      chunks.push(...item.value);
    }
    expect(textOf(chunks)).toBe(words.join(''));
  });

  it('uses one connection for one request after the other', async () => {
    const dispatcher = new Agent({ connections: 1 });
    const own = fromWire(openAiChat, target, { dispatcher });
    const before = fake.connections;
    fake.respond({ chunks: textChunks(['ok']) });
    for (let round = 0; round < 3; round += 1) {
      expect(textOf(await askModel(own))).toBe('ok');
    }
    expect(fake.connections - before).toBe(1);
    await dispatcher.close();
  });

  it('ends although the vendor leaves the connection open', async () => {
    fake.respond({ raw: sseBytes(textChunks(['ok'])), hang: true });
    const chunks = await ask();
    expect(chunks.at(-1)).toMatchObject({ finishReason: 'stop', usage: { inputTokens: 7 } });
    const quiet = sseBytes(textChunks(['ok']))
      .toString()
      .replace('data: [DONE]\n\n', '');
    fake.respond({ raw: quiet, hang: true });
    const left = new Promise<void>((resolve) => {
      fake.onLeft = resolve;
    });
    expect((await ask()).at(-1)).toMatchObject({ finishReason: 'stop' });
    await left;
    fake.onLeft = undefined;
  });

  it('is taken for what its name says, unless it is said what it can do', async () => {
    const file: ModelMessage = {
      role: 'user',
      parts: [{ type: 'file', mimeType: 'image/png', data: 'AQID', name: 'dot.png' }],
    };
    const { capabilities: _, ...place } = target;
    const sent = [];
    for (const own of [
      { ...place, model: 'gpt-4o' },
      { ...place, model: 'gpt-3.5-turbo' },
      { ...target, model: 'gpt-3.5-turbo' },
    ]) {
      fake.respond({ chunks: textChunks(['ok']) });
      await askModel(fromWire(openAiChat, own), { messages: [file] });
      sent.push(JSON.stringify(fake.requests.at(-1)?.body).includes('image_url'));
    }
    expect(sent).toEqual([true, false, true]);
  });

  const recorded: [string, Wire, unknown[]][] = [
    ...recordedStreams('openai-chat').map(
      ([name, events]) => [name, openAiChat, events] as [string, Wire, unknown[]],
    ),
    ...recordedStreams('openai-responses').map(
      ([name, events]) => [name, openAiResponses, events] as [string, Wire, unknown[]],
    ),
  ].filter(([name]) => name !== 'error.jsonl');
  it.skipIf(recorded.length === 0).each(recorded)(
    'gives a recorded answer as it is: %s',
    async (_name, wire, events) => {
      const own = fromWire(wire, target);
      for (const write of ['once', 'each'] as const) {
        fake.respond({ chunks: events, write });
        const chunks = await askModel(own);
        expectLegal(chunks);
        expect(chunks).toEqual(readWithWire(wire, events));
      }
    },
  );
});

describe('a request that fails', () => {
  it('is made again after the wait the vendor asks for', async () => {
    waits.length = 0;
    fake.respond(
      { status: 429, headers: { 'retry-after': '3' }, raw: '{"error":{"message":"slow"}}' },
      { status: 503, raw: 'busy' },
      { chunks: textChunks(['ok']) },
    );
    expect(textOf(await ask())).toBe('ok');
    expect(waits).toEqual([3000, 1000]);
  });

  it('is made again for a passing error inside an answer that has not begun', async () => {
    waits.length = 0;
    fake.respond(
      { raw: 'data: {"error":{"code":502,"message":"Upstream is down"}}\n\n' },
      { chunks: textChunks(['ok']) },
    );
    expect(textOf(await ask())).toBe('ok');
    expect(waits).toEqual([500]);
  });

  it('is never made again after the first chunk', async () => {
    const [first] = textChunks(['a']);
    const sent = fake.requests.length;
    const raw = `data: ${JSON.stringify(first)}\n\ndata: {"error":{"code":502,"message":"x"}}\n\n`;
    fake.respond({ raw });
    const chunks = await ask();
    expectLegal(chunks);
    expect([textOf(chunks), chunks.at(-1)?.type]).toEqual(['a', 'error']);
    expect(fake.requests.length).toBe(sent + 1);
  });

  it.each([
    [401, 'Incorrect API key provided: secret-key-0123456789', '', 'model_unauthorized'],
    [402, 'Insufficient Balance', '', 'model_no_credit'],
    [429, 'You exceeded your current quota', 'insufficient_quota', 'model_no_credit'],
    [400, 'too long', 'context_length_exceeded', 'model_context_too_long'],
    [404, 'The model x does not exist', 'model_not_found', 'model_not_found'],
    [400, 'no', 'content_filter', 'model_refused'],
  ])(
    'says what HTTP %i, “%s” (%s) means, without the key',
    async (status, message, code, found) => {
      fake.respond({ status, raw: JSON.stringify({ error: { message, code } }) });
      const chunks = await ask();
      expect(chunks).toMatchObject([
        { type: 'error', error: { code: found, details: { status } } },
      ]);
      expect(JSON.stringify(chunks)).not.toContain(key);
    },
  );

  it('says where the vendor has moved to', async () => {
    fake.respond({ status: 308, headers: { location: 'https://new.example/v1?key=x' }, raw: '' });
    expect(await ask()).toMatchObject([
      { error: { message: 'The model provider has moved to https://new.example/v1.' } },
    ]);
  });

  it('says that nobody is there, or that the address is none', async () => {
    const gone = await startFakeOpenAi();
    await gone.close();
    const absent = fromWire(openAiChat, { ...target, baseUrl: gone.baseUrl }, { wait });
    expect(await askModel(absent)).toMatchObject([
      { type: 'retrying', reason: 'unreachable', attempt: 2 },
      { type: 'retrying', reason: 'unreachable', attempt: 3 },
      { error: { code: 'model_unreachable' } },
    ]);
    const invalid = fromWire(openAiChat, { ...target, baseUrl: 'nonsense' }, { wait });
    expect(await askModel(invalid)).toMatchObject([{ error: { code: 'model_unreachable' } }]);
  });

  it.each(['a\nb', 'ключ', ''])('does not break with the key %j', async (apiKey) => {
    fake.respond({ chunks: textChunks(['ok']) });
    const chunks = await askModel(fromWire(openAiChat, { ...target, apiKey }, { wait }));
    expectLegal(chunks);
    if (apiKey !== '') {
      expect(chunks).toMatchObject([{ type: 'error', error: { code: 'model_unauthorized' } }]);
      expect(JSON.stringify(chunks)).not.toContain(apiKey);
    }
  });

  it('is made again at once when a used connection turns out to be closed', async () => {
    waits.length = 0;
    fake.respond({ drop: true }, { chunks: textChunks(['ok']) });
    expect(textOf(await ask())).toBe('ok');
    expect(waits).toEqual([]);
  });
});

describe('a refusal', () => {
  const image: ModelRequest['messages'] = [
    { role: 'user', parts: [{ type: 'file', mimeType: 'image/png', data: 'AQID', name: 'a.png' }] },
  ];
  const bodies = (from: number) => fake.requests.slice(from).map(({ body }) => body);

  it('of images is learned from: they are described in words from then on', async () => {
    const own = fromWire(openAiChat, target, { wait });
    const from = fake.requests.length;
    fake.respond(
      { status: 400, raw: '{"error":{"message":"This model does not support image input"}}' },
      { chunks: textChunks(['ok']) },
    );
    for (let turn = 0; turn < 2; turn += 1) {
      expect(textOf(await askModel(own, { messages: image }))).toBe('ok');
    }
    const sent = bodies(from).map((body) => JSON.stringify(body['messages']).includes('image_url'));
    expect(sent).toEqual([true, false, false]);
    expect(JSON.stringify(bodies(from).at(-1))).toContain('[Image: a.png, image/png]');
  });

  it('of one image is learned from for that request only', async () => {
    const own = fromWire(openAiChat, target, { wait });
    const from = fake.requests.length;
    const refused = { status: 400, raw: '{"error":{"message":"image exceeds 5 MB maximum"}}' };
    fake.respond(refused, { chunks: textChunks(['ok']) });
    for (let turn = 0; turn < 2; turn += 1) {
      expect(textOf(await askModel(own, { messages: image }))).toBe('ok');
    }
    const sent = bodies(from).map((body) => JSON.stringify(body['messages']).includes('image_url'));
    expect(sent).toEqual([true, false, true]);
    fake.respond(refused);
    expect(await askModel(own, { messages: image })).toMatchObject([{ type: 'error' }]);
  });

  it.each([
    ["Use 'max_completion_tokens' instead.", 'max_tokens', 'max_completion_tokens'],
    ["Unsupported value: 'temperature' does not support 0.3", 'temperature', undefined],
    ['invalid temperature: only 1 is allowed for this model', 'temperature', undefined],
    ['Unknown field stream_options', 'stream_options', undefined],
    ['reasoning_effort is not supported', 'reasoning_effort', undefined],
  ])('%s is learned from', async (message, field, instead) => {
    const quirks = { reasoning: 'reasoning_effort' } as const;
    const own = fromWire(openAiChat, { ...target, quirks }, { wait });
    const from = fake.requests.length;
    const parameters = { temperature: 0.3, maxOutputTokens: 9, reasoningEffort: 'low' } as const;
    fake.respond(
      { status: 400, raw: JSON.stringify({ error: { message } }) },
      { chunks: textChunks(['ok']) },
    );
    expect(textOf(await askModel(own, { parameters }))).toBe('ok');
    const [first, second] = bodies(from);
    expect(first).toHaveProperty(field);
    expect(second).not.toHaveProperty(field);
    if (instead !== undefined) expect(second).toHaveProperty(instead, 9);
  });

  it('that teaches nothing is told', async () => {
    fake.respond({ status: 400, raw: '{"error":{"message":"temperature is not supported"}}' });
    const own = fromWire(openAiChat, target, { wait });
    const from = fake.requests.length;
    const chunks = await askModel(own, { parameters: { temperature: 1 } });
    expect(chunks).toMatchObject([{ type: 'error', error: { code: 'model_failed' } }]);
    expect(fake.requests.length - from).toBe(2);
  });
});
