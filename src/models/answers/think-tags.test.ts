import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Chunk, FinishReason } from '#shared/vocabulary/chunk.ts';
import { expectLegal, textOf } from '../../../test/fixtures/model-chunks.ts';
import { AnswerWriter } from './answer-writer.ts';
import { opensInPrompt, splitThinkTags } from './think-tags.ts';

interface Options {
  inside?: boolean;
  reason?: FinishReason;
  before?: (answer: AnswerWriter) => void;
  after?: (answer: AnswerWriter) => void;
}

/** The chunks of an answer whose text comes in these pieces. */
function split(pieces: string[], { inside, reason = 'stop', before, after }: Options = {}) {
  const chunks: Chunk[] = [];
  const answer = new AnswerWriter(splitThinkTags((chunk) => chunks.push(chunk), inside));
  before?.(answer);
  for (const piece of pieces) answer.textDelta('t', piece);
  after?.(answer);
  answer.finish(reason);
  expectLegal(chunks);
  return chunks;
}

function said(chunks: Chunk[]): { thinking: string; text: string } {
  return { thinking: textOf(chunks, 'thinking-delta'), text: textOf(chunks) };
}

/** Every way to cut a text into pieces that a seed can name. */
const cuts = (text: string) =>
  fc.array(fc.integer({ min: 0, max: text.length }), { maxLength: 12 }).map((places) => {
    const at = [...new Set([0, ...places, text.length])].toSorted((a, b) => a - b);
    return at.slice(1).map((end, index) => text.slice(at[index], end));
  });

