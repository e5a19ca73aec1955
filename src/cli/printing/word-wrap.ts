import { screenRows, widthOf } from '../terminal/text-width.ts';
import type { Piece } from './inline-text.ts';
import type { Painter } from './painter.ts';

/** A space, a wide character with the punctuation that must not begin a row, or a run of anything else. */
const token =
  /\s+|[\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\u{20000}-\u{3fffd}][\u3001\u3002\uff01\uff0c\uff0e\uff1a\uff1b\uff1f\u300b\u300d\u300f\u3011\uff09]*|[^\s\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\u{20000}-\u{3fffd}]+/gu;

/** A line as rows of so many columns, broken between words; only a longer word is cut. */
export function wrapLine(line: string, columns: number): string[] {
  if (widthOf(line) <= columns) return [line];
  const wrap = new WordWrap(
    () => columns,
    (piece) => piece,
  );
  const rows = `${wrap.add([{ text: line, looks: [] }])}${wrap.end()}`.split('\n');
  return rows.flatMap((row) => screenRows(row, columns));
}

/** Lays the words of one line out in rows, as they come. Rows after the first begin with `hang`. */
export class WordWrap {
  readonly #columns: () => number;
  readonly #painter: Painter;
  readonly #hang: string;
  #width: number;
  #isRowEmpty = true;
  #space = '';
  /** A word whose end has not arrived: its pieces may have several looks. */
  #word: Piece[] = [];

  /** The width may change in between; `used` is how many columns are taken in the first row. */
  constructor(columns: () => number, painter: Painter, { hang = '', used = 0 } = {}) {
    this.#columns = columns;
    this.#painter = painter;
    this.#hang = hang;
    this.#width = used;
  }

  add(pieces: readonly Piece[]): string {
    const out: Piece[] = [];
    for (const { text, looks } of pieces)
      for (const [part] of text.matchAll(token)) {
        const isSpace = part.trim() === '';
        if (isSpace || isWide(part) || this.#endsWide()) this.#flush(out);
        if (isSpace) this.#space = ' ';
        else appendTo(this.#word, { text: part, looks });
      }
    return this.#painted(out);
  }

  /** The rest, at the end of the line. */
  end(): string {
    const out: Piece[] = [];
    this.#flush(out);
    return this.#painted(out);
  }

  #endsWide(): boolean {
    const last = this.#word.at(-1);
    return last !== undefined && isWide(last.text);
  }

  #flush(out: Piece[]): void {
    const [first] = this.#word;
    if (!first) return;
    const width = this.#word.reduce((sum, { text }) => sum + widthOf(text), 0);
    const space = this.#isRowEmpty ? '' : this.#space;
    if (!this.#isRowEmpty && this.#width + space.length + width > this.#columns()) {
      out.push({ text: `\n${this.#hang}`, looks: [] });
      this.#width = widthOf(this.#hang);
    } else {
      const isWithin = out.at(-1)?.looks.join() === first.looks.join();
      appendTo(out, { text: space, looks: isWithin ? first.looks : [] });
      this.#width += space.length;
    }
    for (const piece of this.#word) appendTo(out, piece);
    this.#width += width;
    this.#isRowEmpty = false;
    this.#space = '';
    this.#word = [];
  }

  #painted(out: readonly Piece[]): string {
    return out.map(({ text, looks }) => this.#painter(text, looks)).join('');
  }
}

/** What follows in the same look is painted with it: a color for each word or letter would be most of the output. */
function appendTo(pieces: Piece[], { text, looks }: Piece): void {
  if (text === '') return;
  const last = pieces.at(-1);
  if (last?.looks.join() === looks.join()) last.text += text;
  else pieces.push({ text, looks });
}

function isWide(text: string): boolean {
  return /^[\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\u{20000}-\u{3fffd}]/u.test(text);
}
