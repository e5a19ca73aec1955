import { lettersOf, widthOf } from '../terminal/text-width.ts';
import type { Draft } from './draft.ts';

/** A draft as rows of the screen, and where the cursor is in them. */
export interface DraftRows {
  rows: string[];
  row: number;
  column: number;
}

/** Lays a draft out behind its prompt; further lines stand below the first letter. */
export function draftRows({ text, cursor }: Draft, prompt: string, columns: number): DraftRows {
  const indent = ' '.repeat(widthOf(prompt));
  const rows = [prompt];
  let width = indent.length;
  let place = { row: 0, column: width };
  let at = 0;
  const nextRow = () => {
    rows.push(indent);
    width = indent.length;
  };
  for (const letter of lettersOf(text)) {
    const wide = letter === '\n' ? 0 : widthOf(letter);
    if (width + wide >= columns) nextRow();
    if (at <= cursor) place = { row: rows.length - 1, column: width };
    if (letter === '\n') nextRow();
    else {
      rows[rows.length - 1] += letter;
      width += wide;
    }
    at += letter.length;
  }
  if (at === cursor) place = { row: rows.length - 1, column: width };
  return { rows, ...place };
}

/** The rows around the cursor that fit on a screen of so many. */
export function visibleRows(all: DraftRows, screen: number): DraftRows {
  const most = Math.max(1, screen - 1);
  if (all.rows.length <= most) return all;
  const first = Math.min(Math.max(0, all.row - most + 1), all.rows.length - most);
  return { ...all, rows: all.rows.slice(first, first + most), row: all.row - first };
}
