import { describe, expect, it } from 'vitest';
import { wrapLine } from './word-wrap.ts';

describe('a line that is longer than its column', () => {
  it('is broken between words', () => {
    expect(wrapLine('so I will call both in parallel', 14)).toEqual([
      'so I will call',
      'both in',
      'parallel',
    ]);
    expect(wrapLine('樱桃六月成熟。', 8)).toEqual(['樱桃六月', '成熟。']);
  });

  it('is cut within a word that is longer itself', () => {
    expect(wrapLine('to parallelepiped', 8)).toEqual(['to', 'parallel', 'epiped']);
  });

  it('stays as it is where it fits', () => {
    expect(wrapLine('  two   spaces', 14)).toEqual(['  two   spaces']);
  });
});
