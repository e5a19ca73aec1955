import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { markedText, visibleParts } from './visible-text.ts';

const shown = (text: string): string =>
  visibleParts(text)
    .map((part) =>
      part.kind === 'hidden'
        ? `[${part.label}]`
        : part.kind === 'lookalike'
          ? `{${part.text}}`
          : part.text,
    )
    .join('');

/** By property: what a font draws nothing for, or what moves the letters around it. */
const drawsNothing =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zs}\p{Zl}\p{Zp}\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Variation_Selector}\p{Noncharacter_Code_Point}]/u;
/** Nor these, for which there is no property: each was drawn in a browser. */
const withoutProperty = new Set([0x28_00, 0xff_fc, 0x1_34_41, 0x1_34_42, 0x1_6f_e4, 0x1_d1_59]);

const codeOf = (character: string): string => (character.codePointAt(0) ?? 0).toString(16);
const isSeen = (character: string): boolean =>
  !withoutProperty.has(character.codePointAt(0) ?? 0) && !drawsNothing.test(character);

describe('T84: every code point', () => {
  it('draws something, or is shown as a mark, whatever stands around it', () => {
    const wrong: string[] = [];
    for (let first = 0; first <= 0x10_ff_ff; first += 0x10_00) {
      const block = Array.from({ length: 0x10_00 }, (_, at) => String.fromCodePoint(first + at));
      const parts = visibleParts(`x${block.join('x')}x`);
      const marked = new Set(parts.flatMap(({ kind, text }) => (kind === 'hidden' ? text : [])));
      for (const character of block) {
        if (character === ' ' || character === '\t' || character === '\n') continue;
        if (marked.has(character) === isSeen(character)) wrong.push(codeOf(character));
      }
    }
    expect(wrong).toEqual([]);
  });
});

/** Any code units, many of them of the dangerous kind. */
const dangerous = fc.constantFrom(
  '\u202E',
  '\u2066',
  '\u200B',
  '\u200D',
  '\uFE0F',
  '\u034F',
  '\u2800',
  '\u17B4',
  '\uD800',
  '\u{E0072}',
  '\u{E0100}',
  '\n',
  '\n\n\n\n',
  ' ',
  '\t',
  '\r',
  '\u001B[2J',
  '⟨',
  '⟩',
  '\u0301',
  '❤️',
  '👩‍🔬',
  'а',
  'a',
  '⟨U+202E⟩',
  '\u2028',
  '\uFFFC',
  'Ω',
  '×',
  '⏎',
  '\u009B',
  '1',
  '.',
);
const unit = fc.nat(0xff_ff).map((code) => String.fromCharCode(code));
const hostile = fc
  .array(fc.oneof(dangerous, dangerous, unit), { maxLength: 60 })
  .map((parts) => parts.join(''));

/** A word in letters that nobody sees. */
const toTags = (word: string): string =>
  Array.from(word, (letter) => String.fromCodePoint(0xe_00_00 + letter.charCodeAt(0))).join('');

/** Reads a marked text back, as anybody could who knows the marks. */
function unmarked(marked: string): string {
  const one = /^(?:U\+([\dA-F]+)|⏎)(?: × (\d+))?$/u;
  return marked.replaceAll(/⟨([^⟩]*)⟩(\n?)/gu, (_, label: string, end: string) => {
    const tags = /^tags “([^”]*)”$/u.exec(label)?.[1];
    if (tags !== undefined) return toTags(tags) + end;
    if (/^[A-Z][a-z]+(?: \+ [A-Z][a-z]+)*$/.test(label)) return end;
    const pieces = label.split(/ (?!×|\d)/u).map((piece) => {
      const read = one.exec(piece);
      if (!read) throw new Error(`a mark that nobody can read: ${label}`);
      const [, code, count = '1'] = read;
      const character = code === undefined ? '\n' : String.fromCodePoint(parseInt(code, 16));
      return character.repeat(Number(count));
    });
    return pieces.join('') + (label.startsWith('⏎') ? '' : end);
  });
}

