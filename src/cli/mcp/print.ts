import { styleText } from 'node:util';
import type { ServerView } from '#shared/api.ts';
import type { ServerState } from '#shared/server.ts';
import { terminalLine } from '../terminal-text.ts';

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const widest = 60;

/** The API's answer as it is. JSON has no raw control characters, so nothing can reach the terminal. */
export function printJson(value: unknown): void {
  const text = JSON.stringify(value, null, 2);
  process.stdout.write(`${text.replaceAll(/[\u007f-\u009f]|\p{Bidi_Control}/gu, escape)}\n`);
}

export function printLine(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Rows in columns; what is too long is cut, except in the last one. */
export function printTable(head: string[], rows: string[][]): void {
  const cells = rows.map((row) => row.map(terminalLine));
  const widths = head.map((title, column) => {
    const all = cells.map((row) => widthOf(row[column] ?? ''));
    return Math.min(widest, Math.max(widthOf(title), ...all));
  });
  const toLine = (row: string[]) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : pad(cell, widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  if (rows.length === 0) return printLine(dim('None.'));
  printLine(dim(toLine(head)));
  for (const row of cells) printLine(toLine(row));
}

export function dim(text: string): string {
  return styleText('dim', text, { stream: process.stdout });
}

export function bold(text: string): string {
  return styleText('bold', text, { stream: process.stdout });
}

/** A state in its colour. */
export function colouredState(state: ServerState): string {
  const colours = {
    connected: 'green',
    failed: 'red',
    'needs-auth': 'yellow',
    draft: 'yellow',
    reconnecting: 'yellow',
    connecting: 'cyan',
    idle: 'dim',
    disabled: 'dim',
  } as const;
  return styleText(colours[state], state, { stream: process.stdout });
}

/** A server's state on one line, with its reason. */
export function printState({ name, state, reason }: ServerView): void {
  const why = reason ? `: ${terminalLine(reason)}` : '.';
  printLine(`${terminalLine(name)} is ${colouredState(state)}${why}`);
}

/** A time span as people say it. */
export function span(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}

function escape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function pad(text: string, width: number): string {
  let kept = '';
  for (const character of text) {
    if (widthOf(kept) + widthOf(character) > width - 1 && widthOf(text) > width) {
      kept += '…';
      break;
    }
    kept += character;
  }
  return kept + ' '.repeat(Math.max(0, width - widthOf(kept)));
}

/** Characters of East Asia are two places wide. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += wide.test(character) ? 2 : 1;
  return width;
}
