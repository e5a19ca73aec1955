const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const tabStop = 8;

/** How many places of a terminal a text takes; characters of East Asia take two. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += wide.test(character) ? 2 : 1;
  return width;
}

/** A text as the rows that a terminal of so many columns draws for it. */
export function screenRows(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => {
    const rows: string[] = [];
    let row = '';
    let width = 0;
    for (const character of line) {
      const next = character === '\t' ? tabStop - (width % tabStop) : widthOf(character);
      if (width + next > columns) {
        rows.push(row);
        [row, width] = ['', 0];
      }
      row += character;
      width += next;
    }
    return [...rows, row];
  });
}
