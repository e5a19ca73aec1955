import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModelAdapter } from '#shared/model.ts';
import { startFakeOpenAi, type FakeOpenAi } from '../../test/fakes/fake-openai.ts';
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
  kind: 'openai-compatible',
  baseUrl: fake.baseUrl,
  models: [],
  ...over,
});
const catalogOf = (providers: CatalogProvider[], now?: () => number) =>
  createCatalog({ providers: async () => providers, demo, ...(now && { now }) });

describe('the catalog', () => {
  it('always has the demo model, marked as scripted', async () => {
    const catalog = catalogOf([]);
    expect(await catalog.list()).toEqual([
      { id: 'demo/scripted', name: 'Demo (scripted)', provider: 'demo', scripted: true },
    ]);
    expect(await catalog.resolve('demo/scripted')).toBe(demo);
  });

  it('lists configured models, asks a vendor without any, and survives a dead one', async () => {
    const dead = local({ name: 'dead', baseUrl: 'http://127.0.0.1:1/v1' });
    const catalog = catalogOf([dead, local({ name: 'set', models: ['x/y:z'] }), local()]);
    const ids = (await catalog.list()).map(({ id }) => id);
    expect(ids).toEqual(['demo/scripted', 'set/x/y:z', 'local/alpha', 'local/org/beta:7b']);
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
    const stream = adapter.stream(
      { purpose: 'answer', system: '', messages: [], tools: [], parameters: {} },
      new AbortController().signal,
    );
    for await (const _ of stream);
    expect(fake.requests.at(-1)?.body['model']).toBe('never/listed:latest');
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
      hint: expect.stringMatching(/Near it: local\/llama-4,/) as string,
    });
  });
});
