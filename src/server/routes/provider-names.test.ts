import { describe, expect, it, onTestFinished } from 'vitest';
import type { ModelInfo, Provider } from '#shared/vocabulary/model.ts';
import { startFakeOpenAi } from '../../../test/fakes/fake-openai.ts';
import { errorOf, openApi, type TestApi } from '../../../test/fixtures/http.ts';

const key = 'canary-key-81c4';
const providersOf = async (api: TestApi) =>
  (await api.json<{ providers: Provider[] }>('GET', '/api/providers')).providers;
const modelsOf = async (api: TestApi) =>
  (await api.json<{ models: ModelInfo[] }>('GET', '/api/models')).models;
const post = (api: TestApi, body: object) => api.send('POST', '/api/providers', body);

async function startVendor(models: unknown[] = ['m']) {
  const fake = await startFakeOpenAi(models);
  onTestFinished(() => fake.close());
  return fake;
}

describe('the names of providers', () => {
  it('are free, and their models keep one name for good', async () => {
    const fake = await startVendor();
    const api = await openApi();
    const { baseUrl } = fake;
    const named = ['OpenAI (work)', 'OpenAI (home)', '我的模型', '我的模型 二'];
    const made: Provider[] = [];
    for (const name of named)
      made.push((await (await post(api, { name, baseUrl })).json()) as Provider);
    expect(made.map(({ name, slug }) => [name, slug])).toEqual([
      ['OpenAI (work)', 'openai-work'],
      ['OpenAI (home)', 'openai-home'],
      ['我的模型', 'openai-compatible'],
      ['我的模型 二', 'openai-compatible-2'],
    ]);
    const { id = '' } = made[2] ?? {};
    const path = `/api/providers/${id}`;
    expect(await api.json('PATCH', path, { name: 'Renamed' })).toMatchObject({
      name: 'Renamed',
      slug: 'openai-compatible',
    });
    // Those of one millisecond are in no order.
    const models = Object.fromEntries((await modelsOf(api)).slice(1).map((m) => [m.id, m]));
    expect(models).toMatchObject({
      'openai-work/m': { provider: 'openai-work', providerName: 'OpenAI (work)' },
      'openai-home/m': { providerName: 'OpenAI (home)' },
      'openai-compatible/m': { providerName: 'Renamed' },
      'openai-compatible-2/m': { providerName: '我的模型 二' },
    });
    expect(Object.keys(models)).toHaveLength(4);
    const topic = { model: 'openai-compatible/m' };
    expect((await api.send('POST', '/api/topics', topic)).status).toBe(201);
    for (const name of ['OpenAI (work)', 'demo'])
      expect(await errorOf(await api.send('PATCH', path, { name }))).toMatchObject({
        status: 409,
        code: 'conflict',
      });
  });

  it('leave alone what a key in the environment is named', async () => {
    const api = await openApi({ environment: { GROQ_API_KEY: key } });
    const made = (await (await post(api, { name: 'Groq', kind: 'groq' })).json()) as Provider;
    expect(made.slug).toBe('groq-2');
    expect(await providersOf(api)).toMatchObject([{ name: 'Groq' }, { fromEnvironment: true }]);
  });

  it.each([[''], ['  '], ['a\u202eb'], ['line\nbreak'], ['x'.repeat(101)]])(
    'have letters that can be seen: %j',
    async (name) => {
      const api = await openApi();
      const refused = await post(api, { name, kind: 'openai' });
      expect(await errorOf(refused)).toMatchObject({ status: 400, code: 'invalid_request' });
    },
  );
});

describe('the time limits of a provider', () => {
  it('are set and removed one by one, count for its models, and are gone with it', async () => {
    const fake = await startVendor();
    const api = await openApi();
    const body = { name: 'vendor', baseUrl: fake.baseUrl };
    const add = async () => (await (await post(api, body)).json()) as Provider;
    const { id } = await add();
    const set = (times: object) => api.json<Provider>('PATCH', `/api/providers/${id}`, { times });
    expect(await set({ silenceSeconds: 60, totalSeconds: 1 })).toMatchObject({
      times: { silenceSeconds: 60, totalSeconds: 1 },
    });
    expect((await set({ silenceSeconds: null })).times).toEqual({ totalSeconds: 1 });
    fake.respond({ hang: true });
    const model = await api.host.models.of('local').resolve('vendor/m');
    const request = {
      purpose: 'answer',
      system: '',
      messages: [],
      tools: [],
      parameters: {},
    } as const;
    const chunks = await Array.fromAsync(
      model.stream({ ...request, messages: [], tools: [] }, new AbortController().signal),
    );
    expect(chunks.flat().at(-1)).toMatchObject({
      type: 'error',
      error: { message: expect.stringContaining('total timeout of 1 s') },
    });
    await api.send('DELETE', `/api/providers/${id}`);
    expect((await add()).times).toEqual({});
  });

  it.each([
    [7],
    [{ silenceSeconds: 0 }],
    [{ totalSeconds: 86_401 }],
    [{ totalSeconds: '9' }],
    [{ x: 1 }],
  ])('are refused where they make no sense: %j', async (times) => {
    const api = await openApi();
    const { id } = (await (await post(api, { name: 'deepseek' })).json()) as Provider;
    expect(await api.json('PATCH', `/api/providers/${id}`, { times })).toMatchObject({
      error: { code: 'invalid_request' },
    });
  });
});
