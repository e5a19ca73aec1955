import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { ModelAdapter, ModelRequest, ToolCheck } from '#shared/vocabulary/model.ts';
import { startFakeOpenAi, textChunks, type FakeOpenAi } from '../../../test/fakes/fake-openai.ts';
import { startFakeVendor } from '../../../test/fakes/fake-vendor.ts';
import { capabilitiesOf } from '../wires/capabilities.ts';
import { createCatalog, type CatalogProvider } from './catalog.ts';

let fake: FakeOpenAi;
beforeAll(async () => {
  fake = await startFakeOpenAi(['alpha', 'org/beta:7b']);
});
afterAll(() => fake.close());

const demo: ModelAdapter = {
  stream: () => ({
    [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }),
  }),
};
const local = (over: Partial<CatalogProvider> = {}): CatalogProvider => ({
  name: 'local',
  slug: over.name ?? 'local',
  kind: 'openai-compatible',
  baseUrl: fake.baseUrl,
  models: [],
  ...over,
});
const { signal } = new AbortController();
const usual = capabilitiesOf('never heard of');
const hello: ModelRequest = {
  purpose: 'answer',
  system: '',
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
  tools: [],
  parameters: {},
};
const catalogOf = (providers: CatalogProvider[], now?: () => number) =>
  createCatalog({ providers: async () => providers, demo, ...(now && { now }) });

