import type { Look, Painter } from './painter.ts';

/** A piece of a line with one look. */
export interface Piece {
  text: string;
  looks: readonly Look[];
}

/** Marks that hold text back until their end arrived wait for at most so many characters. */
const maxHeld = 500;
const special = /[`*_[~\\<!]/;

interface Construct {
  pattern: RegExp;
  pieces: (match: RegExpExecArray, looks: readonly Look[]) => Piece[];
}

const within = (look: Look) => (match: RegExpExecArray, looks: readonly Look[]) =>
  readInline(match[1] ?? '', [...looks, look]).pieces;

/** What begins with each character, the longest first. */
const constructs: Record<string, Construct[]> = {
  '`': [
    {
      pattern: /``(.+?)``(?!`)/y,
      pieces: (m, looks) => [{ text: (m[1] ?? '').trim(), looks: [...looks, 'code'] }],
    },
    {
      pattern: /`([^`]+)`(?!`)/y,
      pieces: (m, looks) => [{ text: m[1] ?? '', looks: [...looks, 'code'] }],
    },
  ],
  '*': [
    { pattern: /\*\*(?=\S)((?:[^*]|\*(?!\*))*?\S)\*\*/y, pieces: within('bold') },
    { pattern: /\*(?=[^\s*])((?:[^*]|\*\*[^*]*\*\*)*?\S)\*(?!\*)/y, pieces: within('italic') },
  ],
  _: [
    { pattern: /(?<!\w)__(\S|\S.*?\S)__(?!\w)/y, pieces: within('bold') },
    { pattern: /(?<!\w)_([^\s_]|[^\s_][^_]*[^\s_])_(?!\w)/y, pieces: within('italic') },
  ],
  '~': [{ pattern: /~~(?=\S)([^~]+)~~/y, pieces: within('strike') }],
  '[': [{ pattern: /\[([^\]]*)\]\(<?([^)\s>]*)>?(?:\s+"[^"]*")?\)/y, pieces: link }],
  '!': [{ pattern: /!\[([^\]]*)\]\(<?([^)\s>]*)>?(?:\s+"[^"]*")?\)/y, pieces: link }],
  '<': [
    {
      pattern: /<(https?:\/\/[^\s<>]+)>/y,
      pieces: (m, looks) => [{ text: m[1] ?? '', looks: [...looks, 'link'] }],
    },
  ],
  '\\': [{ pattern: /\\([!-/:-@[-`{-~])/y, pieces: (m, looks) => [{ text: m[1] ?? '', looks }] }],
};

/** The address stays visible: a terminal has no other place that would tell where a link goes. */
function link(match: RegExpExecArray, looks: readonly Look[]): Piece[] {
  const [, label = '', address = ''] = match;
  if (label === '' || label === address) return [{ text: address, looks: [...looks, 'link'] }];
  return [
    ...readInline(label, [...looks, 'link']).pieces,
    { text: ` (${address})`, looks: [...looks, 'dim'] },
  ];
}

/**
 * Reads the marks within a line. While the line is `open`, what could still become a mark is left in `rest`; a line
 * that ended keeps marks without an end as they were written. `before` is the character that stands before it.
 */
export function readInline(
  text: string,
  looks: readonly Look[] = [],
  { open = false, before = '' } = {},
): { pieces: Piece[]; rest: string } {
  const pieces: Piece[] = [];
  const source = before + text;
  let plainFrom = before.length;
  const plainUntil = (end: number) => {
    if (end > plainFrom) pieces.push({ text: source.slice(plainFrom, end), looks });
  };
  for (let at = before.length; at < source.length;) {
    const character = source[at] ?? '';
    if (!special.test(character)) {
      at += 1;
      continue;
    }
    const found = matchAt(source, at);
    // A closed mark at the end of an open line may go on: `**` after `*`, a letter after `_`.
    const isSettled = found && (!open || at + found.length < source.length);
    if (found && isSettled) {
      plainUntil(at);
      pieces.push(...found.pieces(looks));
      at += found.length;
      plainFrom = at;
    } else if (open && source.length - at <= maxHeld) {
      plainUntil(at);
      return { pieces, rest: source.slice(at) };
    } else {
      at += markLength(source, at);
    }
  }
  plainUntil(source.length);
  return { pieces, rest: '' };
}

function matchAt(source: string, at: number) {
  for (const { pattern, pieces } of constructs[source[at] ?? ''] ?? []) {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (match)
      return { length: match[0].length, pieces: (looks: readonly Look[]) => pieces(match, looks) };
  }
  return undefined;
}

/** A mark without an end is passed over as a whole, so that its second half is not taken for another. */
function markLength(source: string, at: number): number {
  const character = source[at] ?? '';
  let length = 1;
  while ('*`_~'.includes(character) && source[at + length] === character) length += 1;
  return length;
}

/** A whole line with its looks painted. */
export function paintInline(text: string, painter: Painter, looks: readonly Look[] = []): string {
  return readInline(text, looks)
    .pieces.map((piece) => painter(piece.text, piece.looks))
    .join('');
}

/** A whole line without its marks. */
export function plainInline(text: string): string {
  return readInline(text)
    .pieces.map((piece) => piece.text)
    .join('');
}
