import { widthOf } from '../terminal/text-width.ts';
import { type Piece, readInline } from './inline-text.ts';
import type { Look, Painter } from './painter.ts';
import { isTableRow, tableLines } from './table-lines.ts';
import { WordWrap } from './word-wrap.ts';

/** A line that has begun: how its words look and where they go. */
interface OpenLine {
  wrap: WordWrap;
  looks: readonly Look[];
  /** What may still become a mark, and the character before it. */
  rest: string;
  before: string;
}

/** The beginning of a line that is not yet known to be no mark: `#`, `- `, `12. `, `> `, three backticks, a rule. */
const undecided = /^\s*(?:[#>|`~*+\-_=]*\s?|\d{1,9}[.)]?\s?|[*+-]\s+\[?[ x]?\]?\s?)$/i;
const fenceMark = /^\s*(?:```|~~~)/;
const maxUndecided = 40;
const maxIndent = 12;

/**
 * Turns Markdown that arrives in pieces into rows of a terminal. What was printed is never changed, so nothing flickers:
 * words appear when they are whole, tables when they end. Give it text without escape sequences.
 */
export class MarkdownPrinter {
  readonly #columns: () => number;
  readonly #painter: Painter;
  #pending = '';
  #line: OpenLine | undefined;
  #fence: string | undefined;
  #table: string[] = [];
  /** Blank lines are printed when something follows them. */
  #isBlankDue = false;
  #isEmpty = true;

  /** The width of the terminal is asked for again, as it may change while the text arrives. */
  constructor(columns: () => number, painter: Painter) {
    this.#columns = () => Math.max(20, columns());
    this.#painter = painter;
  }

  /** What can be printed now. */
  add(text: string): string {
    const [first = '', ...others] = text.split('\n');
    let out = this.#feed(first);
    for (const part of others) out += this.#endLine() + this.#feed(part);
    return out;
  }

  /** The rest, without an end of line. */
  end(): string {
    const out = this.#endLine() + this.#endTable();
    this.#isBlankDue = false;
    return out.replace(/\n$/, '');
  }

  #feed(text: string): string {
    if (text === '') return '';
    if (this.#line) return this.#addWords(this.#line, text);
    this.#pending += text;
    const line = this.#pending;
    if (this.#fence !== undefined || isTableRow(line) || fenceMark.test(line)) return '';
    if (undecided.test(line) && line.length < maxUndecided) return '';
    return this.#begin(line);
  }

  #endLine(): string {
    if (this.#line) return this.#closeLine(this.#line);
    const line = this.#pending;
    this.#pending = '';
    if (this.#fence !== undefined) return this.#codeLine(line, this.#fence);
    if (isTableRow(line)) {
      this.#table.push(line);
      return '';
    }
    const table = this.#endTable();
    if (line.trim() === '') {
      this.#isBlankDue = !this.#isEmpty;
      return table;
    }
    const fence = /^\s*(`{3,}|~{3,})\s*([^`]*)$/.exec(line);
    if (fence) return table + this.#beginCode(fence[1] ?? '', (fence[2] ?? '').trim());
    if (/^\s*([*\-_])(?:\s*\1){2,}\s*$/.test(line))
      return `${table}${this.#gap()}${this.#painter('─'.repeat(Math.min(40, this.#columns())), ['dim'])}\n`;
    const begun = this.#begin(line);
    return table + begun + (this.#line ? this.#closeLine(this.#line) : '');
  }

  /** Decides what the line is, prints its mark and opens it for words. */
  #begin(line: string): string {
    this.#pending = '';
    const out = this.#endTable() + this.#gap();
    const { mark, text, looks, hang } = readMark(line);
    const first = this.#painter(mark, hang.includes('│') ? ['dim'] : []);
    const wrap = new WordWrap(this.#columns, this.#painter, {
      hang: hang.includes('│') ? this.#painter(hang, ['dim']) : hang,
      used: widthOf(mark),
    });
    this.#line = { wrap, looks, rest: '', before: '' };
    return out + first + this.#addWords(this.#line, text);
  }

  #addWords(line: OpenLine, text: string): string {
    const { pieces, rest } = readInline(line.rest + text, line.looks, {
      open: true,
      before: line.before,
    });
    line.rest = rest;
    line.before = lastCharacter(pieces) ?? line.before;
    return line.wrap.add(pieces);
  }

  #closeLine(line: OpenLine): string {
    this.#line = undefined;
    const { pieces } = readInline(line.rest, line.looks, { before: line.before });
    return `${line.wrap.add(pieces)}${line.wrap.end()}\n`;
  }

  #beginCode(fence: string, language: string): string {
    this.#fence = fence;
    const label = language === '' ? '' : `${this.#painter(`  ${language}`, ['dim'])}\n`;
    return this.#gap() + label;
  }

  #codeLine(line: string, fence: string): string {
    const end = /^\s*(`{3,}|~{3,})\s*$/.exec(line)?.[1];
    if (end?.startsWith(fence)) {
      this.#fence = undefined;
      return '';
    }
    return `  ${this.#painter(line, ['code'])}\n`;
  }

  #endTable(): string {
    if (this.#table.length === 0) return '';
    const source = this.#table;
    this.#table = [];
    const lines = tableLines(source, this.#columns(), this.#painter) ?? source;
    return `${this.#gap()}${lines.join('\n')}\n`;
  }

  /** The blank line before something. */
  #gap(): string {
    const gap = this.#isBlankDue ? '\n' : '';
    this.#isBlankDue = false;
    this.#isEmpty = false;
    return gap;
  }
}

function readMark(line: string): { mark: string; text: string; looks: Look[]; hang: string } {
  const heading = /^\s{0,3}#{1,6}\s+(.*)$/.exec(line);
  if (heading) return { mark: '', text: heading[1] ?? '', looks: ['heading'], hang: '' };
  const quote = /^\s{0,3}>\s?(.*)$/.exec(line);
  if (quote) return { mark: '│ ', text: quote[1] ?? '', looks: ['italic'], hang: '│ ' };
  const item = /^(\s*)([*+-]|\d{1,9}[.)])\s+(?:\[([ xX])\]\s+)?(.*)$/.exec(line);
  if (!item) return { mark: '', text: line.trimStart(), looks: [], hang: '' };
  const [, indent = '', bullet = '', task, text = ''] = item;
  const sign = task === undefined ? (/\d/.test(bullet) ? bullet : '•') : task === ' ' ? '☐' : '☑';
  const mark = `${' '.repeat(Math.min(maxIndent, widthOf(indent)))}${sign} `;
  return { mark, text, looks: [], hang: ' '.repeat(widthOf(mark)) };
}

function lastCharacter(pieces: readonly Piece[]): string | undefined {
  return pieces.at(-1)?.text.at(-1);
}
