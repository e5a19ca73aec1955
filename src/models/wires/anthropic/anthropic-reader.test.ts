import { createAnthropic } from '@ai-sdk/anthropic';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import { classifyModelError } from '../../failures/model-errors.ts';
import {
  anthropicStreams,
  block,
  input,
  messageEnd,
  messageStart,
  text,
  thinking,
} from '../../../../test/fakes/anthropic-streams.ts';
import {
  balanceProblem,
  errorWithWire,
  feed,
  readWithOracle,
  readWithWire,
  recordedStreams,
} from '../../../../test/fakes/wire-oracle.ts';
import { anthropicMessages } from './anthropic-messages.ts';

const read = (...events: unknown[]) => readWithWire(anthropicMessages, events);
const typesOf = (chunks: Chunk[]) => chunks.map(({ type }) => type);
const oracle = (events: unknown[]) =>
  readWithOracle((fetch) => createAnthropic({ apiKey: 'k', fetch })('claude-sonnet-4-5'), events);
const errorOf = (...events: unknown[]) => errorWithWire(anthropicMessages, events);

const streams = [...Object.entries(anthropicStreams), ...recordedStreams('anthropic')];

describe('a stream of Anthropic', () => {
  it.each(streams)('gives what the AI SDK gives: %s', async (_name, events) => {
    const chunks = read(...events);
    // The AI SDK calls the code of an error by another name.
    const theirs = JSON.stringify(await oracle(events)).replaceAll('errorCode', 'error_code');
    expect(chunks).toEqual(JSON.parse(theirs));
    expect(chunks.at(-1)?.type).toBe('response-complete');
    expect(balanceProblem(chunks)).toBeUndefined();
  });

  it.each(streams)('can be cut after every event: %s', (_name, events) => {
    const whole = read(...events);
    const end = events.findIndex((event) => (event as { type: string }).type === 'message_delta');
    for (let at = 0; at < events.length; at += 1) {
      const cut = read(...events.slice(0, at));
      expect(balanceProblem(cut)).toBeUndefined();
      expect(cut.at(-1)?.type === 'response-complete').toBe(at > end);
      const calls = (chunks: Chunk[]) => chunks.filter(({ type }) => type === 'tool-pending');
      expect(calls(whole).slice(0, calls(cut).length)).toEqual(calls(cut));
    }
  });

  it('stays balanced whatever is left out, doubled or out of order', () => {
    const events = streams.flatMap(([, events]) => events.slice(0, 40));
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...events), { maxLength: 60 }), (chosen) => {
        const chunks: Chunk[] = [];
        const reader = anthropicMessages.createReader((chunk) => chunks.push(chunk));
        try {
          feed(reader, chosen);
        } catch (error) {
          expect(classifyModelError(error).code).toMatch(/^model_/);
        }
        reader.close();
        expect(balanceProblem(chunks)).toBeUndefined();
        const ids = chunks.flatMap((chunk) =>
          chunk.type === 'tool-pending' ? [chunk.callId] : [],
        );
        expect(new Set(ids).size).toBe(ids.length);
      }),
      { numRuns: 300 },
    );
  });

  it('survives fields of any kind', () => {
    const kinds = ['content_block_start', 'content_block_delta', 'message_start', 'message_delta'];
    const field = fc.oneof(fc.jsonValue(), fc.constantFrom('text', 'thinking', 'tool_use', '0'));
    const event = fc.record({
      type: fc.constantFrom(...kinds, 'content_block_stop', 'message', 'new_kind'),
      index: field,
      delta: fc.oneof(field, fc.record({ type: field, text: field, stop_reason: field })),
      content_block: fc.oneof(
        field,
        fc.record({ type: field, id: field, name: field, input: field }),
      ),
      usage: field,
      message: field,
      content: field,
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 10 }), (events) => {
        const chunks: Chunk[] = [];
        const reader = anthropicMessages.createReader((chunk) => chunks.push(chunk));
        try {
          feed(reader, events);
        } catch (error) {
          expect(error).toMatchObject({ details: { reason: 'empty_answer' } });
        }
        reader.close();
        expect(balanceProblem(chunks)).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it('keeps signatures untouched, those of hidden thinking too', () => {
    const chunks = read(...anthropicStreams['thinking, hidden thinking, text and two calls']!);
    expect(chunks.filter(({ type }) => type === 'thinking-complete')).toEqual([
      { type: 'thinking-complete', id: '0', signature: '{"anthropic":{"signature":"c2lnbmVk"}}' },
      {
        type: 'thinking-complete',
        id: '1',
        signature: '{"anthropic":{"redactedData":"aGlkZGVu"}}',
      },
    ]);
  });

  it('counts what was cached as input', () => {
    expect(read(...anthropicStreams['text only']!).at(-1)).toEqual({
      type: 'response-complete',
      finishReason: 'stop',
      usage: {
        inputTokens: 1320,
        outputTokens: 42,
        cachedInputTokens: 1000,
        cacheWriteTokens: 300,
      },
    });
  });

  it('gives a second call with the same id an id of its own', () => {
    const call = { type: 'tool_use', id: 'toolu_1', name: 'add', input: {} };
    const chunks = read(
      messageStart,
      ...block(0, call, input('{"a":1}')),
      ...block(1, call, input('{"a":2}')),
      ...messageEnd('tool_use'),
    );
    expect(chunks.filter(({ type }) => type === 'tool-pending')).toMatchObject([
      { callId: 'toolu_1', arguments: { a: 1 } },
      { callId: 'toolu_1-2', arguments: { a: 2 } },
    ]);
  });

  it('keeps blocks apart that are written at the same time', () => {
    const start = (index: number, type: string) => ({
      type: 'content_block_start',
      index,
      content_block: { type, text: '', thinking: '' },
    });
    const delta = (index: number, delta: object) => ({ type: 'content_block_delta', index, delta });
    const chunks = read(
      start(0, 'thinking'),
      start(1, 'text'),
      delta(1, text('a')),
      delta(0, thinking('hm')),
      delta(1, text('b')),
      ...messageEnd('end_turn'),
    );
    expect(typesOf(chunks)).toEqual([
      'response-created',
      'text-start',
      'text-delta',
      'thinking-start',
      'thinking-delta',
      'text-delta',
      'thinking-complete',
      'text-complete',
      'response-complete',
    ]);
  });

  it('shows sources that no search has shown, with the words that were cited', () => {
    const citation = {
      type: 'web_search_result_location',
      url: 'https://c.example/',
      title: 'C',
      cited_text: 'Said so.',
    };
    const paper = { type: 'page_location', document_title: 'Paper', document_index: 0 };
    const chunks = read(
      messageStart,
      ...block(
        0,
        { type: 'text', text: '' },
        { type: 'citations_delta', citation },
        { type: 'citations_delta', citation },
        { type: 'citations_delta', citation: paper },
        { type: 'citations_delta', citation: { url: 'javascript:alert(1)' } },
        text('a'),
      ),
      ...messageEnd('end_turn'),
    );
    expect(chunks.at(-2)).toEqual({
      type: 'vendor-tool-complete',
      id: 'sources',
      citations: [
        { url: 'https://c.example/', title: 'C', snippet: 'Said so.' },
        { title: 'Paper' },
      ],
    });
  });

  it('T95: shows everything that the vendor ran, also what it does not know', () => {
    const chunks = read(
      messageStart,
      ...block(
        0,
        { type: 'server_tool_use', id: 's1', name: 'web_fetch', input: {} },
        input('{"url":"https://a.example/"}'),
      ),
      ...block(1, {
        type: 'web_fetch_tool_result',
        tool_use_id: 's1',
        content: {
          type: 'web_fetch_result',
          url: 'https://a.example/',
          content: { type: 'document', title: 'A', source: { type: 'text', data: 'x' } },
        },
      }),
      ...block(2, {
        type: 'server_tool_use',
        id: 's2',
        name: 'code_execution',
        input: { code: 'print("```")' },
      }),
      ...block(3, {
        type: 'code_execution_tool_result',
        tool_use_id: 's2',
        content: { type: 'code_execution_result', stdout: '```\n', stderr: '', return_code: 0 },
      }),
      ...block(4, { type: 'server_tool_use', id: 's3', name: 'advisor', input: {} }),
      ...block(5, {
        type: 'advisor_tool_result',
        tool_use_id: 's3',
        content: { type: 'advisor_result', text: 'Rest.' },
      }),
      ...block(6, { type: 'something_new', data: 1 }, { type: 'new_delta', words: 'of it' }),
      ...messageEnd('end_turn'),
    );
    const result = (text: unknown) => ({ result: { content: [{ type: 'text', text }] } });
    const start = { type: 'vendor-tool-start' };
    const complete = { type: 'vendor-tool-complete', citations: [] };
    expect(chunks.slice(1, -1)).toEqual([
      { ...start, id: 's1', toolName: 'web_fetch', arguments: { url: 'https://a.example/' } },
      {
        ...complete,
        id: 's1',
        ...result(expect.stringContaining('"data": "x"')),
        citations: [{ url: 'https://a.example/', title: 'A' }],
      },
      { ...start, id: 's2', toolName: 'code_execution', arguments: { code: 'print("```")' } },
      { ...complete, id: 's2', ...result('```\n') },
      { ...start, id: 's3', toolName: 'advisor', arguments: {} },
      { ...complete, id: 's3', ...result(expect.stringContaining('"Rest."')) },
      { ...start, id: 'block-6', toolName: 'something_new' },
      { ...complete, id: 'block-6', arguments: { data: 1, words: 'of it' } },
    ]);
  });

  it('shows commands and written files with what came of them', () => {
    const tool = (name: string, input: object) => ({
      type: 'server_tool_use',
      id: `s ${name}`,
      name,
      input,
    });
    const edit = { command: 'create', path: '/tmp/a.csv', file_text: 'a,b' };
    const result = { type: 'bash_code_execution_result', stdout: 'one', stderr: 'two' };
    const chunks = read(
      messageStart,
      ...block(0, tool('bash_code_execution', { command: 'ls' })),
      ...block(1, {
        type: 'bash_code_execution_tool_result',
        tool_use_id: 's bash_code_execution',
        content: result,
      }),
      ...block(2, tool('text_editor_code_execution', edit)),
      ...messageEnd('end_turn'),
    );
    expect(chunks.slice(1, -1)).toMatchObject([
      { toolName: 'bash_code_execution', arguments: { command: 'ls' } },
      { result: { content: [{ text: 'one\ntwo' }] } },
      { toolName: 'text_editor_code_execution', arguments: edit },
      { type: 'vendor-tool-complete' },
    ]);
  });

  it('says that an answer which the vendor paused is not whole', () => {
    const chunks = read(
      messageStart,
      ...block(0, { type: 'text', text: '' }, text('Still at it')),
      ...messageEnd('pause_turn'),
    );
    expect(chunks.at(-1)).toMatchObject({ finishReason: 'length' });
  });

  it.each([
    ['max_tokens', 'model_failed'],
    ['model_context_window_exceeded', 'model_context_too_long'],
    ['refusal', 'model_refused'],
  ])('throws when it only thought before the end by %s', (reason, code) => {
    const thought = block(0, { type: 'thinking', thinking: '' }, thinking('hm'));
    expect(errorOf(messageStart, ...thought, ...messageEnd(reason)).code).toBe(code);
  });

  it('reads an answer that was not streamed', () => {
    const chunks = read({
      type: 'message',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 's' },
        { type: 'text', text: 'Hi' },
        { type: 'tool_use', id: 't', name: 'now', input: { a: 1 } },
      ],
      stop_reason: 'tool_use',
      usage: { input_tokens: 3, output_tokens: 4 },
    });
    expect(balanceProblem(chunks)).toBeUndefined();
    expect(chunks.find(({ type }) => type === 'tool-pending')).toMatchObject({
      arguments: { a: 1 },
    });
    expect(chunks.at(-1)).toMatchObject({
      finishReason: 'tool-calls',
      usage: { inputTokens: 3, outputTokens: 4 },
    });
  });

  it.each([
    ['overloaded_error', 'Overloaded', { code: 'model_failed', details: { status: 529 } }],
    ['rate_limit_error', 'Slow down', { code: 'model_rate_limited' }],
    ['authentication_error', 'invalid x-api-key', { code: 'model_unauthorized' }],
    ['billing_error', 'Your credit balance is too low', { code: 'model_no_credit' }],
    ['invalid_request_error', 'prompt is too long: 9 > 8', { code: 'model_context_too_long' }],
    ['api_error', 'Internal server error', { code: 'model_failed', details: { status: 500 } }],
    ['something_new', 'What?', { code: 'model_failed', details: { vendorMessage: 'What?' } }],
  ])('throws the vendor’s %s', (type, message, expected) => {
    expect(errorOf(messageStart, { type: 'error', error: { type, message } })).toMatchObject(
      expected,
    );
  });

  it('throws a failure in the form of another API, and for an answer without a word', () => {
    const error = { type: 'insufficient_quota', message: 'Pay first' };
    expect(errorOf({ error })).toMatchObject({ code: 'model_no_credit' });
    for (const reason of ['end_turn', 'tool_use', 'something_new']) {
      expect(errorOf(messageStart, ...messageEnd(reason))).toMatchObject({
        details: { reason: 'empty_answer' },
      });
    }
    for (const failure of [
      { error: 'Boom' },
      { message: 'Boom' },
      { error: {}, message: 'Boom' },
    ]) {
      expect(errorOf(messageStart, { type: 'error', ...failure })).toMatchObject({
        details: { vendorMessage: 'Boom' },
      });
    }
  });

  it('is over when a gateway says goodbye as others do', () => {
    const reader = anthropicMessages.createReader(() => {});
    feed(reader, [...block(0, { type: 'text', text: '' }, text('a')), messageEnd('end_turn')[0]]);
    reader.read({ event: '', data: '[DONE]' });
    expect(reader.finished).toBe(true);
  });

  it('throws when the model refuses from the start, and for what is no event', () => {
    expect(
      errorOf(messageStart, {
        type: 'message_delta',
        delta: { stop_reason: 'refusal', stop_details: { explanation: 'Not this.' } },
      }),
    ).toMatchObject({ code: 'model_refused', details: { vendorMessage: 'Not this.' } });
    const reader = anthropicMessages.createReader(() => {});
    for (const data of ['', '{', '[]', 'null', '<html>']) {
      expect(() => reader.read({ event: '', data })).toThrow("couldn't be read");
    }
  });

  it('does not finish an answer that ended with an error', () => {
    const chunks: Chunk[] = [];
    const reader = anthropicMessages.createReader((chunk) => chunks.push(chunk));
    feed(reader, [...block(0, { type: 'text', text: '' }, text('a')), messageEnd('end_turn')[0]]);
    expect(reader.settled).toBe(true);
    expect(() => feed(reader, [{ type: 'error', error: { type: 'api_error' } }])).toThrow();
    reader.close();
    expect([reader.begun, reader.finished, chunks.at(-1)?.type]).toEqual([
      true,
      false,
      'text-complete',
    ]);
  });
});
