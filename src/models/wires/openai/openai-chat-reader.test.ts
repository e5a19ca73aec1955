import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import { classifyModelError } from '../../failures/model-errors.ts';
import { call, chatStreams, delta } from '../../../../test/fakes/openai-streams.ts';
import {
  balanceProblem,
  errorWithWire,
  readWithOracle,
  readWithWire,
  recordedStreams,
} from '../../../../test/fakes/wire-oracle.ts';
import {
  expectLegal,
  inTheirWords,
  textOf,
  withPlainIds,
} from '../../../../test/fixtures/model-chunks.ts';
import { openAiChat } from './openai-chat.ts';

const read = (...events: unknown[]) => readWithWire(openAiChat, events);
const find = <T extends Chunk['type']>(chunks: Chunk[], type: T) =>
  chunks.filter((chunk): chunk is Extract<Chunk, { type: T }> => chunk.type === type);
const recordings = recordedStreams('openai-chat');
const streams = [...Object.entries(chatStreams), ...recordings];

const errorOf = (...events: unknown[]) => errorWithWire(openAiChat, events);

describe('a stream of chat completions', () => {
  it.each(streams)('gives what the AI SDK gives: %s', async (_name, events) => {
    const compatible = await readWithOracle(
      (fetch) =>
        createOpenAICompatible({ name: 'google', baseURL: 'http://x/v1', fetch }).chatModel('m'),
      events,
    );
    const chunks = read(...events);
    expectLegal(chunks);
    expect(withPlainIds(inTheirWords(chunks))).toEqual(withPlainIds(compatible));
  });

  const own = streams.filter(([name]) => /^(text|two|no usage|a refusal|openai)/.test(name));
  it.each(own)('gives what OpenAI’s own package gives: %s', async (_name, events) => {
    const oracle = await readWithOracle(
      (fetch) => createOpenAI({ apiKey: 'k', fetch }).chat('gpt-4.1'),
      events,
    );
    expect(withPlainIds(inTheirWords(read(...events)))).toEqual(withPlainIds(oracle));
  });

  it.each(streams)('is balanced and a beginning when it is cut: %s', (_name, events) => {
    const whole = read(...events);
    for (let at = 0; at < events.length; at += 1) {
      const cut = read(...events.slice(0, at));
      expect(balanceProblem(cut)).toBeUndefined();
      for (const type of ['text-delta', 'thinking-delta', 'tool-input-delta'] as const) {
        expect(textOf(whole, type).startsWith(textOf(cut, type))).toBe(true);
      }
    }
  });
});

