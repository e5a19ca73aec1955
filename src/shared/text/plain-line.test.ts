import { describe, expect, it } from 'vitest';
import { plainLine } from './plain-line.ts';

describe('one plain line of foreign text', () => {
  it('has no characters that draw nothing or turn the direction of writing', () => {
    expect(plainLine('pay\u202Egpj.exe\u200B\u{E0041}\u0007', 80)).toBe('paygpj.exe');
    expect(plainLine('a\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301b', 80)).toBe('ab');
  });

  it('is one line, with single spaces', () => {
    expect(plainLine('  a\n\n\tb\u3000c\u2028d\u00A0 e ', 80)).toBe('a b c d e');
  });

  it('keeps pictures that are made of several characters', () => {
    expect(plainLine('👩\u200D💻 ❤\uFE0F ok', 80)).toBe('👩\u200D💻 ❤\uFE0F ok');
  });

  it('is no longer than allowed and ends at a whole character', () => {
    expect(plainLine('x'.repeat(100), 10)).toBe(`${'x'.repeat(9)}…`);
    expect(plainLine(`${'x'.repeat(8)}😀😀`, 10)).toBe(`${'x'.repeat(8)}…`);
  });
});
