const list = String.raw`\d{1,4}(?:\s{0,2}[,，、]\s{0,2}\d{1,4}){0,19}`;
const mark = new RegExp(String.raw`\[(${list})\]|【(${list})(?:†[^】\n]{0,80})?】`, 'g');

/** A place in a text that may point to sources: `[3]`, `[1, 2]`, `【3】`. */
export interface CitationMark {
  raw: string;
  numbers: number[];
}

/** A text cut into its words and its marks, in order; joined, they are the text. */
export function splitCitationMarks(text: string): (string | CitationMark)[] {
  const pieces: (string | CitationMark)[] = [];
  let end = 0;
  for (const found of text.matchAll(mark)) {
    if (found.index > end) pieces.push(text.slice(end, found.index));
    const numbers = (found[1] ?? found[2] ?? '').split(/[,，、]/).map(Number);
    pieces.push({ raw: found[0], numbers: [...new Set(numbers)] });
    end = found.index + found[0].length;
  }
  if (end < text.length) pieces.push(text.slice(end));
  return pieces;
}

/** The numbers that a text points to. */
export function citedNumbers(text: string): Set<number> {
  const marks = splitCitationMarks(text).filter((piece) => typeof piece !== 'string');
  return new Set(marks.flatMap(({ numbers }) => numbers));
}