describe('the dialects of vendors', () => {
  it('the cost that OpenRouter tells is kept, and no other', () => {
    const told = (usage: object) =>
      read(delta({ content: 'a' }), delta({}, 'stop', { usage })).at(-1);
    const details = { upstream_inference_cost: null };
    expect(told({ cost: 0.0125, cost_details: details })).toMatchObject({
      usage: { cost: 0.0125 },
    });
    for (const usage of [
      { cost: 3 },
      { cost: '1', cost_details: details },
      { cost_details: details },
    ])
      expect(told(usage)).not.toHaveProperty('usage.cost');
  });

  it('usage of Groq, Moonshot and DeepSeek counts', () => {
    const text = delta({ content: 'a' });
    const used = { prompt_tokens: 1, completion_tokens: 2 };
    const groq = read(text, delta({}, 'stop', { x_groq: { usage: used } }));
    expect(groq.at(-1)).toMatchObject({ usage: { inputTokens: 1, outputTokens: 2 } });
    const choices = [{ index: 0, delta: {}, finish_reason: 'stop', usage: used }];
    expect(read(text, { choices }).at(-1)).toMatchObject({ usage: { outputTokens: 2 } });
    const hit = { ...used, prompt_cache_hit_tokens: 1 };
    expect(read(text, delta({}, 'stop', { usage: hit })).at(-1)).toMatchObject({
      usage: { cachedInputTokens: 1 },
    });
  });

  it('thinking of OpenRouter is shown once and kept with what its vendor signed', () => {
    const detail = (fields: object) => ({ type: 'reasoning.text', index: 0, ...fields });
    const chunks = read(
      delta({ reasoning: 'Let', reasoning_details: [detail({ text: 'Let' })] }),
      delta({ reasoning: ' me', reasoning_details: [detail({ text: ' me' })] }),
      delta({ reasoning_details: [detail({ signature: 'sealed' })] }),
      delta({ content: 'Yes' }),
      delta({}, 'stop'),
    );
    expectLegal(chunks);
    expect(textOf(chunks, 'thinking-delta')).toBe('Let me');
    const [thinking] = find(chunks, 'thinking-complete');
    expect(JSON.parse(thinking?.signature ?? '')).toEqual({
      openrouter: { reasoning_details: [detail({ text: 'Let me', signature: 'sealed' })] },
    });
  });

  it('sealed thinking of OpenRouter is kept although it has no words', () => {
    const details = [{ type: 'reasoning.encrypted', data: 'sealed', index: 0 }];
    const chunks = read(
      delta({ reasoning_details: details }),
      delta({ tool_calls: [call(0, { name: 'a', arguments: '{}' }, 'x')] }),
      delta({}, 'tool_calls'),
    );
    expectLegal(chunks);
    expect(find(chunks, 'thinking-complete')[0]?.signature).toContain('sealed');
    expect(textOf(chunks, 'thinking-delta')).toBe('');
  });

  it('details without other words are the thinking', () => {
    const details = [{ type: 'reasoning.summary', summary: 'In short', index: 0 }];
    const chunks = read(delta({ reasoning_details: details }), delta({ content: 'a' }, 'stop'));
    expect(textOf(chunks, 'thinking-delta')).toBe('In short');
    expect(find(chunks, 'thinking-complete')[0]).not.toHaveProperty('signature');
  });

  it('sources come from annotations, search results and citations, each address once', () => {
    const url_citation = { url: 'https://a.example/', title: 'A', content: 'about' };
    const chunks = read(
      delta({ content: 'a', annotations: [{ type: 'url_citation', url_citation }] }),
      delta({ content: 'b' }, null, {
        search_results: [{ title: 'B', url: 'https://b.example/' }],
        citations: ['https://b.example/', 'https://c.example/', 'javascript:alert(1)', 7],
      }),
      delta({}, 'stop', { citations: ['https://b.example/', 'https://c.example/'] }),
    );
    expectLegal(chunks);
    expect(find(chunks, 'vendor-tool-complete')).toMatchObject([
      {
        citations: [
          { url: 'https://a.example/', title: 'A', snippet: 'about' },
          { url: 'https://b.example/', title: 'B' },
          { url: 'https://c.example/' },
        ],
      },
    ]);
  });

  it('pictures among the parts of the content are images', () => {
    const image_url = { url: 'data:image/png;base64,AAAA' };
    const chunks = read(delta({ content: [{ type: 'image_url', image_url }] }, 'stop'));
    expect(find(chunks, 'image-complete')).toMatchObject([{ mimeType: 'image/png', data: 'AAAA' }]);
  });

  it('pictures become images, and links when they are elsewhere', () => {
    const image = (url: string) => ({ type: 'image_url', image_url: { url } });
    const images = [
      image('data:image/png;base64,AQID'),
      image('https://a.example/b.png'),
      image('file:///etc/passwd'),
      null,
    ];
    const chunks = read(delta({ images }), delta({}, 'stop'));
    expectLegal(chunks);
    expect(find(chunks, 'image-complete')).toMatchObject([{ mimeType: 'image/png', data: 'AQID' }]);
    expect(textOf(chunks)).toBe('![](https://a.example/b.png)');
  });

  it('sound is one file beside its transcript', () => {
    const told = read(
      delta({ audio: { id: 'x' } }),
      delta({ audio: { transcript: 'Hel' } }),
      delta({ audio: { transcript: 'lo', data: 'AQID' } }, 'stop'),
    );
    expectLegal(told);
    expect(textOf(told)).toBe('Hello');
    expect(find(told, 'file-complete')).toMatchObject([{ mimeType: 'audio/wav' }]);
    const pieces = [{ data: 'AQI=' }, { data: 'AwQ=' }].map((audio) => delta({ audio }));
    const [file, ...more] = find(read(...pieces, delta({}, 'stop')), 'file-complete');
    expect(more).toEqual([]);
    const bytes = Buffer.from(file?.data ?? '', 'base64');
    expect([bytes.readUInt32LE(24), ...bytes.subarray(44)]).toEqual([24_000, 1, 2, 3, 4]);
  });

  it('sound that is a file already stays what it is', () => {
    const choices = [{ message: { audio: { data: 'SUQzAA==', transcript: 'Hi' } } }];
    const chunks = read({ choices });
    expect(find(chunks, 'file-complete')).toMatchObject([
      { mimeType: 'audio/mpeg', data: 'SUQzAA==' },
    ]);
  });

  it('a missing goodbye and a missing reason are both forgiven', () => {
    const chunks: Chunk[] = [];
    const reader = openAiChat.createReader((chunk) => chunks.push(chunk));
    reader.read({ event: '', data: JSON.stringify(delta({ content: 'a' })) });
    expect(reader.settled).toBe(false);
    reader.read({ event: '', data: '[DONE]' });
    expect(reader.finished).toBe(true);
    expect(chunks.at(-1)).toMatchObject({ finishReason: 'stop' });
    expect(read(delta({ content: 'a' }, 'stop')).at(-1)?.type).toBe('response-complete');
  });

  it('an answer without a word is none', () => {
    const silent = errorOf(delta({ role: 'assistant', content: '' }), delta({}, 'stop'));
    expect(silent).toMatchObject({ code: 'model_failed', details: { reason: 'empty_answer' } });
  });

  it('a reason that is the word null is none yet', () => {
    const chunks: Chunk[] = [];
    const reader = openAiChat.createReader((chunk) => chunks.push(chunk));
    reader.read({ event: '', data: JSON.stringify(delta({ content: 'a' }, 'null')) });
    expect(reader.settled).toBe(false);
  });

  it('thinking is found beside an empty field of the same meaning', () => {
    const chunks = read(delta({ reasoning_content: '', reasoning: 'hm' }), delta({ content: 'x' }));
    expect(textOf(chunks, 'thinking-delta')).toBe('hm');
  });

  it('failures that are told without an error are failures', () => {
    const limited = { code: 429, message: 'Slow down' };
    expect(
      errorOf(delta({ content: 'a' }), { choices: [{ delta: {}, error: limited }] }),
    ).toMatchObject({ code: 'model_rate_limited' });
    const base_resp = { status_code: 1008, status_msg: 'insufficient balance' };
    expect(errorOf({ choices: null, base_resp })).toMatchObject({ code: 'model_no_credit' });
    expect(errorOf({ success: false, code: 503, msg: 'Busy' })).toMatchObject({
      details: { status: 503, vendorMessage: 'Busy' },
    });
  });

  it('errors end the stream with their meaning', () => {
    expect(errorOf({ error: { code: 'insufficient_quota', message: 'x' } }).code).toBe(
      'model_no_credit',
    );
    expect(errorOf({ error: { code: 429, message: 'x' } }).code).toBe('model_rate_limited');
    expect(errorOf({ code: 'InvalidApiKey', message: 'Invalid API-key' }).code).toBe(
      'model_failed',
    );
    expect(errorOf(delta({}, 'content_filter')).code).toBe('model_refused');
    expect(errorOf(delta({ reasoning: 'hm' }), delta({}, 'length')).message).toMatch(
      /maximum output length/,
    );
    expect(errorOf(delta({ content: 'a' }, 'error')).code).toBe('model_failed');
  });
});

