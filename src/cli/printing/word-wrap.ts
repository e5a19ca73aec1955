import { widthOf } from '../terminal/text-width.ts';
import type { Piece } from './inline-text.ts';
import type { Look, Painter } from './painter.ts';

/** A space, a wide character with the punctuation that must not begin a row, or a run of anything else. */
const token =
  /\s+|[\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\u{20000}-\u{3fffd}][\u3001\u3002\uff01\uff0c\uff0e\uff1a\uff1b\uff1f\u300b\u300d\u300f\u3011\uff09]*|[^\s\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\u{20000}-\u{3fffd}]+/gu;

/** Lays the words of one line out in rows, as they come. Rows after the first begin with `hang`. */
export class WordWrap {
  readonly #columns: number;
  readonly #painter: Painter;
  readonly #hang: string;
  #width: number;
  #isRowEmpty = true;
  #space = '';
  /** A word whose end has not arrived: its pieces may have several looks. */
  #word: Piece[] = [];

  /** `used` is how many columns are taken in the first row. */
  constructor(columns: number, painter: Painter, { hang = '', used = 0 } = {}) {
    this.#columns = columns;
    this.#painter = painter;
    this.#hang = hang;
    this.#width = used;
  }

  add(pieces: readonly Piece[]): string {
    let out = '';
    for (const { text, looks } of pieces)
      for (const [part] of text.matchAll(token)) {
        const isSpace = part.trim() === '';
        if (isSpace || isWide(part) || this.#endsWide()) out += this.#flush();
        if (isSpace) this.#space = ' ';
        else this.#append(part, looks);
      }
    return out;
  }

  /** The rest, at the end of the line. */
  end(): string {
    return this.#flush();
  }

  /** A word that arrives in pieces of one look is painted as one. */
  #append(text: string, looks: readonly Look[]): void {
    const last = this.#word.at(-1);
    if (last?.looks.join() === looks.join()) last.text += text;
    else this.#word.push({ text, looks });
  }

  #endsWide(): boolean {
    const last = this.#word.at(-1);
    return last !== undefined && isWide(last.text);
  }

  #flush(): string {
    if (this.#word.length === 0) return '';
    const width = this.#word.reduce((sum, { text }) => sum + widthOf(text), 0);
    const space = this.#isRowEmpty ? '' : this.#space;
    let out = '';
    if (!this.#isRowEmpty && this.#width + space.length + width > this.#columns) {
      out += `\n${this.#hang}`;
      this.#width = widthOf(this.#hang);
    } else {
      out += space;
      this.#width += space.length;
    }
    out += this.#word.map(({ text, looks }) => this.#painter(text, looks)).join('');
    this.#width += width;
    this.#isRowEmpty = false;
    this.#space = '';
    this.#word = [];
    return out;
  }
}

function isWide(text: string): boolean {
  return /^[\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\u{20000}-\u{3fffd}]/u.test(text);
}
