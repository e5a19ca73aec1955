import type { LineHighlighter, Piece } from './highlight-engine.ts';

/** The highlighted beginning of a code, in groups of lines. */
export interface HighlightedCode {
  /** Full groups stay the same arrays; only the last one is replaced. */
  groups: readonly (readonly Piece[][])[];
  /** The code that they are. */
  source: string;
}

/** Nothing highlighted yet. */
export const plainCode: HighlightedCode = { groups: [], source: '' };

const groupSize = 40;
const linesAtOnce = 10;
const mostCode = 100_000;

/** Whether a code is short enough to be worth its colours. */
export function isHighlightable(code: string): boolean {
  return code.length <= mostCode;
}

/** Highlights one code, also while it grows: no line twice. */
export class Highlighting {
  readonly #open: () => LineHighlighter;
  #highlight: LineHighlighter;
  #current = plainCode;

  constructor(open: () => LineHighlighter) {
    this.#open = open;
    this.#highlight = open();
  }

  get current(): HighlightedCode {
    return this.#current;
  }

  /**
   * Highlights a few more whole lines. False when there are none left; a last line without an end is
   * left alone while the code is `open`, since it may still grow.
   */
  advance(code: string, open: boolean): boolean {
    if (!code.startsWith(this.#current.source)) this.#restart();
    const { groups, source } = this.#current;
    const lines = nextLines(code, source.length, open);
    if (lines === '') return false;
    const ends = lines.endsWith('\n');
    const pieces = this.#highlight(ends ? lines.slice(0, -1) : lines);
    this.#current = { groups: addLines(groups, pieces), source: source + lines };
    return ends;
  }

  #restart(): void {
    this.#current = plainCode;
    this.#highlight = this.#open();
  }
}

function nextLines(code: string, from: number, open: boolean): string {
  let end = from;
  for (let count = 0; count < linesAtOnce; count += 1) {
    const next = code.indexOf('\n', end);
    if (next === -1) return open ? code.slice(from, end) : code.slice(from);
    end = next + 1;
  }
  return code.slice(from, end);
}

function addLines(groups: HighlightedCode['groups'], lines: Piece[][]): HighlightedCode['groups'] {
  const last = groups.at(-1);
  const isOpen = last !== undefined && last.length < groupSize;
  const all = isOpen ? [...last, ...lines] : lines;
  const more: Piece[][][] = [];
  for (let at = 0; at < all.length; at += groupSize) more.push(all.slice(at, at + groupSize));
  return [...(isOpen ? groups.slice(0, -1) : groups), ...more];
}