describe('T84: any text', () => {
  it('is in its parts exactly as it is', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(
          visibleParts(text)
            .map((part) => part.text)
            .join(''),
        ).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });

  it('is marked in a way that can be read back, whatever marks it imitates', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(unmarked(markedText(text))).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });

  it('reaches a terminal without anything that acts on it', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const whole = markedText(text);
        expect(whole.isWellFormed()).toBe(true);
        expect(whole).not.toMatch(/(?![\n\t])\p{Cc}|\p{Bidi_Control}|\p{Co}|\p{Cn}|\p{Zl}|\p{Zp}/u);
        expect(whole).not.toMatch(/\n{4}|[ \t]$|[ \t]\n/u);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('visibleParts', () => {
  it('names what turns, hides or controls', () => {
    expect(shown('a\u202Egpj.exe')).toBe('a[U+202E]gpj.exe');
    expect(shown('x\u200By\u0000\u001B[31m')).toBe('x[U+200B]y[U+0000 U+001B][31m');
    expect(shown('a\u200Db\uFE0Fc\u034Fd\u2800e\u17B4')).toBe(
      'a[U+200D]b[U+FE0F]c[U+034F]d[U+2800]e[U+17B4]',
    );
    expect(shown('\u200B'.repeat(5000))).toBe('[U+200B × 5000]');
  });

  it('reads out what tags spell', () => {
    expect(shown(`🏴${toTags('rm -rf')}\u{E007F}`)).toBe('🏴[tags “rm -rf”][U+E007F]');
  });

  it('counts what pushes the rest out of sight', () => {
    expect(shown(`ls${'\n'.repeat(14)}rm -rf /`)).toBe('ls[⏎ × 14]rm -rf /');
    expect(shown(`ls${' '.repeat(300)}; rm`)).toBe('ls[U+0020 × 300]; rm');
    expect(shown('a  \nb\t\n')).toBe('a[U+0020 × 2]\nb[U+0009][⏎]');
    expect(shown(`Z${'\u0301'.repeat(90)}`)).toBe('Z[U+0301 × 90]');
  });

  it('marks words that mix scripts, and Latin-looking ones in names and addresses', () => {
    expect(shown('pаypal gооgle')).toBe('{pаypal} {gооgle}');
    expect(shown('https://аррӏе.com/ехес')).toBe('https://{аррӏе}.com/{ехес}');
    expect(shown('отчёт.pdf, сок и αβγ, Ωmega')).toBe('отчёт.pdf, сок и αβγ, {Ωmega}');
  });

  it('T84: marks letters of formulas, and words that only look Latin where no other is of their script', () => {
    expect(shown('𝗉𝖺𝗒𝗉𝖺𝗅.com ⅼs ℓs')).toBe('{𝗉𝖺𝗒𝗉𝖺𝗅}.com {ⅼs} {ℓs}');
    expect(shown('сору /tmp')).toBe('{сору} /tmp');
    expect(shown('с Docker у нас')).toBe('с Docker у нас');
  });

  it('T84: marks signs and letters that only look like those of addresses', () => {
    expect(new URL('https://bank.com\u2215login.evil.com/').hostname).toMatch(/\.evil\.com$/);
    expect(shown('https://bank.com\u2215login.evil.com/')).toBe(
      'https://bank.com{\u2215}login.evil.com/',
    );
    for (const sign of '\u2044\u29F8\u2571\u2024\u2236\uA789\u05C3\u2216\u29F5')
      expect(shown(`a.com${sign}b`)).toBe(`a.com{${sign}}b`);
    expect(shown('10.0.0.1\u22155.evil.com')).toBe('10.0.0.1{\u2215}5.evil.com');
    expect(shown('\u0261oogle.com p\u0251ypal')).toBe('{\u0261oogle}.com {p\u0251ypal}');
    expect(shown('сору a\u2215b, Комментарий')).toBe('сору a{\u2215}b, Комментарий');
    for (const text of ['1⁄2', 'A ∖ B', '10 ∶ 3', 'Բարև։']) expect(shown(text)).toBe(text);
  });

  it('leaves what people write as it is', () => {
    const indented = `{\n${' '.repeat(20)}"a": 1\n}`;
    for (const text of ['', 'one\n\n\ttwo', '你好，世界', 'שלום', '👩‍🔬 ❤️‍🔥 é 1️⃣ 🇩🇪 🏴󠁧󠁢󠁥󠁮󠁧󠁿', indented])
      expect(shown(text)).toBe(text);
  });
});
