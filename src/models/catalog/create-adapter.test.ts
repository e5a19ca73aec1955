import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFakeOpenAi, type FakeOpenAi } from '../../../test/fakes/fake-openai.ts';
import { delta } from '../../../test/fakes/openai-streams.ts';
import { toSse } from '../../../test/fakes/wire-oracle.ts';
import { askModel, everything, expectLegal, textOf } from '../../../test/fixtures/model-chunks.ts';
import { createAdapter } from './create-adapter.ts';

let fake: FakeOpenAi;
beforeAll(async () => {
  fake = await startFakeOpenAi();
});
afterAll(() => fake.close());

/** What a model of a vendor is understood to say when it writes this. */
async function said(kind: string, model: string, ...pieces: string[]) {
  const events = [...pieces.map((content) => delta({ content })), delta({}, 'stop')];
  fake.respond({ raw: toSse(events), headers: { 'content-type': 'text/event-stream' } });
  const provider = { name: 'x', kind, baseUrl: fake.baseUrl };
  const chunks = await askModel(createAdapter(provider, model, everything));
  expectLegal(chunks);
  return { thinking: textOf(chunks, 'thinking-delta'), text: textOf(chunks) };
}

describe('thinking in tags', () => {
  it.each(['openai-compatible', 'ollama', 'together', 'a vendor nobody knows'])(
    'is thinking with %s',
    async (kind) => {
      const expected = { thinking: 'hm', text: 'Yes' };
      expect(await said(kind, 'any', '<thi', 'nk>h', 'm</think>', '\n\nYes')).toEqual(expected);
    },
  );

  it('is text with OpenAI itself', async () => {
    const text = '<think>hm</think>Yes';
    expect(await said('openai-chat', 'gpt-5', text)).toEqual({ thinking: '', text });
  });

  it('may lack its beginning where models and servers are known for that, and only there', async () => {
    const raw = ['hm', '</think>Yes'];
    const whole = { thinking: 'hm', text: 'Yes' };
    const plain = { thinking: '', text: 'hm</think>Yes' };
    expect(await said('vllm', 'Qwen/QwQ-32B', ...raw)).toEqual(whole);
    expect(await said('openai-compatible', 'deepseek-r1', ...raw)).toEqual(whole);
    expect(await said('vllm', 'llama-3.3', ...raw)).toEqual(plain);
    expect(await said('deepseek', 'deepseek-r1', ...raw)).toEqual(plain);
  });
});
