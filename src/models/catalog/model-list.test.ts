import { afterEach, describe, expect, it } from 'vitest';
import {
  startFakeVendor,
  type FakeVendor,
  type ListAnswer,
  type ListRequest,
} from '../../../test/fakes/fake-vendor.ts';
import { listVendorModels } from './model-list.ts';

const key = 'secret-key-0123456789';
const running: FakeVendor[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((vendor) => vendor.close()));
});

async function vendor(answer: (request: ListRequest) => ListAnswer | 'hang' | undefined) {
  const fake = await startFakeVendor(answer);
  running.push(fake);
  return fake;
}

const { signal } = new AbortController();
const ids = (models: { id: string }[]) => models.map(({ id }) => id);

describe('the list of an OpenAI-compatible vendor', () => {
  it('gives the ids, whatever else is in the list, and sends the key', async () => {
    const data = [{ id: 'b' }, 'a/x:free', { id: 7 }, null, { id: 'b' }, { id: 'x'.repeat(301) }];
    const fake = await vendor(() => ({ body: { object: 'list', data } }));
    const baseUrl = `${fake.origin}/v1/`;
    const models = await listVendorModels({ kind: 'groq', baseUrl, apiKey: key }, signal);
    expect(ids(models)).toEqual(['b', 'a/x:free']);
    expect(fake.requests).toMatchObject([
      { path: '/v1/models', headers: { authorization: `Bearer ${key}` } },
    ]);
  });

  it('is not read where it has so many parts that this would hold up everybody', async () => {
    const data = Array.from({ length: 300_001 }, () => ({}));
    const fake = await vendor(() => ({ body: { data } }));
    const listed = listVendorModels({ kind: 'openai', baseUrl: fake.origin }, signal);
    await expect(listed).rejects.toThrow('The list of models is too long.');
  });

  it('leaves out what nobody can talk with', async () => {
    const data = [
      'text-embedding-3-small',
      'whisper-1',
      'dall-e-3',
      'tts-1',
      'omni-moderation-latest',
      'gpt-4o-realtime-preview',
      'gpt-5',
      { id: 'flat', type: 'embedding' },
      { id: 'gone', active: false },
      { id: 'ocr-less', capabilities: { completion_chat: false } },
    ];
    const fake = await vendor(() => ({ body: { data } }));
    const models = await listVendorModels({ kind: 'openai', baseUrl: fake.origin }, signal);
    expect(ids(models)).toEqual(['gpt-5']);
  });

  it.each([
    [
      'OpenRouter',
      {
        id: 'm',
        name: 'Maker: M',
        context_length: 200_000,
        architecture: { input_modalities: ['text', 'image', 'file'], output_modalities: ['text'] },
        top_provider: { max_completion_tokens: 8000 },
        supported_parameters: ['tools', 'reasoning'],
      },
      {
        tools: true,
        imagesIn: true,
        audioIn: false,
        filesIn: true,
        imagesOut: false,
        reasoning: true,
        contextTokens: 200_000,
        outputTokens: 8000,
      },
    ],
    [
      'Mistral',
      {
        id: 'm',
        max_context_length: 32_768,
        capabilities: { completion_chat: true, function_calling: false, vision: true },
      },
      { tools: false, imagesIn: true, contextTokens: 32_768 },
    ],
    [
      'Groq',
      { id: 'm', active: true, context_window: 131_072, max_completion_tokens: 32_768 },
      { contextTokens: 131_072, outputTokens: 32_768 },
    ],
    ['vLLM', { id: 'm', owned_by: 'vllm', max_model_len: 4096 }, { contextTokens: 4096 }],
    [
      'Moonshot',
      { id: 'm', context_length: 262_144, supports_image_in: true, supports_reasoning: false },
      { imagesIn: true, reasoning: false, contextTokens: 262_144 },
    ],
    ['llama.cpp', { id: 'm', meta: { n_ctx_train: 40_960 } }, { contextTokens: 40_960 }],
    ['nonsense', { id: 'm', context_length: '8k', capabilities: [7], architecture: [] }, {}],
  ])('reads what %s says of a model', async (_name, entry, told) => {
    const fake = await vendor(() => ({ body: { data: [entry] } }));
    const models = await listVendorModels({ kind: 'openrouter', baseUrl: fake.origin }, signal);
    expect(models).toMatchObject([{ id: 'm' }]);
    expect(models[0]?.told).toEqual(told);
  });

  it.each([
    [
      { prompt: '0.000003', completion: '0.000015' },
      { input: 3, output: 15 },
    ],
    [
      { prompt: '0', completion: '0', input_cache_read: '0.0000003', input_cache_write: 'x' },
      { input: 0, output: 0, cachedInput: 0.3 },
    ],
    [{ prompt: '-1', completion: '-1' }, undefined],
    [{ prompt: 0.2, completion: 0.2 }, undefined],
    [{ prompt: '0.1' }, undefined],
    [{ input: 3, output: 15 }, undefined],
    ['free', undefined],
  ])('reads the price of a token where it is one: %j', async (pricing, price) => {
    const fake = await vendor(() => ({ body: { data: [{ id: 'm', pricing }] } }));
    const [model] = await listVendorModels({ kind: 'openrouter', baseUrl: fake.origin }, signal);
    expect(model?.price).toEqual(price);
  });

  it('names the known models of a vendor without a list, not those of a wrong address', async () => {
    const fake = await vendor(() => undefined);
    const list = (kind: string) => listVendorModels({ kind, baseUrl: fake.origin }, signal);
    expect(ids(await list('perplexity'))).toContain('sonar-pro');
    await expect(list('groq')).rejects.toMatchObject({ code: 'model_failed' });
  });
});

