/** A piece of a long text that stands in a box of its own, and about how many lines it takes. */
export interface TextPiece {
  text: string;
  lines: number;
}

const maxChars = 16_384;
const lineChars = 100;

/**
 * A long text in pieces, so that a browser lays out only those in sight. They are cut at ends of
 * lines, which the boxes stand for; a line that is too long by itself is cut between characters.
 */
export function textPieces(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  for (let at = 0; at < text.length;) {
    const { end, next } = pieceAt(text, at);
    const piece = text.slice(at, end);
    pieces.push({ text: piece, lines: linesOf(piece) });
    at = next;
  }
  return pieces;
}

function pieceAt(text: string, at: number): { end: number; next: number } {
  const most = at + maxChars;
  if (most >= text.length) return { end: text.length, next: text.length };
  const newline = lineEnd(text, at, most);
  if (newline > at) return { end: newline, next: newline + 1 };
  const end = isHighSurrogate(text.charCodeAt(most - 1)) ? most - 1 : most;
  return { end, next: end };
}

/**
 * The last end of a line that stands alone, so that empty lines stay together and are counted as one
 * run; else the one before them: at the end of a box they would not be seen.
 */
function lineEnd(text: string, at: number, most: number): number {
  const window = text.slice(at, most + 2);
  const alone = [...window.matchAll(/(?<=[^\n])\n(?=[^\n])/g)].at(-1)?.index;
  if (alone !== undefined) return at + alone;
  let place = text.lastIndexOf('\n', most);
  while (place > at && text[place - 1] === '\n') place -= 1;
  return place;
}

function linesOf(piece: string): number {
  let lines = 1;
  for (let at = piece.indexOf('\n'); at !== -1; at = piece.indexOf('\n', at + 1)) lines += 1;
  return Math.max(lines, Math.ceil(piece.length / lineChars));
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd8_00 && code <= 0xdb_ff;
}
