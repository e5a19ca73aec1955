import { afterEach, describe, expect, it } from 'vitest';
import {
  sseBytes,
  startFakeOpenAi,
  textChunks,
  type FakeOpenAi,
  type FakeResponse,
} from '../../../test/fakes/fake-openai.ts';
import { startFakeVendor } from '../../../test/fakes/fake-vendor.ts';
import { testProvider } from './test-provider.ts';

const apiKey = 'secret-key-0123456789';
const { signal } = new AbortController();
const running: FakeOpenAi[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((fake) => fake.close()));
});

async function start(answer: FakeResponse, models: unknown[] = ['big', 'tiny-mini']) {
  const fake = await startFakeOpenAi(models);
  running.push(fake);
  fake.respond(answer);
  const provider = { name: 'p', kind: 'groq', baseUrl: fake.baseUrl, apiKey, models: [] };
  return { fake, provider };
}
const sse = sseBytes(textChunks(['OK'])).toString();
const says = { chunks: textChunks(['OK']) };

describe('the test of a provider', () => {
  it('lists its models and asks a small one for a word', async () => {
    const { fake, provider } = await start(says);
    expect(await testProvider(provider, signal)).toEqual({
      ok: true,
      models: 2,
      model: 'tiny-mini',
    });
    expect(fake.requests.map(({ path }) => path)).toEqual(['/v1/models', '/v1/chat/completions']);
  });

  it.each([
    [401, { error: { message: `Incorrect API key: ${apiKey}` } }, 'model_unauthorized'],
    [429, { error: { code: 'insufficient_quota', message: 'billing' } }, 'model_no_credit'],
    [429, { error: { message: 'slow down' } }, 'model_rate_limited'],
  ])('sees what a public list hides: %d %j', async (status, body, code) => {
    const headers = { 'retry-after': '30' };
    const { provider } = await start({ status, raw: JSON.stringify(body), headers });
    const result = await testProvider(provider, signal);
    expect(result).toMatchObject({ ok: false, error: { code } });
    expect(JSON.stringify(result)).not.toContain(apiKey);
  });

  it('does not blame the key for what one model will not do, unless that one was named', async () => {
    const { provider } = await start({ status: 400, raw: '{"error":{"message":"not for chat"}}' });
    expect(await testProvider(provider, signal)).toMatchObject({ ok: true });
    expect(await testProvider(provider, signal, 'big')).toMatchObject({ ok: false, model: 'big' });
  });

  it('says that nobody is there', async () => {
    const { fake, provider } = await start(says);
    await fake.close();
    running.length = 0;
    expect(await testProvider(provider, signal)).toMatchObject({
      ok: false,
      error: { code: 'model_unreachable' },
    });
  });

  it('works without a list where models are configured', async () => {
    const answer = { headers: { 'content-type': 'text/event-stream' }, body: sse };
    const noList = await startFakeVendor(({ path }) =>
      path.includes('/chat/') ? answer : undefined,
    );
    const provider = { name: 'p', kind: 'groq', baseUrl: noList.origin, apiKey, models: ['m'] };
    expect(await testProvider(provider, signal)).toMatchObject({ ok: true, models: 1, model: 'm' });
    expect(await testProvider({ ...provider, models: [] }, signal)).toMatchObject({ ok: false });
    const baseUrl = `${noList.origin}/wrong`;
    answer.body = '<html>';
    expect(await testProvider({ ...provider, baseUrl }, signal)).toMatchObject({ ok: false });
    await noList.close();
  });

  it('loads no model of a local server', async () => {
    const { fake, provider } = await start(says);
    const { apiKey: _, ...local } = { ...provider, kind: 'jan' };
    expect(await testProvider(local, signal)).toEqual({ ok: true, models: 2 });
    expect(fake.requests).toHaveLength(1);
  });
});
