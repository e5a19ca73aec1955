import { createOpenAI } from '@ai-sdk/openai';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import { classifyModelError } from '../../failures/model-errors.ts';
import {
  completed,
  created,
  functionCall,
  message,
  responsesStreams,
  words,
} from '../../../../test/fakes/openai-streams.ts';
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
import { openAiResponses } from './openai-responses.ts';

const read = (...events: unknown[]) => readWithWire(openAiResponses, events);
const find = <T extends Chunk['type']>(chunks: Chunk[], type: T) =>
  chunks.filter((chunk): chunk is Extract<Chunk, { type: T }> => chunk.type === type);
const recordings = recordedStreams('openai-responses').filter(([name]) => name !== 'error.jsonl');
const streams = [...Object.entries(responsesStreams), ...recordings];

/** The AI SDK, told to store nothing, as we do. */
function createModel(fetch: typeof globalThis.fetch): LanguageModelV4 {
  const model = createOpenAI({ apiKey: 'k', fetch }).responses('gpt-5');
  const doStream = model.doStream.bind(model);
  model.doStream = (options) =>
    doStream({ ...options, providerOptions: { openai: { store: false } } });
  return model;
}

/**
 * Where we differ on purpose. Left out is what only a vendor that stores needs: ids of calls, and
 * thinking without words and without a seal. The AI SDK leaves out what was cited after a search, and
 * its query is lost in its result.
 */
function comparable(chunks: Chunk[]): Chunk[] {
  const told = new Set(find(chunks, 'thinking-delta').map(({ id }) => id));
  const empty = (chunk: Chunk) =>
    (chunk.type === 'thinking-start' || chunk.type === 'thinking-complete') &&
    !told.has(chunk.id) &&
    find(chunks, 'thinking-complete').some(
      ({ id, signature }) =>
        id === chunk.id && signature?.includes('"reasoningEncryptedContent":null'),
    );
  const searched = find(chunks, 'vendor-tool-complete').length > 1;
  const cited = (chunk: Chunk) => searched && 'id' in chunk && chunk.id === 'sources';
  const kept = chunks.filter((chunk) => !empty(chunk) && !cited(chunk));
  return withPlainIds(
    kept.map((chunk) => {
      if (chunk.type === 'vendor-tool-start' || chunk.type === 'vendor-tool-complete') {
        const { arguments: _arguments, ...rest } = chunk;
        return rest;
      }
      if (chunk.type !== 'tool-pending') return chunk;
      const { signature: _signature, ...rest } = chunk;
      return rest;
    }),
  );
}

const errorOf = (...events: unknown[]) => errorWithWire(openAiResponses, events);

