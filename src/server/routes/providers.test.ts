import { describe, expect, it, onTestFinished } from 'vitest';
import type { ModelInfo, Provider, VendorInfo } from '#shared/vocabulary/model.ts';
import { startFakeOpenAi, textChunks, toolCallChunks } from '../../../test/fakes/fake-openai.ts';
import { startFakeVendor } from '../../../test/fakes/fake-vendor.ts';
import { emptyPlace, errorOf, openApi, type TestApi } from '../../../test/fixtures/http.ts';
import { addPerson } from '../../../test/fixtures/people.ts';

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

describe('the kinds of providers', () => {
  it('are listed with their addresses and where keys are made', async () => {
    const api = await openApi();
    const { vendors } = await api.json<{ vendors: VendorInfo[] }>('GET', '/api/vendors');
    const named = (kind: string) => vendors.find((vendor) => vendor.kind === kind);
    expect(named('anthropic')).toMatchObject({ label: 'Anthropic', local: false });
    expect(named('anthropic')?.keysUrl).toMatch(/^https:/);
    expect(named('ollama')).toMatchObject({ baseUrl: 'http://127.0.0.1:11434/v1', local: true });
    expect(named('openai-compatible')).not.toHaveProperty('baseUrl');
    const groups = Map.groupBy(vendors, ({ group }) => group);
    const kinds = (group: VendorInfo['group']) => groups.get(group)?.map(({ kind }) => kind);
    expect(kinds('popular')).toEqual(expect.arrayContaining(['openai', 'anthropic', 'google']));
    expect(kinds('popular')?.length).toBeLessThan(10);
    expect(kinds('local')).toContain('ollama');
    expect(kinds('china')).toContain('qwen-cn');
    expect(kinds('europe')).toContain('scaleway');
    expect(kinds('international')).toContain('qwen');
    expect(kinds('other')).toEqual(['openai-compatible']);
  });

  it.each([
    [{ name: 'deepseek', apiKey: 'k' }, 'deepseek', 'https://api.deepseek.com/v1'],
    [{ name: 'mine', kind: 'groq' }, 'groq', 'https://api.groq.com/openai/v1'],
    [{ name: 'mine', kind: 'openai', baseUrl: '' }, 'openai', 'https://api.openai.com/v1'],
    [{ name: 'openai', baseUrl: 'http://h/v1' }, 'openai-compatible', 'http://h/v1'],
    [{ name: 'x', kind: 'anthropic', baseUrl: 'http://h' }, 'anthropic', 'http://h'],
  ])('need an address only where it is not known: %j', async (body, kind, baseUrl) => {
    const api = await openApi();
    const response = await post(api, body);
    expect(response.status).toBe(201);
    const provider = (await response.json()) as Provider;
    expect(provider).toMatchObject({ kind, baseUrl, enabled: true });
    expect(await providersOf(api)).toEqual([provider]);
  });

  it.each([
    [{ name: 'x' }, 'needs a base URL'],
    [{ name: 'x', kind: 'openai-compatible' }, 'needs a base URL'],
    [{ name: 'x', kind: 'antropic' }, 'Unknown provider kind'],
    [{ name: 'x', kind: '__proto__' }, 'Unknown provider kind'],
    [{ name: 'x', baseUrl: 'javascript:alert(1)' }, ''],
    [{ name: 'x', kind: 7 }, ''],
  ])('are refused where they make no sense: %j', async (body, message) => {
    const api = await openApi();
    const error = await errorOf(await post(api, body));
    expect(error).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(error.message).toContain(message);
    expect(await providersOf(api)).toEqual([]);
  });

  it('can be changed later, and the address with them', async () => {
    const api = await openApi();
    const { id } = (await (await post(api, { name: 'deepseek' })).json()) as Provider;
    const update = (change: object) => api.json<Provider>('PATCH', `/api/providers/${id}`, change);
    expect(await update({ baseUrl: 'http://h/v1' })).toMatchObject({ baseUrl: 'http://h/v1' });
    expect(await update({ kind: 'groq', baseUrl: '' })).toMatchObject({
      kind: 'groq',
      baseUrl: 'https://api.groq.com/openai/v1',
      models: [],
    });
    expect(await update({ kind: 'nobody' })).toMatchObject({ error: { code: 'invalid_request' } });
  });
});

