import fc from 'fast-check';
import { styleText } from 'node:util';
import { describe, expect, it } from 'vitest';
import { widthOf } from '../terminal/text-width.ts';
import { MarkdownPrinter } from './markdown-printer.ts';
import type { Painter } from './painter.ts';

/** Looks as letters, so that a test reads them. */
const letters: Painter = (text, looks) =>
  looks.length === 0 || text === '' ? text : `‹${looks.map((look) => look[0]).join('')}:${text}›`;
/** The same letter by letter: what is painted together depends on what came together. */
const eachLetter: Painter = (text, looks) =>
  text.replaceAll(/\S/gu, (letter) => letters(letter, looks));
const colors: Painter = (text, looks) =>
  looks.length === 0 || text === ''
    ? text
    : styleText(
        looks.map(() => 'bold' as const),
        text,
        { validateStream: false },
      );
const plain: Painter = (text) => text;

function print(text: string, { columns = 40, painter = plain, step = Infinity } = {}): string {
  const printer = new MarkdownPrinter(() => columns, painter);
  let out = '';
  for (let at = 0; at < text.length; at += step) out += printer.add(text.slice(at, at + step));
  return out + printer.end();
}

const whole = `# The *title*

A paragraph with **bold words**, \`code\`, [a link](https://a.example/x) and text that is longer than a row.
Second line, 2 * 3 * 4 and snake_case_name stay.

- one item that is long enough to need a second row
  1. nested
- [x] done

> quoted **words**

\`\`\`ts
const a = '**not bold**';
\`\`\`

| Name | Count |
|:-----|------:|
| a \\| b | 1 |
| 中文 | **22** |

---
The end`;

describe('Markdown on a terminal', () => {
  it('lays out headings, lists, quotes, code, tables and links', () => {
    expect(print(whole)).toMatchInlineSnapshot(`
      "The title

      A paragraph with bold words, code, a
      link (https://a.example/x) and text that
      is longer than a row.
      Second line, 2 * 3 * 4 and
      snake_case_name stay.

      • one item that is long enough to need a
        second row
        1. nested
      ☑ done

      │ quoted words

        ts
        const a = '**not bold**';

      Name  │ Count
      ──────┼──────
      a | b │     1
      中文  │    22

      ────────────────────────────────────────
      The end"
    `);
  });

  it('paints what is marked, and shows where a link goes', () => {
    expect(
      print('**a *b* c** `d*e*` ~~f~~ [g](http://h) <http://i> __j__ _k_', {
        painter: letters,
        columns: 200,
      }),
    ).toMatchInlineSnapshot(
      `"‹b:a› ‹bi:b› ‹b:c› ‹c:d*e*› ‹s:f› ‹l:g› ‹d:(http://h)› ‹l:http://i› ‹b:j› ‹i:k›"`,
    );
  });

  it('keeps marks that have no end as they were written', () => {
    for (const text of [
      '2 * 3',
      'a ** b',
      '`open',
      '[x] (y)',
      'a_b_c',
      '**open',
      '5 < 6',
      'C:\\dir',
    ])
      expect(print(text)).toBe(text);
  });

  it('prints the same however the text is cut', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 20, max: 100 }),
        (step, columns) => {
          const at = { columns, painter: eachLetter };
          expect(print(whole, { ...at, step })).toBe(print(whole, at));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('loses no letter of any text', () => {
    const word = fc.constantFrom(
      'a',
      'bc',
      '**',
      '*',
      '`',
      '```',
      '[',
      '](',
      ')',
      '|',
      '\n',
      ' ',
      '- ',
      '1. ',
      '#',
      '> ',
      '中文',
      '_',
      '~~',
      '---',
    );
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 40 }),
        fc.integer({ min: 1, max: 7 }),
        (words, step) => {
          const text = words.join('');
          const letterCount = (value: string) => value.replaceAll(/[^abc中文]/gu, '').length;
          expect(letterCount(print(text, { step }))).toBe(letterCount(text));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('shows words before their line ends', () => {
    const printer = new MarkdownPrinter(() => 80, plain);
    expect(printer.add('Hello wor')).toBe('Hello');
    expect(printer.add('ld, **bo')).toBe(' world,');
    expect(printer.add('ld** and')).toBe(' bold');
  });

  it('fills the width that the terminal has by now', () => {
    let columns = 40;
    const printer = new MarkdownPrinter(() => columns, plain);
    const printed = printer.add('some words '.repeat(10));
    columns = 30;
    const rows = (printed + printer.add('some words '.repeat(20)) + printer.end()).split('\n');
    expect(rows.at(0)?.length).toBeGreaterThan(30);
    for (const row of rows.slice(-6)) expect(row.length).toBeLessThanOrEqual(30);
  });

  it('writes little more than the text', () => {
    const text = `${whole}\n\n`.repeat(200);
    expect(print(text, { columns: 80, step: 5 }).length).toBeLessThan(text.length * 1.5);
  });

  it('writes at most three times the text where all of it is colored', () => {
    const marked = [
      '**中文没有空格，每个字都是粗体。**',
      '# 标题也是如此',
      '> a b c d e f g h i j k',
    ];
    for (const text of marked.map((line) => `${line}\n\n`.repeat(100)))
      expect(Buffer.byteLength(print(text, { columns: 80, painter: colors }))).toBeLessThan(
        Buffer.byteLength(text) * 3,
      );
  });

  it('fits tables into the width, and wraps words in cells', () => {
    const row = `| ${'word '.repeat(20)}| ${'x'.repeat(50)} |`;
    const rows = print(`| a | b |\n|---|---|\n${row}`, { columns: 40 }).split('\n');
    expect(Math.max(...rows.map(({ length }) => length))).toBeLessThanOrEqual(40);
    expect(rows.length).toBeGreaterThan(4);
  });

  it('breaks rows between Chinese characters, not before their punctuation', () => {
    const rows = print('我们在这里写一段很长的中文文字，它没有空格。'.repeat(3), {
      columns: 21,
    }).split('\n');
    expect(rows.length).toBeGreaterThan(3);
    for (const row of rows) {
      expect(widthOf(row)).toBeLessThanOrEqual(21);
      expect(row).not.toMatch(/^[，。]/u);
    }
  });
});
