import { describe, expect, it } from 'vitest';
import { translationPieces } from './translation-text.ts';

describe('translationPieces', () => {
  it('leaves a short text whole', () => {
    expect(translationPieces('a\n\nb')).toEqual(['a\n\nb']);
  });

  it('cuts between paragraphs, and gives the text back when joined', () => {
    const text = Array.from({ length: 50 }, (_, index) => `paragraph ${index}`).join('\n\n');
    const pieces = translationPieces(text, 100);
    expect(pieces.length).toBeGreaterThan(5);
    expect(pieces.every((piece) => piece.length <= 100)).toBe(true);
    expect(pieces.join('\n\n')).toBe(text);
  });

  it('never cuts code in two, whatever fences it holds', () => {
    const code = '```md\na\n\n~~~\n\nb\n\n```';
    const wide = '````\n\n```\n\n````';
    const pieces = translationPieces(`before\n\n${code}\n\n${wide}\n\nafter`, 5);
    expect(pieces).toEqual(['before', code, wide, 'after']);
  });

  it('goes to the end of a fence that is never closed', () => {
    expect(translationPieces('a\n\n```\n\nb\n\nc', 1)).toEqual(['a', '```\n\nb\n\nc']);
  });
});