describe('hostile calls', () => {
  it('of which a thousand come at once all arrive, with ids of their own', () => {
    const many = Array.from({ length: 1000 }, (_, index) =>
      call(index, { name: 'a', arguments: `{"i":${index}}` }, 'call_0'),
    );
    const chunks = read(delta({ tool_calls: many }), delta({}, 'tool_calls'));
    expectLegal(chunks);
    const pending = find(chunks, 'tool-pending');
    expect(pending.map((chunk) => chunk.arguments?.['i'])).toEqual(many.map((_, index) => index));
    expect(new Set(pending.map(({ callId }) => callId)).size).toBe(1000);
  });

  it('of other names and ids are others, although they have one number and no arguments', () => {
    const chunks = read(
      delta({ tool_calls: [call(0, { name: 'f', arguments: '' }, 'a')] }),
      delta({ tool_calls: [call(0, { name: 'g', arguments: '' }, 'b')] }, 'tool_calls'),
    );
    expect(find(chunks, 'tool-pending').map(({ toolName }) => toolName)).toEqual(['f', 'g']);
  });

  it('without a name fail the answer', () => {
    const nameless = delta({ tool_calls: [call(0, { arguments: '{}' }, 'x')] });
    expect(errorOf(nameless, delta({}, 'tool_calls')).code).toBe('model_failed');
  });

  it('with arguments as an object are understood', () => {
    const chunks = read(
      delta({ tool_calls: [call(0, { name: 'a', arguments: { x: 1 } }, 'x')] }, 'tool_calls'),
    );
    expect(find(chunks, 'tool-pending')).toMatchObject([{ arguments: { x: 1 } }]);
  });

  it('in any order and of any shape never break the balance', () => {
    const piece = fc.record(
      {
        index: fc.oneof(fc.integer({ min: 0, max: 2 }), fc.constant(null)),
        id: fc.constantFrom('', 'x', 'y', null),
        function: fc.oneof(
          fc.constant(null),
          fc.record(
            {
              name: fc.constantFrom('a', 'b', '', null),
              arguments: fc.constantFrom('{', '}', '{}', '', null, { x: 1 }),
            },
            { requiredKeys: [] },
          ),
        ),
      },
      { requiredKeys: [] },
    );
    const event = fc.oneof(
      fc.array(piece, { maxLength: 3 }).map((tool_calls) => delta({ tool_calls })),
      fc.constantFrom(delta({ content: 'a' }), delta({ reasoning: 'b' }), delta({}, 'tool_calls')),
      fc.jsonValue().map((value) => ({ choices: [{ delta: value }] })),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 12 }), (events) => {
        const chunks: Chunk[] = [];
        const reader = openAiChat.createReader((chunk) => chunks.push(chunk));
        try {
          for (const one of events) reader.read({ event: '', data: JSON.stringify(one) });
        } catch (error) {
          expect(classifyModelError(error).code).toBe('model_failed');
        }
        reader.close();
        reader.close();
        expect(balanceProblem(chunks)).toBeUndefined();
        const last = chunks.at(-1);
        if (last?.type === 'response-complete') expectLegal(chunks);
      }),
    );
  });
});
