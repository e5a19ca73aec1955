const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const tabStop = 8;

/** Drawn on the letter before them, or not at all; the later parts of a letter of Korean too. */
const zeroWidth = /(?!\u00ad)[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]/u;
const regional = /\p{Regional_Indicator}/u;
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The letters of a text, each with the marks that are drawn on it. */
export function* lettersOf(text: string): Generator<string> {
  if (/^[\n\x20-\x7e]*$/.test(text)) yield* text;
  else for (const { segment } of graphemes.segment(text)) yield segment;
}

/** How many places of a terminal a text takes; characters of East Asia take two. */
export function widthOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const letter of lettersOf(text)) width += letterWidth(letter);
  return width;
}

function letterWidth(letter: string): number {
  let width = 0;
  for (const character of letter) {
    if (zeroWidth.test(character)) continue;
    width += wide.test(character) && !regional.test(character) ? 2 : 1;
  }
  // Pictures that are joined are drawn as one.
  return letter.includes('\u200d') ? Math.min(width, 2) : width;
}

/** The beginning of a text that fits into so many columns. */
export function cutToWidth(text: string, columns: number): string {
  let [line, width] = ['', 0];
  for (const letter of lettersOf(text)) {
    width += letterWidth(letter);
    if (width > columns) return line;
    line += letter;
  }
  return line;
}

/** A text as the rows that a terminal of so many columns draws for it. */
export function screenRows(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => {
    const rows: string[] = [];
    let row = '';
    let width = 0;
    for (const letter of lettersOf(line)) {
      const next = letter === '\t' ? tabStop - (width % tabStop) : letterWidth(letter);
      if (width + next > columns) {
        rows.push(row);
        [row, width] = ['', 0];
      }
      row += letter;
      width += next;
    }
    return [...rows, row];
  });
}
