import type { Links, Tokens } from 'marked';
import { lexBlocks } from './lexer.ts';

/**
 * A growing text cut into its top-level blocks. `finished` blocks can no longer change, whatever
 * follows; `live` ones still may. Joined, they are the text.
 */
export interface SplitText {
  source: string;
  finished: string[];
  live: string[];
  /** Where the live part begins. */
  offset: number;
  /** Link definitions of the finished part; the object changes only when one is added. */
  links: Links;
}

/** The split of no text: where every growing text begins. */
export const emptySplit: SplitText = { source: '', finished: [], live: [], offset: 0, links: {} };

/**
 * Moves a split on to a longer text; only the live part is read again. A text that is not a
 * continuation starts over.
 */
export function splitFurther(previous: SplitText, text: string): SplitText {
  const source = text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;
  if (source === previous.source) return previous;
  const base = source.startsWith(previous.source) ? previous : emptySplit;
  return settle({ ...base, source });
}

/** A function that remembers the last split, so that each call reads only what is new. */
export function createSplitter(): (text: string) => SplitText {
  let last = emptySplit;
  return (text) => {
    last = splitFurther(last, text);
    return last;
  };
}

interface Piece {
  raw: string;
  definitions: Tokens.Def[];
}

/**
 * A block is finished when a blank line ends it and a whole line of another block follows: no rule
 * looks across a blank line except those of lists, fences and raw HTML, and these would have taken
 * the following line.
 */
function settle(state: SplitText): SplitText {
  const pieces = readPieces(state.source.slice(state.offset));
  const wholeLines = state.source.lastIndexOf('\n') + 1;
  let settled = 0;
  let start = state.offset;
  for (const [index, piece] of pieces.entries()) {
    const next = pieces[index + 1];
    if (!next) break;
    start += piece.raw.length;
    const firstLineEnd = state.source.indexOf('\n', start) + 1;
    if (firstLineEnd === 0 || firstLineEnd > wholeLines) break;
    if (/\n[ \t]*\n$/.test(piece.raw)) settled = index + 1;
  }
  const done = pieces.slice(0, settled);
  const definitions = done.flatMap((piece) => piece.definitions);
  return {
    source: state.source,
    finished: settled === 0 ? state.finished : [...state.finished, ...done.map(({ raw }) => raw)],
    live: pieces.slice(settled).map(({ raw }) => raw),
    offset: state.offset + done.reduce((sum, { raw }) => sum + raw.length, 0),
    links: definitions.length === 0 ? state.links : withDefinitions(state.links, definitions),
  };
}

/** Blank space belongs to the block before it, so that pieces join to the text. */
function readPieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  for (const token of readTokens(text)) {
    const last = pieces.at(-1);
    if (token.type === 'space' && last) last.raw += token.raw;
    else {
      const definitions = token.type === 'def' ? [token as Tokens.Def] : [];
      pieces.push({ raw: token.raw, definitions });
    }
  }
  return pieces;
}

/** Text that the lexer gives up on (such as thousands of nested quotes) stays one plain piece. */
function readTokens(text: string): { type: string; raw: string }[] {
  try {
    const tokens = lexBlocks(text);
    const length = tokens.reduce((sum, { raw }) => sum + raw.length, 0);
    return length === text.length ? tokens : [{ type: 'text', raw: text }];
  } catch (error) {
    console.warn('Shown as plain text:', error);
    return [{ type: 'text', raw: text }];
  }
}

function withDefinitions(links: Links, definitions: Tokens.Def[]): Links {
  const more = definitions.map(({ tag, href, title }) => [tag, { href, title }] as const);
  return { ...Object.fromEntries(more.toReversed()), ...links };
}
