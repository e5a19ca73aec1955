import { describe, expect, it } from 'vitest';
import { readLines, readPairs } from './read-lines.ts';

describe('readPairs', () => {
  it('reads names and values, of which a value may hold the separator', () => {
    expect(readPairs('A=1\n\n B = x=y \n', '=')).toEqual({ pairs: { A: '1', B: 'x=y' } });
    expect(readPairs('Authorization: Bearer a:b', ':')).toEqual({
      pairs: { Authorization: 'Bearer a:b' },
    });
  });

  it('names the line it cannot read', () => {
    expect(readPairs('A=1\nnonsense', '=')).toEqual({ badLine: 'nonsense' });
    expect(readPairs('=1', '=')).toEqual({ badLine: '=1' });
    expect(readPairs('two words=1', '=')).toEqual({ badLine: 'two words=1' });
  });
});

describe('readLines', () => {
  it('keeps spaces inside a line', () => {
    expect(readLines(' a b \r\n\n--flag\n')).toEqual(['a b', '--flag']);
  });
});
