import { describe, expect, it } from 'vitest';
import { placesOf } from './find-ranges.ts';

const found = (text: string, ...words: string[]) =>
  placesOf(text, words).map(({ start, end }) => text.slice(start, end));

describe('the places of words in a text', () => {
  it('are all of them, whatever their case, in order', () => {
    expect(found('Cherry pie, cherry cake, CHERRY', 'cherry')).toEqual([
      'Cherry',
      'cherry',
      'CHERRY',
    ]);
    expect(found('b a b', 'a', 'b')).toEqual(['b', 'a', 'b']);
  });

  it('are words without spaces too', () => {
    expect(found('樱桃蛋糕和樱桃', '樱桃')).toEqual(['樱桃', '樱桃']);
  });

  it('never overlap', () => {
    expect(found('cherries', 'cher', 'cherries', 'rie')).toEqual(['cherries']);
    expect(found('aaaa', 'aa')).toEqual(['aa', 'aa']);
  });

  it('stay where they are beside letters whose small form is longer', () => {
    expect(found('From İstanbul to Rome', 'istanbul', 'ROME')).toEqual(['İstanbul', 'Rome']);
    expect(found('in İstanbul', 'İstanbul')).toEqual(['İstanbul']);
  });
});
