import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { citedNumbers, splitCitationMarks } from './citation-marks.ts';

const joined = (text: string) =>
  splitCitationMarks(text)
    .map((piece) => (typeof piece === 'string' ? piece : piece.raw))
    .join('');

describe('splitCitationMarks', () => {
  it('finds single marks, neighbours, lists and wide brackets', () => {
    expect(splitCitationMarks('a [3], b[1][2] c [1, 2、2]【3】。【4†source】')).toEqual([
      'a ',
      { raw: '[3]', numbers: [3] },
      ', b',
      { raw: '[1]', numbers: [1] },
      { raw: '[2]', numbers: [2] },
      ' c ',
      { raw: '[1, 2、2]', numbers: [1, 2] },
      { raw: '【3】', numbers: [3] },
      '。',
      { raw: '【4†source】', numbers: [4] },
    ]);
  });

  it('leaves other brackets alone', () => {
    for (const text of [
      '[x]',
      '[^1]',
      '[1',
      '[ ]',
      '[12345]',
      '[1-3]',
      '[1.5]',
      '[a1]',
      '【一】',
      '',
    ])
      expect(splitCitationMarks(text)).toEqual(text === '' ? [] : [text]);
  });

  it('loses nothing of any text', () => {
    const piece = fc.constantFrom('[', ']', '1', '2', ',', '【', '】', '†', ' ', 'x', '\n');
    fc.assert(
      fc.property(fc.array(piece), (pieces) => joined(pieces.join('')) === pieces.join('')),
    );
  });

  it('stays quick on brackets without end', () => {
    const text = '[1, '.repeat(100_000) + '【1†'.repeat(50_000);
    expect(joined(text)).toBe(text);
  });
});

describe('citedNumbers', () => {
  it('gives each number once', () => {
    expect([...citedNumbers('[2] and [1, 2], 【7】')]).toEqual([2, 1, 7]);
  });
});
