import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import type { ModelRequest } from '#shared/vocabulary/model.ts';
import { fromWire } from '../from-wire.ts';
import { startFakeOpenAi, type FakeOpenAi } from '../../../../test/fakes/fake-openai.ts';
import { answer, googleStreams } from '../../../../test/fakes/google-streams.ts';
import {
  balanceProblem,
  readWithWire,
  toSse,
  withPlainCallIds,
} from '../../../../test/fakes/wire-oracle.ts';
import { googleGenerate } from './google-generate.ts';

let fake: FakeOpenAi;
beforeAll(async () => {
  fake = await startFakeOpenAi();
});
afterAll(() => fake.close());

const request: ModelRequest = {
  purpose: 'answer',
  system: '',
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'Q' }] }],
  tools: [],
  parameters: {},
};
const capabilities = {
  tools: true,
  imagesIn: true,
  audioIn: true,
  filesIn: true,
  imagesOut: false,
  reasoning: true,
};

async function ask(messages = request.messages): Promise<Chunk[]> {
  const target = {
    model: 'gemini-3-pro-preview',
    baseUrl: fake.baseUrl,
    apiKey: 'secret-key-0123',
    capabilities,
  };
  const model = fromWire(googleGenerate, target, { wait: async () => {} });
  const chunks: Chunk[] = [];
  const { signal } = new AbortController();
  for await (const batch of model.stream({ ...request, messages }, signal)) chunks.push(...batch);
  return chunks;
}
const textOf = (chunks: Chunk[]) =>
  chunks.map((chunk) => (chunk.type === 'text-delta' ? chunk.text : '')).join('');
const headers = { 'content-type': 'text/event-stream' };

describe('Google over HTTP', () => {
  it.each(Object.entries(googleStreams))('comes out as it is read: %s', async (_name, events) => {
    fake.respond({ raw: toSse(events), headers });
    const expected = withPlainCallIds(readWithWire(googleGenerate, events));
    expect(withPlainCallIds(await ask())).toEqual(expected);
    expect(fake.requests.at(-1)).toMatchObject({
      path: '/v1/models/gemini-3-pro-preview:streamGenerateContent?alt=sse',
      headers: { 'x-goog-api-key': 'secret-key-0123' },
    });
  });

  it('ends with an error or whole, wherever it is cut', { timeout: 60_000 }, async () => {
    const events = [
      answer([{ text: 'hm', thought: true }]),
      answer([{ text: 'Grüße, ' }]),
      answer([{ text: '世界' }, { functionCall: { name: 'look', args: { a: 1 } } }]),
      answer([], 'STOP'),
    ];
    const bytes = Buffer.from(toSse(events));
    const settled = bytes.indexOf('"finishReason"');
    for (let at = 0; at < bytes.length; at += 1) {
      fake.respond({ raw: bytes, headers, cut: { at, how: at % 3 === 0 ? 'reset' : 'end' } });
      const chunks = await ask();
      expect(balanceProblem(chunks.filter(({ type }) => type !== 'error'))).toBeUndefined();
      expect('Grüße, 世界'.startsWith(textOf(chunks))).toBe(true);
      const last = chunks.at(-1);
      if (at < settled)
        expect(last).toMatchObject({ type: 'error', error: { code: 'model_failed' } });
      else expect(last?.type).toMatch(/^(error|response-complete)$/);
    }
  });

  it('asks again when nothing was said, and says so when that does not help', async () => {
    const before = fake.requests.length;
    const nothing = { raw: toSse([answer([], 'STOP')]), headers };
    const noCandidate = { raw: toSse([{ usageMetadata: { promptTokenCount: 3 } }]), headers };
    fake.respond(nothing, noCandidate, { raw: toSse([answer([{ text: 'Hi' }], 'STOP')]), headers });
    expect(textOf(await ask())).toBe('Hi');
    expect(fake.requests.length - before).toBe(3);
    for (const empty of [nothing, noCandidate]) {
      fake.respond(empty, empty, empty);
      expect(await ask()).toMatchObject([
        { type: 'retrying', reason: 'empty', attempt: 2 },
        { type: 'retrying', reason: 'empty', attempt: 3 },
        { type: 'error', error: { code: 'model_failed', details: { reason: 'empty_answer' } } },
      ]);
    }
    const thought = answer([{ text: 'hm', thought: true }]);
    fake.respond({ raw: toSse([thought, answer([], 'STOP')]), headers });
    expect((await ask()).at(-1)?.type).toBe('error');
    expect(fake.requests.length - before).toBe(10);
  });

  it('takes silence after a tool for an end: there may be nothing left to say', async () => {
    const before = fake.requests.length;
    const call = { type: 'tool-call' as const, callId: 'c', toolName: 't', arguments: {} };
    const result = { callId: 'c', toolName: 't', result: { content: [] } };
    const called: ModelRequest['messages'] = [
      ...request.messages,
      { role: 'assistant', parts: [call] },
      { role: 'tool', results: [result] },
    ];
    const thought = answer([{ text: 'hm', thought: true }]);
    for (const parts of [[], [thought]]) {
      fake.respond({ raw: toSse([...parts, answer([], 'STOP')]), headers });
      const chunks = await ask(called);
      expect(chunks.at(-1)).toEqual({ type: 'response-complete', finishReason: 'stop' });
      expect(balanceProblem(chunks)).toBeUndefined();
    }
    expect(fake.requests.length - before).toBe(2);
  });

  it('reads an answer in one piece', async () => {
    const whole = answer([{ text: 'Hi' }], 'STOP');
    fake.respond({ raw: JSON.stringify(whole), headers: { 'content-type': 'application/json' } });
    expect(await ask()).toEqual(readWithWire(googleGenerate, [whole]));
  });

  it.each([
    [429, 'RESOURCE_EXHAUSTED', 'model_rate_limited'],
    [403, 'PERMISSION_DENIED', 'model_unauthorized'],
    [503, 'UNAVAILABLE', 'model_failed'],
  ])('tells a %i %s in a person’s words', async (code, status, expected) => {
    const error = { code, status, message: 'No.' };
    fake.respond({ status: code, raw: JSON.stringify([{ error }]) });
    const again = (await ask()).filter(({ type }) => type !== 'retrying');
    expect(again).toMatchObject([{ type: 'error', error: { code: expected } }]);
    fake.respond({ raw: toSse([{ error }]), headers });
    const inStream = (await ask()).filter(({ type }) => type !== 'retrying');
    expect(inStream).toMatchObject([{ type: 'error', error: { code: expected } }]);
  });
});
