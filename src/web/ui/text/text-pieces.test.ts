import { describe, expect, it } from 'vitest';
import { textPieces } from './text-pieces.ts';

const texts = (text: string) => textPieces(text).map((piece) => piece.text);

describe('textPieces', () => {
  it('leaves a short text whole, and an empty one without pieces', () => {
    expect(texts('a\n\nb\n')).toEqual(['a\n\nb\n']);
    expect(texts('')).toEqual([]);
  });

  it('cuts at ends of lines, so that the boxes give the text back', () => {
    const text = Array.from({ length: 5000 }, (_, index) => `line ${index}`).join('\n');
    const pieces = texts(text);
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.join('\n')).toBe(text);
  });

  it('puts empty lines at the beginning of a box, where they are seen', () => {
    const text = `${'a'.repeat(16_380)}\n\n\n\n\n\n${'b'.repeat(100)}`;
    const pieces = texts(text);
    expect(pieces.every((piece) => !piece.endsWith('\n'))).toBe(true);
    expect(pieces.join('\n')).toBe(text);
  });

  it('keeps empty lines together where it can', () => {
    const text = `${'a'.repeat(9000)}\n${'b'.repeat(7370)}${'\n'.repeat(14)}${'c'.repeat(100)}`;
    expect(texts(text)).toEqual([
      'a'.repeat(9000),
      `${'b'.repeat(7370)}${'\n'.repeat(14)}${'c'.repeat(100)}`,
    ]);
  });

  it('goes through nothing but empty lines', () => {
    expect(texts('\n'.repeat(100_000)).join('').length).toBeGreaterThan(99_000);
  });

  it('cuts a line without end, but no character', () => {
    const text = `x${'🍒'.repeat(40_000)}`;
    const pieces = texts(text);
    expect(pieces.join('')).toBe(text);
    expect(pieces.every((piece) => piece.isWellFormed() && piece.length <= 16_384)).toBe(true);
  });

  it('counts the lines of a piece, also those that wrap', () => {
    expect(textPieces('a\nb\nc').map(({ lines }) => lines)).toEqual([3]);
    expect(textPieces('a'.repeat(1000)).map(({ lines }) => lines)).toEqual([10]);
  });
});
