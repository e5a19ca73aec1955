import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DiffPart, diffLines, diffWords } from './word-diff.ts';

const side = (parts: DiffPart[], gone: DiffPart['kind']): string =>
  parts
    .filter(({ kind }) => kind !== gone)
    .map(({ text }) => text)
    .join('');

describe('diffWords', () => {
  it('shows the words that came and went', () => {
    expect(diffWords('Reads a file.', 'Reads and deletes a file.')).toEqual([
      { kind: 'same', text: 'Reads ' },
      { kind: 'added', text: 'and deletes ' },
      { kind: 'same', text: 'a file.' },
    ]);
    expect(diffWords('a', 'a')).toEqual([{ kind: 'same', text: 'a' }]);
  });

  it('holds both texts whole, whatever they are', () => {
    const words = fc.array(fc.constantFrom('a', 'b', ' ', '\n', '{', '🍒'), { maxLength: 40 });
    fc.assert(
      fc.property(words, words, (one, other) => {
        const parts = diffWords(one.join(''), other.join(''));
        expect(side(parts, 'added')).toBe(one.join(''));
        expect(side(parts, 'removed')).toBe(other.join(''));
      }),
    );
  });

  it('takes texts that are too long for a table', () => {
    const long = 'word '.repeat(50_000);
    const parts = diffWords(`x${long}`, `y${long}z`);
    expect(side(parts, 'removed')).toBe(`y${long}z`);
  });
});

describe('diffLines', () => {
  it('shows the lines that came and went', () => {
    expect(diffLines('a b\nc\n', 'a d\nc\n')).toEqual([
      { kind: 'removed', text: 'a b\n' },
      { kind: 'added', text: 'a d\n' },
      { kind: 'same', text: 'c\n' },
    ]);
  });
});
