import { describe, expect, it } from 'vitest';
import { splitHidden } from './hidden-characters.ts';

const shown = (text: string): string =>
  splitHidden(text)
    .map((part) => ('hidden' in part ? `[${part.hidden}]` : part.text))
    .join('');

describe('splitHidden', () => {
  it('names what turns, hides or controls', () => {
    expect(shown('a\u202Egpj.exe')).toBe('a[U+202E]gpj.exe');
    expect(shown('x\u200By\u0000\u001B[31m')).toBe('x[U+200B]y[U+0000][U+001B][31m');
    expect(shown('\u{E0041}')).toBe('[U+E0041]');
    expect(shown('a\u200Db')).toBe('a[U+200D]b');
  });

  it('leaves what people write as it is', () => {
    for (const text of ['', 'one\n\ttwo', '你好，世界', 'שלום', '👩‍🔬 ❤️‍🔥 é'])
      expect(shown(text)).toBe(text);
  });
});