describe('the list of Anthropic', () => {
  it('is read page by page, with what each model can', async () => {
    const fake = await vendor(({ path }) =>
      path.includes('after_id')
        ? { body: { data: [{ id: 'claude-b' }], has_more: true, last_id: 'claude-a' } }
        : {
            body: {
              data: [
                {
                  id: 'claude-a',
                  display_name: 'Claude A',
                  max_input_tokens: 1_000_000,
                  max_tokens: 64_000,
                  capabilities: {
                    image_input: { supported: true },
                    pdf_input: { supported: false },
                    thinking: { supported: true },
                  },
                },
              ],
              has_more: true,
              last_id: 'claude-a',
            },
          },
    );
    const source = { kind: 'anthropic', baseUrl: fake.origin, apiKey: key };
    expect(await listVendorModels(source, signal)).toEqual([
      {
        id: 'claude-a',
        name: 'Claude A',
        told: {
          imagesIn: true,
          filesIn: false,
          reasoning: true,
          contextTokens: 1_000_000,
          outputTokens: 64_000,
        },
      },
      { id: 'claude-b', told: {} },
    ]);
    expect(fake.requests.map(({ path }) => path)).toEqual([
      '/v1/models?limit=1000',
      '/v1/models?limit=1000&after_id=claude-a',
    ]);
    expect(fake.requests[0]?.headers).toMatchObject({
      'x-api-key': key,
      'anthropic-version': '2023-06-01',
    });
  });
});

describe('the list of Google', () => {
  it('is read page by page, without what generates no content', async () => {
    const model = (name: string, methods: string[]) => ({
      name: `models/${name}`,
      displayName: name.toUpperCase(),
      inputTokenLimit: 1000,
      outputTokenLimit: 100,
      supportedGenerationMethods: methods,
      thinking: true,
    });
    const fake = await vendor(({ path }) =>
      path.includes('pageToken=p%202')
        ? { body: { models: [model('gemini-b', ['generateContent'])] } }
        : {
            body: {
              models: [model('gemini-a', ['generateContent']), model('aqa', ['generateAnswer'])],
              nextPageToken: 'p 2',
            },
          },
    );
    const source = { kind: 'google', baseUrl: `${fake.origin}/v1beta`, apiKey: key };
    const models = await listVendorModels(source, signal);
    expect(ids(models)).toEqual(['gemini-a', 'gemini-b']);
    expect(models[0]).toEqual({
      id: 'gemini-a',
      name: 'GEMINI-A',
      told: { reasoning: true, contextTokens: 1000, outputTokens: 100 },
    });
    expect(fake.requests[0]).toMatchObject({
      path: '/v1beta/models?pageSize=1000',
      headers: { 'x-goog-api-key': key },
    });
  });
});