describe('thinking in tags', () => {
  it.each([
    ['<think>hm</think>Yes', 'hm', 'Yes'],
    ['\n <think>\nhm\n</think>\n\nYes', 'hm\n', 'Yes'],
    ['<thinking>hm</thinking>Yes', 'hm', 'Yes'],
    ['<reasoning>hm</reasoning>Yes', 'hm', 'Yes'],
    ['<thought>hm</thought>Yes', 'hm', 'Yes'],
    ['[THINK]hm[/THINK]Yes', 'hm', 'Yes'],
    ['<think>a < b </thin k></think>Yes', 'a < b </thin k>', 'Yes'],
    ['<think>one</think>Two <think>three</think>', 'one', 'Two <think>three</think>'],
    ['<think>\n\n</think>\n\nYes', '', 'Yes'],
    ['</think>\n\nYes', '', 'Yes'],
    ['<think>not closed </thin', 'not closed </thin', ''],
    ['<think>only</think>  ', 'only', ''],
    ['Yes <think>hm</think>', '', 'Yes <think>hm</think>'],
    ['`<think>` is a tag', '', '`<think>` is a tag'],
    ['<thinker>no</thinker>', '', '<thinker>no</thinker>'],
    ['<thin', '', '<thin'],
    ['  \n', '', '  \n'],
    [' '.repeat(1001) + '<think>a</think>', '', `${' '.repeat(1001)}<think>a</think>`],
  ])('is told from the answer however it is cut: %j', (whole, thinking, text) => {
    expect(said(split([whole]))).toEqual({ thinking, text });
    expect(said(split(whole.split('')))).toEqual({ thinking, text });
    fc.assert(
      fc.property(cuts(whole), (pieces) => {
        expect(said(split(pieces))).toEqual({ thinking, text });
      }),
      { numRuns: 50 },
    );
  });

  it('is told alike for any text and any cut', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '/',
      '<think>',
      '</think>',
      ' ',
      '\n',
      'a',
      '</thi',
      '[',
    );
    const text = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(''));
    const cut = text.chain((whole) => fc.tuple(fc.constant(whole), cuts(whole)));
    fc.assert(
      fc.property(cut, fc.boolean(), ([whole, pieces], inside) => {
        const expected = said(split([whole], { inside }));
        expect(said(split(pieces, { inside }))).toEqual(expected);
        expect(said(split(whole.split(''), { inside }))).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('holds back no more than what is needed to decide', () => {
    const chunks: Chunk[] = [];
    const answer = new AnswerWriter(splitThinkTags((chunk) => chunks.push(chunk)));
    const after = (text: string) => {
      answer.textDelta('t', text);
      return said(chunks);
    };
    expect(after('<th')).toEqual({ thinking: '', text: '' });
    expect(after('ink>a')).toEqual({ thinking: 'a', text: '' });
    expect(after('b</')).toEqual({ thinking: 'ab', text: '' });
    expect(after('c')).toEqual({ thinking: 'ab</c', text: '' });
    expect(after('</think>Y')).toEqual({ thinking: 'ab</c', text: 'Y' });
    expect(after('<think>')).toEqual({ thinking: 'ab</c', text: 'Y<think>' });
    const first = split(['H', 'i']).find(({ type }) => type === 'text-delta');
    expect(first).toMatchObject({ text: 'H' });
  });

  it('is not looked for where the server takes thinking apart itself', () => {
    const before = (answer: AnswerWriter) => {
      answer.thinkingDelta('r', 'hm');
      answer.thinkingEnd('r');
    };
    const expected = { thinking: 'hm', text: '<think>a</think>' };
    expect(said(split(['<think>a</think>'], { before }))).toEqual(expected);
    expect(said(split(['Yes'], { before, inside: true }))).toEqual({ thinking: 'hm', text: 'Yes' });
  });

  it('ends where a call begins, and the words after the call are text', () => {
    const after = (answer: AnswerWriter) => {
      answer.callEnd(answer.callStart('c', 'x'));
      answer.textDelta('t', ' more');
    };
    const open = split(['<think>hm </th'], { after });
    expect(said(open)).toEqual({ thinking: 'hm </th', text: 'more' });
    expect(open.map(({ type }) => type)).toEqual([
      'response-created',
      'thinking-start',
      'thinking-delta',
      'thinking-delta',
      'thinking-complete',
      'tool-created',
      'tool-pending',
      'text-start',
      'text-delta',
      'text-complete',
      'response-complete',
    ]);
    expect(said(split(['<thi'], { after }))).toEqual({ thinking: '', text: '<thi more' });
    expect(said(split(['<think>a</think> '], { after }))).toEqual({ thinking: 'a', text: 'more' });
  });

  it('stays balanced when the answer is cut anywhere', () => {
    const whole = '<think>hm</think>Yes';
    for (let at = 0; at <= whole.length; at += 1) {
      const chunks: Chunk[] = [];
      const answer = new AnswerWriter(splitThinkTags((chunk) => chunks.push(chunk), at % 2 === 0));
      answer.textDelta('t', whole.slice(0, at));
      answer.close();
      const open = chunks.filter(({ type }) => type.endsWith('-start')).length;
      expect(chunks.filter(({ type }) => type.endsWith('-complete'))).toHaveLength(open);
    }
  });
});

describe('thinking whose opening tag was in the prompt', () => {
  it('ends at the closing tag', () => {
    const chunks = split(['hm, ', 'so</th', 'ink>\n\nYes'], { inside: true });
    expect(said(chunks)).toEqual({ thinking: 'hm, so', text: 'Yes' });
    const tagged = split(['<think>hm</think>Yes'], { inside: true });
    expect(said(tagged)).toEqual({ thinking: 'hm', text: 'Yes' });
  });

  it('was the answer if it never ended, and is given as such', () => {
    const chunks = split(['It is ', 'five.'], { inside: true });
    expect(said(chunks)).toEqual({ thinking: 'It is five.', text: 'It is five.' });
  });

  it('stays thinking where the answer was cut or went on with a call', () => {
    expect(said(split(['hm'], { inside: true, reason: 'length' })).text).toBe('');
    const after = (answer: AnswerWriter) => answer.callEnd(answer.callStart('c', 'x'));
    expect(said(split(['hm'], { inside: true, after }))).toEqual({ thinking: 'hm', text: '' });
  });

  it.each(['deepseek-r1:8b', 'deepseek-ai/DeepSeek-R1', 'QwQ-32B', 'Qwen3-4B-Thinking-2507'])(
    'is known of %s',
    (model) => expect(opensInPrompt(model)).toBe(true),
  );

  it.each(['deepseek-v3', 'qwen3:8b', 'llama3.2', 'gpt-oss:20b'])(
    'is not expected of %s',
    (model) => expect(opensInPrompt(model)).toBe(false),
  );
});