describe('a stream of the responses API', () => {
  it.each(streams)('gives what the AI SDK gives: %s', async (_name, events) => {
    const chunks = read(...events);
    expectLegal(chunks);
    const theirs = await readWithOracle(createModel, events);
    expect(comparable(inTheirWords(chunks))).toEqual(comparable(theirs));
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

  it.skipIf(recordings.length === 0)('that is recorded as an error is one', () => {
    const [, events] = recordedStreams('openai-responses').find(([n]) => n === 'error.jsonl')!;
    expect(errorOf(...events).code).toBe('model_no_credit');
  });

  it('shows generated pictures', () => {
    const item = { type: 'image_generation_call', id: 'ig_1' };
    const chunks = read(
      created,
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.image_generation_call.partial_image', partial_image_b64: 'AA==' },
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: { ...item, result: 'AQID', output_format: 'webp' },
      },
      completed(),
    );
    expectLegal(chunks);
    expect(find(chunks, 'image-complete')).toMatchObject([
      { mimeType: 'image/webp', data: 'AQID' },
    ]);
  });

  it('shows code that was run, what came out of it, and what it drew', () => {
    const item = { type: 'code_interpreter_call', id: 'ci_1', status: 'completed' };
    const outputs = [
      { type: 'logs', logs: '3\n' },
      { type: 'image', url: 'data:image/png;base64,AQID' },
      { type: 'image', url: 'https://a.example/b.png' },
      { type: 'image', url: 'file:///etc/passwd' },
      null,
    ];
    const chunks = read(
      created,
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.code_interpreter_call_code.delta', output_index: 0, delta: 'print' },
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: { ...item, code: 'print(3)', outputs },
      },
      completed(),
    );
    expectLegal(chunks);
    expect(find(chunks, 'vendor-tool-start')).toMatchObject([{ toolName: 'code_interpreter' }]);
    expect(find(chunks, 'vendor-tool-complete')).toMatchObject([
      { arguments: { code: 'print(3)' }, result: { content: [{ text: '3\n' }] } },
    ]);
    expect(find(chunks, 'image-complete')).toMatchObject([{ data: 'AQID' }]);
    expect(textOf(chunks)).toBe('![](https://a.example/b.png)\n');
  });

  it('shows cited sources that no search has shown', () => {
    const annotation = { type: 'url_citation', url: 'https://b.example/', title: 'B' };
    const chunks = read(
      ...(responsesStreams['a search'] ?? []).slice(0, -1),
      { type: 'response.output_text.annotation.added', output_index: 1, annotation },
      completed(),
    );
    expect(find(chunks, 'vendor-tool-complete').map(({ citations }) => citations)).toEqual([
      [{ url: 'https://a.example/' }],
      [{ url: 'https://b.example/', title: 'B' }],
    ]);
  });

  it('shows thinking in full where a model gives it', () => {
    const thought = { ...words(0, 'Hm'), type: 'response.reasoning_text.delta' };
    const item = { type: 'reasoning', id: 'rs_1', summary: [] };
    const chunks = read(
      { type: 'response.output_item.added', output_index: 0, item },
      thought,
      { type: 'response.output_item.done', output_index: 0, item },
      ...message(1, 'Yes'),
      completed(),
    );
    expectLegal(chunks);
    expect(textOf(chunks, 'thinking-delta')).toBe('Hm');
  });

  it('takes what comes whole instead of in deltas', () => {
    const output = [
      {
        type: 'reasoning',
        id: 'rs',
        encrypted_content: 'sealed',
        summary: [{ type: 'summary_text', text: 'Hm' }],
      },
      { type: 'message', id: 'm', content: [{ type: 'output_text', text: 'Whole.' }] },
      { type: 'function_call', call_id: 'c', name: 'a', arguments: '{"x":1}' },
    ];
    const response = { object: 'response', status: 'completed', output, error: null };
    for (const event of [response, { type: 'response.completed', response }]) {
      const chunks = read(event);
      expectLegal(chunks);
      expect([textOf(chunks, 'thinking-delta'), textOf(chunks)]).toEqual(['Hm', 'Whole.']);
      expect(find(chunks, 'tool-pending')).toMatchObject([{ arguments: { x: 1 } }]);
    }
    const item = { type: 'function_call', call_id: 'c', name: 'a', arguments: '' };
    const called = read(
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.function_call_arguments.done', output_index: 0, arguments: '{"x":1}' },
      completed(),
    );
    expect(find(called, 'tool-pending')).toMatchObject([{ arguments: { x: 1 } }]);
  });

  it('takes sources and refusals that come with the whole item only', () => {
    const annotations = [{ type: 'url_citation', url: 'https://a.example/', title: 'A' }];
    const done = (part: object) => {
      const item = { type: 'message', id: 'm', content: [part] };
      return { type: 'response.output_item.done', output_index: 0, item };
    };
    const cited = read(words(0, 'Hi'), done({ text: 'Hi', annotations }), completed());
    expect(textOf(cited)).toBe('Hi');
    expect(find(cited, 'vendor-tool-complete')).toMatchObject([{ citations: [{ title: 'A' }] }]);
    const refused = read(done({ type: 'refusal', refusal: 'No.' }), completed());
    expect(refused.at(-1)).toMatchObject({ finishReason: 'refusal' });
  });

  it('that has not a word in it is none', () => {
    expect(() => read(created, completed())).toThrow('an empty answer');
    const unsaid = { incomplete_details: { reason: 'something_new' } };
    expect(() => read({ type: 'response.incomplete', response: unsaid })).toThrow(
      'an empty answer',
    );
  });

  it('takes arguments that are an object', () => {
    const item = { type: 'function_call', call_id: 'c', name: 'f', arguments: { x: 1 } };
    const chunks = read({ type: 'response.output_item.done', output_index: 0, item }, completed());
    expect(find(chunks, 'tool-pending')).toMatchObject([{ arguments: { x: 1 } }]);
  });

  it('shows a file once that was found and cited', () => {
    const search = { type: 'file_search_call', id: 's', results: [{ filename: 'a.txt' }] };
    const annotation = { type: 'file_citation', filename: 'a.txt' };
    const chunks = read(
      { type: 'response.output_item.done', output_index: 0, item: search },
      words(1, 'Hi'),
      { type: 'response.output_text.annotation.added', output_index: 1, annotation },
      completed(),
    );
    expect(find(chunks, 'vendor-tool-complete')).toMatchObject([
      { citations: [{ title: 'a.txt' }] },
    ]);
  });

  it('gives two calls with the same id ids of their own', () => {
    const chunks = read(...functionCall(0, 'c', '{}'), ...functionCall(1, 'c', '{'), completed());
    expectLegal(chunks);
    const pending = find(chunks, 'tool-pending');
    expect(pending).toMatchObject([{ arguments: {} }, { arguments: null, rawArguments: '{' }]);
    expect(new Set(pending.map(({ callId }) => callId)).size).toBe(2);
  });

  it('is not over before the vendor says so', () => {
    const reader = openAiResponses.createReader(() => undefined);
    for (const event of [created, ...message(0, 'a')]) {
      reader.read({ event: '', data: JSON.stringify(event) });
    }
    expect(reader.settled).toBe(false);
    reader.read({ event: '', data: JSON.stringify(completed()) });
    expect([reader.settled, reader.finished]).toEqual([true, false]);
    reader.close();
    expect(reader.finished).toBe(true);
  });

  it('that is incomplete is never taken for whole, whatever the reason', () => {
    for (const reason of ['something_new', undefined]) {
      const chunks = read(created, ...message(0, 'So'), completed('incomplete', reason));
      expect(chunks.at(-1)).toMatchObject({ finishReason: 'other' });
    }
  });

  it('ends with the meaning of an error', () => {
    const failed = (error: object) => ({ type: 'response.failed', response: { error } });
    expect(errorOf(failed({ code: 'rate_limit_exceeded', message: 'x' })).code).toBe(
      'model_rate_limited',
    );
    expect(errorOf(failed({ code: 'server_error', message: 'x' }))).toMatchObject({
      code: 'model_failed',
      details: { status: 500 },
    });
    const flat = { type: 'error', code: 'context_length_exceeded', message: 'x' };
    expect(errorOf(flat).code).toBe('model_context_too_long');
    expect(errorOf(completed('incomplete', 'content_filter')).code).toBe('model_refused');
    expect(errorOf(completed('incomplete', 'max_output_tokens')).message).toMatch(
      /maximum output length/,
    );
    expect(errorOf({ object: 'chat.completion.chunk', choices: [] }).message).toMatch(
      /couldn't be read/,
    );
  });

  it('never loses its balance, whatever comes in whatever order', () => {
    const all = Object.values(responsesStreams).flat();
    const event = fc.oneof(
      fc.constantFrom(...all),
      fc.record({ type: fc.constantFrom(...all.map((e) => (e as { type: string }).type)) }),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 20 }), (events) => {
        const chunks: Chunk[] = [];
        const reader = openAiResponses.createReader((chunk) => chunks.push(chunk));
        try {
          for (const one of events) reader.read({ event: '', data: JSON.stringify(one) });
        } catch (error) {
          expect(classifyModelError(error).code).toMatch(/^model_/);
        }
        reader.close();
        reader.close();
        expect(balanceProblem(chunks)).toBeUndefined();
      }),
    );
  });
});