describe('the list of a local server', () => {
  it('has the capabilities that Ollama knows, and no model that only embeds', async () => {
    const shown: Record<string, unknown> = {
      'a:7b': {
        capabilities: ['completion', 'tools', 'thinking'],
        model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': 40_960 },
        parameters: 'stop "x"\nnum_ctx 8192',
      },
      'b:1b': { capabilities: ['completion', 'vision'], model_info: { 'b.context_length': 2048 } },
      vectors: { capabilities: ['embedding'] },
      old: {},
    };
    const fake = await vendor(({ path, body }) => {
      const names = [...Object.keys(shown), 'broken'];
      if (path === '/api/tags')
        return { body: { models: names.map((name) => ({ name, model: name, size: 1 })) } };
      const details = shown[(body as { model: string }).model];
      return details === undefined ? { status: 500, body: 'x' } : { body: details };
    });
    const source = { kind: 'ollama', baseUrl: `${fake.origin}/v1` };
    expect(await listVendorModels(source, signal)).toEqual([
      {
        id: 'a:7b',
        told: {
          tools: true,
          imagesIn: false,
          audioIn: false,
          filesIn: false,
          reasoning: true,
          contextTokens: 8192,
        },
      },
      {
        id: 'b:1b',
        told: {
          tools: false,
          imagesIn: true,
          audioIn: false,
          filesIn: false,
          reasoning: false,
          contextTokens: 2048,
        },
      },
      { id: 'old', told: {} },
      { id: 'broken', told: {} },
    ]);
  });

  it.each([
    [
      '/api/v1/models',
      {
        models: [
          {
            key: 'org/m',
            display_name: 'M',
            type: 'llm',
            max_context_length: 131_072,
            loaded_instances: [{ id: 'x', config: { context_length: 4096 } }],
            capabilities: { vision: true, trained_for_tool_use: true },
          },
          { key: 'v', type: 'embedding' },
        ],
      },
      { tools: true, imagesIn: true, contextTokens: 4096 },
    ],
    [
      '/api/v0/models',
      {
        data: [
          { id: 'org/m', type: 'vlm', max_context_length: 131_072, capabilities: ['tool_use'] },
          { id: 'v', type: 'embeddings' },
        ],
      },
      { tools: true, imagesIn: true, contextTokens: 131_072 },
    ],
    ['/v1/models', { data: [{ id: 'org/m' }] }, {}],
  ])('is the best that LM Studio has: %s', async (path, body, told) => {
    const fake = await vendor((request) => (request.path === path ? { body } : undefined));
    const source = { kind: 'lm-studio', baseUrl: `${fake.origin}/v1` };
    expect(await listVendorModels(source, signal)).toMatchObject([{ id: 'org/m', told }]);
  });
});

describe('a list that cannot be had', () => {
  it.each([
    [
      'a wrong key',
      { status: 401, body: { error: { message: `bad ${key}` } } },
      'model_unauthorized',
    ],
    ['a web page', { body: '<html>' }, 'model_failed'],
    ['no credit', { status: 402, body: {} }, 'model_no_credit'],
    ['a list without end', { body: `"${'x'.repeat(9 * 1024 * 1024)}"` }, 'model_failed'],
  ])('is told as what it is: %s', async (_name, answer, code) => {
    const fake = await vendor(() => answer);
    const source = { kind: 'groq', baseUrl: fake.origin, apiKey: key };
    const error: unknown = await listVendorModels(source, signal).catch(
      (caught: unknown) => caught,
    );
    expect(error).toMatchObject({ code });
    expect(JSON.stringify(error)).not.toContain(key);
  });

  it.each([
    [
      'google',
      { status: 400, body: { error: { code: 400, message: 'API key not valid.', status: 'X' } } },
    ],
    [
      'anthropic',
      {
        status: 401,
        body: { type: 'error', error: { type: 'authentication_error', message: 'x' } },
      },
    ],
  ])('blames the key of %s', async (kind, answer) => {
    const fake = await vendor(() => answer);
    const list = listVendorModels({ kind, baseUrl: fake.origin, apiKey: key }, signal);
    await expect(list).rejects.toMatchObject({ code: 'model_unauthorized' });
  });

  it('never carries the key to where an answer points', async () => {
    const other = await vendor(() => ({ body: { data: ['stolen'] } }));
    const fake = await vendor(() => ({
      status: 307,
      headers: { location: other.origin },
      body: {},
    }));
    const source = { kind: 'anthropic', baseUrl: fake.origin, apiKey: key };
    await expect(listVendorModels(source, signal)).rejects.toMatchObject({
      message: expect.stringContaining(other.origin) as string,
    });
    expect(other.requests).toEqual([]);
  });

  it('is nobody at that address', async () => {
    const fake = await startFakeVendor(() => undefined);
    await fake.close();
    const list = listVendorModels({ kind: 'groq', baseUrl: `${fake.origin}/v1` }, signal);
    await expect(list).rejects.toMatchObject({
      code: 'model_unreachable',
      message: `Couldn't reach ${fake.origin}: the connection was refused.`,
    });
  });

  it('is behind a port that nobody may be asked at', async () => {
    const list = listVendorModels({ kind: 'groq', baseUrl: 'http://127.0.0.1:9/v1' }, signal);
    await expect(list).rejects.toMatchObject({
      code: 'model_unreachable',
      message: expect.stringContaining('port 9 is reserved') as string,
    });
  });

  it('ends when it is no longer wanted', async () => {
    const leaving = new AbortController();
    const fake = await vendor(() => {
      leaving.abort();
      return 'hang';
    });
    const list = listVendorModels({ kind: 'groq', baseUrl: fake.origin }, leaving.signal);
    await expect(list).rejects.toMatchObject({ code: 'cancelled' });
  });
});