describe('the catalog', () => {
  it('always has the demo model, marked as scripted', async () => {
    const catalog = catalogOf([]);
    expect(await catalog.list()).toEqual([
      expect.objectContaining({
        id: 'demo/scripted',
        name: 'Demo (scripted)',
        provider: 'demo',
        scripted: true,
      }),
    ]);
    expect(await catalog.resolve('demo/scripted')).toBe(demo);
  });

  it('lists configured models, asks a vendor without any, and survives a dead one', async () => {
    const dead = local({ name: 'dead', baseUrl: 'http://127.0.0.1:1/v1' });
    const catalog = catalogOf([dead, local({ name: 'set', models: ['x/y:z'] }), local()]);
    const ids = (await catalog.list()).map(({ id }) => id);
    expect(ids).toEqual(['demo/scripted', 'set/x/y:z', 'local/alpha', 'local/org/beta:7b']);
  });

  it('tells what a vendor’s list says of prices, with its source and date; a price that was set wins', async () => {
    const pricing = { prompt: '0.000003', completion: '0.000015' };
    const priced = await startFakeVendor(() => ({
      body: { data: [{ id: 'm', pricing }, { id: 'n' }] },
    }));
    onTestFinished(() => priced.close());
    const provider = local({ baseUrl: `${priced.origin}/v1` });
    const catalog = catalogOf([provider], () => 1_700_000_000_000);
    const [, m, n] = await catalog.list();
    expect(m?.listPrice).toEqual({ input: 3, output: 15, source: 'local', at: 1_700_000_000_000 });
    expect(n).not.toHaveProperty('listPrice');
    expect((await catalog.resolve('local/m')).price).toEqual({ input: 3, output: 15 });
    const set = catalogOf([{ ...provider, prices: { m: { input: 1, output: 1 } } }]);
    await set.list();
    expect((await set.resolve('local/m')).price).toEqual({ input: 1, output: 1 });
  });

  it('asks a vendor once in five minutes', async () => {
    let time = 0;
    const catalog = catalogOf([local()], () => time);
    const asked = fake.requests.length;
    await Promise.all([catalog.list(), catalog.list()]);
    time = 299_999;
    await catalog.list();
    expect(fake.requests.length - asked).toBe(1);
    time = 300_001;
    await catalog.list();
    expect(fake.requests.length - asked).toBe(2);
  });

  it('resolves any model of a configured provider and keeps its adapter', async () => {
    const catalog = catalogOf([local()]);
    const adapter = await catalog.resolve('local/never/listed:latest');
    expect(await catalog.resolve('local/never/listed:latest')).toBe(adapter);
    for await (const _ of adapter.stream(hello, signal));
    expect(fake.requests.at(-1)?.body['model']).toBe('never/listed:latest');
  });

  it('tells what a model can do: by the vendor’s word, by its name, as most can', async () => {
    const told = { id: 'seen', context_length: 4096, supported_parameters: ['temperature'] };
    const vendor = await startFakeOpenAi([told, { id: 'gpt-5', name: 'GPT 5' }]);
    onTestFinished(() => vendor.close());
    const plugged = { 'own/model': { ...demo, capabilities: { ...usual, audioIn: true } } };
    const catalog = createCatalog({
      providers: async () => [local({ baseUrl: vendor.baseUrl, models: ['seen', 'gpt-5', 'x'] })],
      demo,
      plugged,
    });
    expect(await catalog.list()).toMatchObject([
      { id: 'demo/scripted', capabilities: { tools: true, imagesIn: false } },
      { id: 'own/model', capabilities: { audioIn: true } },
      { id: 'local/seen', capabilities: { tools: false, contextTokens: 4096 } },
      { id: 'local/gpt-5', name: 'GPT 5', capabilities: { reasoning: true } },
      { id: 'local/x', name: 'x', capabilities: usual },
    ]);
    expect(await catalog.resolve('local/seen')).toMatchObject({
      vendor: 'openai-compatible',
      dialect: 'openai',
      capabilities: { tools: false, contextTokens: 4096 },
    });
  });

  it.each([
    ['openai', '/v1/responses', { authorization: 'Bearer k' }, 'openai'],
    ['openai-chat', '/v1/chat/completions', { authorization: 'Bearer k' }, 'openai'],
    ['deepseek', '/v1/chat/completions', { authorization: 'Bearer k' }, 'openai'],
    ['anthropic', '/v1/messages', { 'x-api-key': 'k' }, 'anthropic'],
    ['google', '/v1/models/m:streamGenerateContent', { 'x-goog-api-key': 'k' }, 'google'],
  ])('speaks the wire of %s', async (kind, path, headers, dialect) => {
    const adapter = await catalogOf([local({ kind, apiKey: 'k' })]).resolve('local/m');
    expect(adapter).toMatchObject({ vendor: kind, dialect });
    fake.respond({ status: 400, raw: '{}' });
    for await (const _ of adapter.stream(hello, signal));
    const sent = fake.requests.at(-1);
    expect(sent?.path.split('?')[0]).toBe(path);
    expect(sent?.headers).toMatchObject(headers);
    fake.respond({ chunks: textChunks(['ok']) });
  });

  it('tries out whether a found model calls tools, and believes what came out', async () => {
    fake.respond({ chunks: textChunks(['I would rather talk']) });
    const written = Promise.withResolvers<void>();
    const results: Record<string, ToolCheck> = { [`${fake.baseUrl} alpha`]: 'passed' };
    const catalog = createCatalog({
      providers: async () => [local({ fromDiscovery: true })],
      demo,
      toolChecks: { read: async () => results, write: async () => written.resolve() },
    });
    expect((await catalog.list()).map(({ toolCheck }) => toolCheck)).toEqual([
      undefined,
      'passed',
      'unknown',
    ]);
    await written.promise;
    expect((await catalog.list()).at(-1)).toMatchObject({
      toolCheck: 'failed',
      capabilities: { tools: false },
    });
    expect(await catalog.resolve('local/org/beta:7b')).toMatchObject({
      capabilities: { tools: false },
    });
    catalog.close();
  });

  it('does not let an answer wait for a list that does not come', async () => {
    const silent = await startFakeVendor(() => 'hang');
    onTestFinished(() => silent.close());
    const adapter = await catalogOf([local({ baseUrl: silent.origin })]).resolve('local/gpt-5');
    expect(adapter.capabilities).toMatchObject({ reasoning: true });
  });

  it.each(['nobody/x', 'local', 'local/', '/x', '', 'demo/other', 'x'.repeat(10_000)])(
    'says that there is no model %j and what there is',
    async (name) => {
      const error = await catalogOf([local()])
        .resolve(name)
        .catch((caught: unknown) => caught);
      expect(error).toMatchObject({
        code: 'model_not_found',
        hint: expect.stringContaining('provider/model') as string,
      });
    },
  );

  it('names the nearest models', async () => {
    const catalog = catalogOf([local({ models: ['gpt-5', 'llama-4', 'qwen-3', 'mistral'] })]);
    await expect(catalog.resolve('lokal/lama-4')).rejects.toMatchObject({
      hint: expect.stringMatching(/Similar: local\/llama-4,/) as string,
    });
  });
});
