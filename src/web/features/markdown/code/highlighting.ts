import type { Piece } from './highlight-engine.ts';
import type { CodeHighlighter } from './highlighter.ts';

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
const maxCodeChars = 100_000;

/** Whether a code is short enough to be worth its colours. */
export function isHighlightable(code: string): boolean {
  return code.length <= maxCodeChars;
}

/** Highlights one code, also while it grows: no line twice. */
export class Highlighting {
  readonly #open: () => CodeHighlighter;
  #highlighter: CodeHighlighter;
  #current = plainCode;
  #last: Promise<unknown> = Promise.resolve();

  constructor(open: () => CodeHighlighter) {
    this.#open = open;
    this.#highlighter = open();
  }

  get current(): HighlightedCode {
    return this.#current;
  }

  close(): void {
    this.#highlighter.close();
  }

  /**
   * Highlights the next whole lines, after whatever was asked before. False when there are none left;
   * a last line without an end is left alone while the code is `open`, since it may still grow.
   */
  advance(code: string, open: boolean): Promise<boolean> {
    const step = this.#last.then(() => this.#step(code, open));
    this.#last = step;
    return step;
  }

  async #step(code: string, open: boolean): Promise<boolean> {
    if (!code.startsWith(this.#current.source)) this.#restart();
    const { groups, source } = this.#current;
    const lines = nextLines(code, source.length, open);
    if (lines === '') return false;
    const ends = lines.endsWith('\n');
    const pieces = await this.#highlighter.highlight(ends ? lines.slice(0, -1) : lines);
    if (!pieces) return false;
    this.#current = { groups: addLines(groups, pieces), source: source + lines };
    return ends;
  }

  #restart(): void {
    this.#highlighter.close();
    this.#highlighter = this.#open();
    this.#current = plainCode;
  }
}

function nextLines(code: string, from: number, open: boolean): string {
  let end = from;
  for (let count = 0; count < groupSize; count += 1) {
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
