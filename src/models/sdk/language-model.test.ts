import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import type { ModelAdapter, ModelRequest } from '#shared/vocabulary/model.ts';
import { fromLanguageModel, fromModelStream } from './language-model.ts';

const request: ModelRequest = {
  purpose: 'answer',
  system: '',
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
  tools: [],
  parameters: {},
};
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const finish: LanguageModelV4StreamPart = {
  type: 'finish',
  finishReason: { unified: 'stop', raw: 'stop' },
  usage,
};
const delta = (text: string): LanguageModelV4StreamPart => ({
  type: 'text-delta',
  id: 't',
  delta: text,
});

type Stream = ReadableStream<LanguageModelV4StreamPart>;

function modelOf(
  doStream: (options: LanguageModelV4CallOptions) => Promise<Stream>,
): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'test',
    modelId: 'test',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('not used')),
    doStream: async (options) => ({ stream: await doStream(options) }),
  };
}

function partsStream(...parts: LanguageModelV4StreamPart[]): Stream {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

async function collect(
  adapter: ModelAdapter,
  signal = new AbortController().signal,
): Promise<Chunk[][]> {
  const batches: Chunk[][] = [];
  for await (const batch of adapter.stream(request, signal)) batches.push(batch);
  return batches;
}

describe('language model adapter', () => {
  it('hands over everything of one macrotask as one batch', async () => {
    const { promise: next, resolve: go } = Promise.withResolvers<void>();
    const model = modelOf(async () => {
      return new ReadableStream<LanguageModelV4StreamPart>({
        async start(controller) {
          for (let index = 0; index < 100; index += 1) controller.enqueue(delta('a'));
          await next;
          for (let index = 0; index < 50; index += 1) controller.enqueue(delta('b'));
          controller.enqueue(finish);
          controller.close();
        },
      });
    });
    const batches: Chunk[][] = [];
    for await (const batch of fromLanguageModel(model).stream(
      request,
      new AbortController().signal,
    )) {
      batches.push(batch);
      go();
    }
    expect(batches.map((batch) => batch.length)).toEqual([102, 52]);
  });

  it('does not read ahead of a consumer that has stopped asking', async () => {
    let pulled = 0;
    const model = modelOf(async () => {
      return new ReadableStream<LanguageModelV4StreamPart>({
        pull(controller) {
          pulled += 1;
          controller.enqueue(pulled < 5_000 ? delta('a') : finish);
        },
      });
    });
    const stream = fromLanguageModel(model).stream(request, new AbortController().signal);
    const iterator = stream[Symbol.asyncIterator]();
    await iterator.next();
    for (let tick = 0; tick < 20; tick += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(pulled).toBeLessThan(2_100);
    let total = 0;
    for (let item = await iterator.next(); !item.done; item = await iterator.next())
      total += item.value.length;
    expect(total).toBeGreaterThan(2_000);
    expect(pulled).toBeGreaterThanOrEqual(5_000);
  });

  it('ends with an error when the stream ends without a finish, parts completed', async () => {
    const chunks = (
      await collect(fromLanguageModel(modelOf(async () => partsStream(delta('a')))))
    ).flat();
    expect(chunks.map(({ type }) => type)).toEqual([
      'response-created',
      'text-start',
      'text-delta',
      'text-complete',
      'error',
    ]);
    expect(chunks.at(-1)).toMatchObject({
      error: { code: 'model_failed', messageSaid: { id: 'stream-cut' } },
    });
  });

  it('never throws: not when the model cannot be made, nor when the stream breaks', async () => {
    const broken = fromLanguageModel(() => Promise.reject(new Error('no module')));
    expect((await collect(broken)).flat()).toMatchObject([
      { type: 'error', error: { code: 'model_failed' } },
    ]);
    const erroring = modelOf(async () => {
      return new ReadableStream<LanguageModelV4StreamPart>({
        start(controller) {
          controller.enqueue(delta('a'));
        },
        pull(controller) {
          controller.error(new TypeError('terminated'));
        },
      });
    });
    expect((await collect(fromLanguageModel(erroring))).flat().at(-1)).toMatchObject({
      type: 'error',
      error: { code: 'model_failed', messageSaid: { id: 'stream-cut' } },
    });
  });

  it('says nothing after the first error or the finish', async () => {
    const after = modelOf(async () =>
      partsStream(delta('a'), { type: 'error', error: 'boom' }, delta('b'), finish),
    );
    const types = (await collect(fromLanguageModel(after))).flat().map(({ type }) => type);
    expect(types.filter((type) => type === 'error' || type === 'response-complete')).toEqual([
      'error',
    ]);
    expect(types.at(-1)).toBe('error');
    const late = modelOf(async () => partsStream(delta('a'), finish, delta('b')));
    expect((await collect(fromLanguageModel(late))).flat().at(-1)?.type).toBe('response-complete');
  });

  it('ends as cancelled when it is aborted, whatever the model does', async () => {
    const controller = new AbortController();
    const deaf = modelOf(() => new Promise(() => {}));
    const pending = collect(fromLanguageModel(deaf), controller.signal);
    setImmediate(() => controller.abort());
    expect((await pending).flat()).toMatchObject([{ type: 'error', error: { code: 'cancelled' } }]);
    const silent = modelOf(
      async () => new ReadableStream({ start: (stream) => stream.enqueue(delta('a')) }),
    );
    const second = new AbortController();
    const chunks: Chunk[] = [];
    for await (const batch of fromLanguageModel(silent).stream(request, second.signal)) {
      chunks.push(...batch);
      second.abort();
    }
    expect(chunks.at(-1)).toMatchObject({ type: 'error', error: { code: 'cancelled' } });
    expect((await collect(fromLanguageModel(silent), AbortSignal.abort())).flat()).toHaveLength(1);
  });

  it('cancels the model when the consumer leaves', async () => {
    const { promise: cancelled, resolve } = Promise.withResolvers<void>();
    let signal: AbortSignal | undefined;
    const model = modelOf(async (options) => {
      signal = options.abortSignal;
      return new ReadableStream({
        start: (stream) => stream.enqueue(delta('a')),
        cancel: () => resolve(),
      });
    });
    for await (const _ of fromLanguageModel(model).stream(request, new AbortController().signal))
      break;
    await cancelled;
    expect(signal?.aborted).toBe(true);
  });
});

describe('trying again', () => {
  const failing = (...errors: unknown[]) => {
    let calls = 0;
    const model = modelOf(async () => {
      const error = errors[calls];
      calls += 1;
      if (error !== undefined) throw error;
      return partsStream(delta('a'), finish);
    });
    const waits: number[] = [];
    const adapter = fromLanguageModel(model, { wait: async (delay) => void waits.push(delay) });
    return { adapter, waits, calls: () => calls };
  };

  it('waits and asks again for what passes, as long as the vendor says', async () => {
    const limited = {
      statusCode: 429,
      responseHeaders: { 'Retry-After': '7' },
      message: 'slow down',
    };
    const { adapter, waits } = failing(limited, { statusCode: 503, message: 'busy' });
    expect((await collect(adapter)).flat().at(-1)?.type).toBe('response-complete');
    expect(waits).toEqual([7000, 1000]);
  });

  it('gives up after three tries, and at once when the wait is too long or the failure lasts', async () => {
    const busy = { statusCode: 500, message: 'x' };
    const three = failing(busy, busy, busy, busy);
    expect((await collect(three.adapter)).flat()).toMatchObject([
      { type: 'retrying', reason: 'failed', attempt: 2, of: 3, delay: 500 },
      { type: 'retrying', reason: 'failed', attempt: 3, of: 3, delay: 1000 },
      { type: 'error', error: { code: 'model_failed' } },
    ]);
    expect(three.calls()).toBe(3);
    const long = failing({ statusCode: 429, responseHeaders: { 'retry-after': '61' } });
    expect((await collect(long.adapter)).flat()).toMatchObject([
      { error: { code: 'model_rate_limited', details: { retryAfter: 61 } } },
    ]);
    const wrongKey = failing({ statusCode: 401, message: 'no' });
    expect((await collect(wrongKey.adapter)).flat()).toMatchObject([
      { error: { code: 'model_unauthorized' } },
    ]);
    expect([long.calls(), wrongKey.calls()]).toEqual([1, 1]);
  });

  it('never asks again after the first chunk', async () => {
    let calls = 0;
    const model = modelOf(async () => {
      calls += 1;
      return partsStream(delta('a'), { type: 'error', error: { code: 503, message: 'busy' } });
    });
    const chunks = (await collect(fromLanguageModel(model, { wait: async () => {} }))).flat();
    expect(chunks.at(-1)?.type).toBe('error');
    expect(calls).toBe(1);
  });

  it('stops waiting when it is aborted', async () => {
    const controller = new AbortController();
    const model = modelOf(() =>
      Promise.reject(Object.assign(new Error('x'), { code: 'ECONNREFUSED' })),
    );
    const pending = collect(fromLanguageModel(model), controller.signal);
    setImmediate(() => controller.abort());
    expect((await pending).flat()).toMatchObject([
      { type: 'retrying', reason: 'unreachable' },
      { type: 'error', error: { code: 'cancelled' } },
    ]);
  });
});

describe('media', () => {
  it('are described in words to a model that refuses them, from then on', async () => {
    const prompts: string[] = [];
    const model = modelOf(async ({ prompt }) => {
      prompts.push(JSON.stringify(prompt));
      if (prompts.at(-1)?.includes('"type":"file"')) {
        throw Object.assign(new Error('image input is not supported'), { statusCode: 400 });
      }
      return partsStream(delta('a'), finish);
    });
    const adapter = fromLanguageModel(model);
    const messages: ModelRequest['messages'] = [
      {
        role: 'user',
        parts: [{ type: 'file', mimeType: 'image/png', data: 'AQID', name: 'a.png' }],
      },
    ];
    for (let turn = 0; turn < 2; turn += 1) {
      const chunks: Chunk[] = [];
      const stream = adapter.stream({ ...request, messages }, new AbortController().signal);
      for await (const batch of stream) chunks.push(...batch);
      expect(chunks.at(-1)?.type).toBe('response-complete');
    }
    expect(prompts).toHaveLength(3);
    expect(prompts.at(-1)).toContain('[Image: a.png, image/png]');
  });
});

describe('T85: a model of the AI SDK without measure', () => {
  const bounds = {
    argumentsPerCall: 100,
    argumentsPerRound: 300,
    textPerRound: 100,
    partsPerRound: 5,
    mediaPerRound: 100,
  };
  /** Plays parts without end and tells whether they were still wanted. */
  async function endless(...parts: LanguageModelV4StreamPart[]) {
    let left = false;
    const stream: Stream = new ReadableStream({
      pull(controller) {
        for (const part of parts) controller.enqueue(part);
      },
      cancel: () => void (left = true),
    });
    const chunks = (
      await collect(
        fromLanguageModel(
          modelOf(async () => stream),
          { bounds },
        ),
      )
    ).flat();
    return { chunks, left };
  }

  it('is left when a round has too many arguments, and its calls are refused', async () => {
    const { chunks, left } = await endless(
      { type: 'tool-input-start', id: 'c', toolName: 'add' },
      { type: 'tool-input-delta', id: 'c', delta: '1234567890' },
    );
    expect(left).toBe(true);
    expect(chunks.slice(-2)).toMatchObject([
      { type: 'tool-pending', arguments: null, problem: { code: 'arguments_too_large' } },
      { type: 'response-complete', finishReason: 'tool-calls' },
    ]);
  });

  it.each<[string, LanguageModelV4StreamPart]>([
    ['text', delta('1234567890')],
    ['thinking', { type: 'reasoning-delta', id: 'r', delta: '1234567890' }],
    ['files', { type: 'file', mediaType: 'image/png', data: { type: 'data', data: '1234567890' } }],
  ])('is left when there is no end of %s', async (_, part) => {
    const { chunks, left } = await endless(part);
    expect(left).toBe(true);
    expect(chunks.at(-1)).toMatchObject({ type: 'error', error: { code: 'model_length' } });
  });
});

describe('a stream that a program opened by itself', () => {
  const read = (stream: Stream) =>
    Array.fromAsync(fromModelStream(stream)).then((all) => all.flat());

  it('is the chunks of its parts', async () => {
    const chunks = await read(partsStream(delta('Hel'), delta('lo'), finish, delta('more')));
    expect(chunks.map(({ type }) => type)).toEqual([
      'response-created',
      'text-start',
      'text-delta',
      'text-delta',
      'text-complete',
      'response-complete',
    ]);
  });

  it('says what to pass instead where it is another stream of the AI SDK', async () => {
    const text = { type: 'text-delta', id: 't', text: 'of fullStream' };
    const chunks = await read(partsStream(text as unknown as LanguageModelV4StreamPart, finish));
    expect(chunks.at(-1)).toMatchObject({ type: 'error', error: { code: 'invalid_request' } });
  });

  it('ends with an error where it fails or breaks off, and never throws', async () => {
    const failing = new ReadableStream<LanguageModelV4StreamPart>({
      pull: (controller) => controller.error(new Error('gone')),
    });
    expect((await read(failing)).at(-1)).toMatchObject({ type: 'error' });
    const cut = await read(partsStream(delta('half')));
    expect(cut.at(-1)).toMatchObject({ type: 'error', error: { code: 'model_failed' } });
  });
});