describe('a key in the environment', () => {
  it('makes a provider that is used, never shown and never changed', async () => {
    const fake = await startVendor(['gpt-5']);
    const environment = { OPENAI_API_KEY: key, OPENAI_BASE_URL: fake.baseUrl, HOME: '/' };
    const api = await openApi({ environment });
    const [provider] = await providersOf(api);
    expect(provider).toMatchObject({ name: 'OpenAI', hasKey: true, fromEnvironment: true });
    const models = await modelsOf(api);
    expect(models.map(({ id }) => id)).toEqual(['demo/scripted', 'openai/gpt-5']);
    expect(fake.requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
    expect(JSON.stringify([provider, models])).not.toContain(key);
    const path = `/api/providers/${provider?.id}`;
    for (const refused of [
      await api.send('PATCH', path, { baseUrl: 'http://evil.example' }),
      await api.send('DELETE', path),
    ])
      expect(await errorOf(refused)).toMatchObject({ status: 409, code: 'conflict' });
  });

  it('can be switched off for good, and on again', async () => {
    const fake = await startVendor();
    const environment = { GROQ_API_KEY: key, GROQ_BASE_URL: fake.baseUrl };
    const place = await emptyPlace();
    const before = await openApi({ environment, place });
    const path = '/api/providers/environment-groq';
    expect(await before.json('PATCH', path, { enabled: false })).toMatchObject({ enabled: false });
    await before.close();
    const after = await openApi({ environment, place });
    expect(await providersOf(after)).toMatchObject([{ name: 'Groq', enabled: false }]);
    expect(await modelsOf(after)).toHaveLength(1);
    await after.json('PATCH', path, { enabled: true });
    expect(await modelsOf(after)).toHaveLength(2);
  });

  it('gives way to a provider of the same name', async () => {
    const api = await openApi({ environment: { GROQ_API_KEY: key } });
    expect((await post(api, { name: 'groq', baseUrl: 'http://h/v1' })).status).toBe(201);
    const providers = await providersOf(api);
    expect(providers).toMatchObject([{ name: 'groq', hasKey: false }]);
    expect(providers[0]).not.toHaveProperty('fromEnvironment');
  });
});

describe('a model server on this machine', () => {
  it('is found by itself, and its models are tried out once', async () => {
    const fake = await startVendor(['able']);
    const call = { id: 'c', name: 'report_number', arguments: '{"number":7}' };
    fake.respond({ chunks: toolCallChunks([call]) });
    const discover = [{ kind: 'jan', baseUrl: fake.baseUrl }];
    const place = await emptyPlace();
    const api = await openApi({ discover, place });
    expect(fake.requests).toEqual([]);
    expect(await modelsOf(api)).toMatchObject([{}, { id: 'jan/able', toolCheck: 'unknown' }]);
    await expect
      .poll(() => modelsOf(api))
      .toMatchObject([{}, { toolCheck: 'passed', capabilities: { tools: true } }]);
    expect(await providersOf(api)).toMatchObject([{ name: 'Jan', fromDiscovery: true }]);
    await api.close();
    const asked = fake.requests.length;
    const again = await openApi({ discover, place });
    expect(await modelsOf(again)).toMatchObject([{}, { toolCheck: 'passed' }]);
    expect(fake.requests.slice(asked).every(({ path }) => path === '/v1/models')).toBe(true);
  });

  it('that starts later is found when it is looked for again', async () => {
    let body: unknown;
    const fake = await startFakeVendor(() => (body === undefined ? undefined : { body }));
    onTestFinished(() => fake.close());
    const api = await openApi({ discover: [{ kind: 'jan', baseUrl: `${fake.origin}/v1` }] });
    expect(await providersOf(api)).toEqual([]);
    await expect(api.host.models.of('local').resolve('jan/m')).rejects.toMatchObject({
      code: 'model_not_found',
    });
    body = { object: 'list', data: ['m'] };
    expect(await providersOf(api)).toEqual([]);
    expect(await api.json('POST', '/api/providers/discover')).toMatchObject({
      providers: [{ name: 'Jan', fromDiscovery: true, enabled: true }],
    });
    expect(await api.host.models.of('local').resolve('jan/m')).toMatchObject({ vendor: 'jan' });
    await api.json('PATCH', '/api/providers/found-jan', { enabled: false });
    await expect(api.host.models.of('local').resolve('jan/m')).rejects.toMatchObject({
      code: 'model_not_found',
    });
  });

  it('shows the models it has by now when it is looked for again', async () => {
    const models: string[] = [];
    const fake = await startFakeVendor(() => ({ body: { object: 'list', data: [...models] } }));
    onTestFinished(() => fake.close());
    const api = await openApi({ discover: [{ kind: 'jan', baseUrl: `${fake.origin}/v1` }] });
    expect(await modelsOf(api)).toHaveLength(1);
    models.push('new');
    await api.json('POST', '/api/providers/discover');
    expect(await modelsOf(api)).toMatchObject([{}, { id: 'jan/new' }]);
  });

  it('is not listed twice, by whatever name it was configured', async () => {
    const fake = await startVendor();
    const api = await openApi({ discover: [{ kind: 'jan', baseUrl: fake.baseUrl }] });
    const baseUrl = fake.baseUrl.replace('127.0.0.1', 'localhost');
    await post(api, { name: 'own', baseUrl });
    expect(await providersOf(api)).toMatchObject([{ name: 'own' }]);
  });
});

describe('models nobody wants', () => {
  const hide = (api: Pick<TestApi, 'json'>, id: string, hidden: unknown) =>
    api.json<Provider>('PATCH', `/api/providers/${id}`, { hidden });

  it('are marked, and go on working where they are in use', async () => {
    const fake = await startVendor(['old', 'new']);
    const api = await openApi();
    const { id } = (await (
      await post(api, { name: 'vendor', baseUrl: fake.baseUrl })
    ).json()) as Provider;
    expect(await hide(api, id, ['old', 'gone'])).toMatchObject({ hidden: ['old', 'gone'] });
    const marked = (await modelsOf(api)).map(({ id: model, hidden }) => [model, hidden ?? false]);
    expect(marked.slice(1)).toEqual([
      ['vendor/old', true],
      ['vendor/new', false],
    ]);
    expect((await api.send('POST', '/api/topics', { model: 'vendor/old' })).status).toBe(201);
    await hide(api, id, []);
    expect((await modelsOf(api)).some(({ hidden }) => hidden)).toBe(false);
  });

  it('may be those of a key in the environment, also after a restart', async () => {
    const fake = await startVendor(['old', 'new']);
    const environment = { GROQ_API_KEY: key, GROQ_BASE_URL: fake.baseUrl };
    const place = await emptyPlace();
    const before = await openApi({ environment, place });
    await hide(before, 'environment-groq', ['old']);
    await before.close();
    const after = await openApi({ environment, place });
    expect(await providersOf(after)).toMatchObject([{ name: 'Groq', hidden: ['old'] }]);
    expect(await modelsOf(after)).toMatchObject([{}, { hidden: true }, { id: 'groq/new' }]);
  });

  it('are hidden for everybody by who manages the provider, and by nobody else', async () => {
    const fake = await startVendor(['old', 'new']);
    const api = await openApi();
    const { id } = (await (
      await post(api, { name: 'vendor', baseUrl: fake.baseUrl })
    ).json()) as Provider;
    const ana = await addPerson(api, 'Ana');
    expect(await hide(ana, id, ['new'])).toMatchObject({ error: { code: 'admin_only' } });
    await hide(api, id, ['old']);
    const { models } = await ana.json<{ models: ModelInfo[] }>('GET', '/api/models');
    expect(models.filter(({ hidden }) => hidden).map((model) => model.id)).toEqual(['vendor/old']);
  });

  it.each([['not a list'], [[7]], [['']], [Array.from({ length: 5001 }, (_, n) => `m${n}`)]])(
    'are refused where they make no sense',
    async (hidden) => {
      const api = await openApi();
      const { id } = (await (await post(api, { name: 'deepseek' })).json()) as Provider;
      expect(await hide(api, id, hidden)).toMatchObject({ error: { code: 'invalid_request' } });
    },
  );
});

describe('prices of models', () => {
  const price = { input: 3, output: 15, cachedInput: 0.3 };
  const set = (api: Pick<TestApi, 'json'>, id: string, prices: unknown) =>
    api.json<Provider>('PATCH', `/api/providers/${id}`, { prices });

  it('are set and removed one by one, also for a key in the environment', async () => {
    const api = await openApi({ environment: { GROQ_API_KEY: key } });
    const [before] = await providersOf(api);
    expect(before).toMatchObject({ id: 'environment-groq', prices: {} });
    await set(api, 'environment-groq', { a: price, b: { input: 1, output: 2 } });
    expect(await set(api, 'environment-groq', { a: null, c: price })).toMatchObject({
      prices: { b: { input: 1, output: 2 }, c: price },
    });
    const { prices } = (await providersOf(api))[0] ?? {};
    expect(Object.keys(prices ?? {})).toEqual(['b', 'c']);
  });

  it('are gone with their provider', async () => {
    const api = await openApi();
    const add = async () => (await (await post(api, { name: 'deepseek' })).json()) as Provider;
    const { id } = await add();
    await set(api, id, { a: price });
    await api.send('DELETE', `/api/providers/${id}`);
    expect(await add()).toMatchObject({ prices: {} });
  });

  it('are set by who manages the provider, and seen by everybody', async () => {
    const api = await openApi();
    const { id } = (await (await post(api, { name: 'deepseek' })).json()) as Provider;
    const ana = await addPerson(api, 'Ana');
    expect(await set(ana, id, { a: price })).toMatchObject({ error: { code: 'admin_only' } });
    await set(api, id, { a: price });
    const { providers } = await ana.json<{ providers: Provider[] }>('GET', '/api/providers');
    expect(providers).toMatchObject([{ readOnly: true, prices: { a: price } }]);
  });

  it.each([
    [7],
    [{ a: 3 }],
    [{ a: { input: 1 } }],
    [{ a: { input: -1, output: 1 } }],
    [{ a: { input: '1', output: 1 } }],
    [{ a: { input: 1, output: 1, currency: 'EUR' } }],
    [{ '': price }],
  ])('are refused where they make no sense: %j', async (prices) => {
    const api = await openApi();
    const { id } = (await (await post(api, { name: 'deepseek' })).json()) as Provider;
    expect(await set(api, id, prices)).toMatchObject({ error: { code: 'invalid_request' } });
  });
});

describe('looking for model servers', () => {
  it('is for admins: it knocks at the ports of this machine', async () => {
    const fake = await startVendor();
    const api = await openApi({ discover: [{ kind: 'jan', baseUrl: fake.baseUrl }] });
    const ana = await addPerson(api, 'Ana');
    const refused = await ana.send('POST', '/api/providers/discover');
    expect(await errorOf(refused)).toMatchObject({ status: 403, code: 'admin_only' });
    expect((await api.send('POST', '/api/providers/discover')).status).toBe(200);
  });
});

describe('the test of a provider', () => {
  it('says that it works, or what is wrong', async () => {
    const fake = await startVendor();
    const api = await openApi();
    const body = { name: 'vendor', baseUrl: fake.baseUrl, apiKey: key };
    const { id } = (await (await post(api, body)).json()) as Provider;
    const test = () => api.json('POST', `/api/providers/${id}/test`, {});
    fake.respond({ chunks: textChunks(['OK']) });
    expect(await test()).toEqual({ ok: true, models: 1, model: 'm', ms: expect.any(Number) });
    fake.respond({ status: 401, raw: `{"error":{"message":"invalid api key ${key}"}}` });
    const failed = await test();
    expect(failed).toMatchObject({ ok: false, error: { code: 'model_unauthorized' } });
    expect(JSON.stringify(failed)).not.toContain(key);
    expect(await errorOf(await api.send('POST', '/api/providers/none/test', {}))).toMatchObject({
      code: 'provider_not_found',
    });
  });
});
