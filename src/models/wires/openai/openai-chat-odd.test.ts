import { describe, expect, it } from 'vitest';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import { anthropicMessages } from '../anthropic/anthropic-messages.ts';
import { googleGenerate } from '../google/google-generate.ts';
import { classifyModelError } from '../../failures/model-errors.ts';
import { call, delta } from '../../../../test/fakes/openai-streams.ts';
import { errorWithWire, readWithWire } from '../../../../test/fakes/wire-oracle.ts';
import { expectLegal, textOf } from '../../../../test/fixtures/model-chunks.ts';
import { openAiChat } from './openai-chat.ts';
import { openAiResponses } from './openai-responses.ts';

const read = (...events: unknown[]) => readWithWire(openAiChat, events);

const errorOf = (...events: unknown[]) => errorWithWire(openAiChat, events);

/** Name and arguments of the calls, each of `pieces` a delta with one piece of a call. */
function callsOf(...pieces: object[]) {
  const chunks = read(
    ...pieces.map((piece) => delta({ tool_calls: [piece] })),
    delta({}, 'tool_calls'),
  );
  expectLegal(chunks);
  return chunks
    .filter((chunk): chunk is Extract<Chunk, { type: 'tool-pending' }> => {
      return chunk.type === 'tool-pending';
    })
    .map((chunk) => [chunk.toolName, chunk.arguments]);
}

describe('why an answer ended', () => {
  it.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content-filter'],
    ['something_new', 'other'],
    ['constructor', 'other'],
    ['__proto__', 'other'],
  ])('is understood when it is %s', (said, reason) => {
    expect(read(delta({ content: 'a' }, said)).at(-1)).toEqual({
      type: 'response-complete',
      finishReason: reason,
    });
  });

  it.each(['something_new', 'tool_calls', 'constructor'])(
    'does not hide that nothing was said: %s',
    (said) => {
      expect(errorOf(delta({ role: 'assistant' }), delta({}, said))).toMatchObject({
        details: { reason: 'empty_answer' },
      });
    },
  );
});

describe('a call', () => {
  it('may have its name in pieces, or longer each time', () => {
    const rest = call(0, { arguments: '{"a":1}' });
    const inPieces = [call(0, { name: 'get_' }, 'x'), call(0, { name: 'weather' }), rest];
    expect(callsOf(...inPieces)).toEqual([['get_weather', { a: 1 }]]);
    const longer = [call(0, { name: 'get_' }, 'x'), call(0, { name: 'get_weather' }, 'x'), rest];
    expect(callsOf(...longer)).toEqual([['get_weather', { a: 1 }]]);
  });

  it('may have neither id nor number and its name in each piece', () => {
    expect(
      callsOf(
        { function: { name: 'f', arguments: '{"a"' } },
        { function: { name: 'f', arguments: ':1}' } },
        { function: { name: 'f', arguments: '{"a":2}' } },
      ),
    ).toEqual([
      ['f', { a: 1 }],
      ['f', { a: 2 }],
    ]);
  });

  it('may have a number that is a text', () => {
    const piece = (index: string, name: string, input: string) => ({
      index,
      function: { ...(name && { name }), arguments: input },
    });
    expect(
      callsOf(
        piece('0', 'f', '{"a"'),
        piece('1', 'g', '{"b"'),
        piece('0', '', ':1}'),
        piece('1', '', ':2}'),
      ),
    ).toEqual([
      ['f', { a: 1 }],
      ['g', { b: 2 }],
    ]);
  });

  it('may come without what stands around it', () => {
    expect(callsOf({ index: 0, id: 'x', name: 'f', arguments: '{"a":1}' })).toEqual([
      ['f', { a: 1 }],
    ]);
    const alone = delta({ tool_calls: call(0, { name: 'f', arguments: '{}' }, 'x') }, 'tool_calls');
    expect(read(alone)).toContainEqual(
      expect.objectContaining({ type: 'tool-pending', toolName: 'f' }),
    );
  });
});

describe('an answer', () => {
  it('may be a list of texts, of parts with other names, and of summed up thinking', () => {
    const summary = [{ type: 'summary_text', text: 'hm' }];
    const content = [
      { type: 'reasoning', summary },
      'a',
      { text: 'b' },
      { type: 'output_text', text: 'c' },
    ];
    const chunks = read(delta({ content }, 'stop'));
    expect(textOf(chunks)).toBe('abc');
    expect(textOf(chunks, 'thinking-delta')).toBe('hm');
  });

  it('has whole numbers of tokens, whatever the vendor writes', () => {
    const usage = { prompt_tokens: '12', completion_tokens: 1.5 };
    const usageOf = (given: object) =>
      read({ ...delta({ content: 'a' }, 'stop'), usage: given }).at(-1);
    expect(usageOf(usage)).toMatchObject({ usage: { inputTokens: 12, outputTokens: 2 } });
    const wrong = {
      prompt_tokens: 1e30,
      completion_tokens: '',
      completion_tokens_details: { reasoning_tokens: -1 },
    };
    expect(usageOf(wrong)).toMatchObject({
      usage: { inputTokens: 0, outputTokens: 0, reasoningTokens: 0 },
    });
  });

  it.each([
    ['plain words', 'Upstream is gone', 'Upstream is gone'],
    ['an object of its own', '{"reason":"x","message":"Upstream is gone"}', 'Upstream is gone'],
    ['what looks like an answer', '{"choices":[],"error_message":"Gone"}', undefined],
  ])('fails where an event is called an error: %s', (_name, data, words) => {
    for (const wire of [openAiChat, anthropicMessages, googleGenerate, openAiResponses]) {
      const reader = wire.createReader(() => undefined);
      let failure: unknown;
      try {
        reader.read({ event: 'error', data });
      } catch (error) {
        failure = error;
      }
      const { code, details } = classifyModelError(failure);
      expect(code).toBe('model_failed');
      if (words) expect(details).toMatchObject({ vendorMessage: words });
      reader.close();
      expect(reader.finished).toBe(false);
    }
  });

  it('fails with the vendor’s words, wherever it puts them', () => {
    for (const failure of [
      { errors: [{ message: 'Boom' }] },
      { error_code: 1, error_msg: 'Boom' },
    ]) {
      expect(errorOf(delta({ content: 'a' }), failure)).toMatchObject({
        details: { vendorMessage: 'Boom' },
      });
    }
  });
});
