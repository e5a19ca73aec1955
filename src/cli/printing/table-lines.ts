import { widthOf } from '../terminal/text-width.ts';
import { paintInline, plainInline } from './inline-text.ts';
import type { Painter } from './painter.ts';
import { wrapLine } from './word-wrap.ts';

const leastWidth = 4;
type Align = 'left' | 'center' | 'right';

/** Whether a line can be a row of a table. */
export function isTableRow(line: string): boolean {
  return /^\s{0,3}\|/.test(line);
}

/** A table as the rows of a terminal, or undefined if these lines are none. Long cells are wrapped. */
export function tableLines(
  source: readonly string[],
  columns: number,
  painter: Painter,
): string[] | undefined {
  const [head, rule, ...body] = source.map(cellsOf);
  if (!head || !rule?.every((cell) => /^:?-+:?$/.test(cell))) return undefined;
  const aligns = rule.map(alignOf);
  const rows = [head, ...body];
  const widths = fit(
    head.map((_, at) => Math.max(1, ...rows.map((row) => widthOf(plainInline(row[at] ?? ''))))),
    columns - 3 * (head.length - 1),
  );
  const line = (row: string[], look: 'bold' | undefined) =>
    layRow(row, widths, aligns, (text) => paintInline(text, painter, look ? [look] : []));
  const separator = painter(widths.map((width) => '─'.repeat(width)).join('─┼─'), ['dim']);
  return [...line(head, 'bold'), separator, ...body.flatMap((row) => line(row, undefined))];
}

function cellsOf(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll(String.raw`\|`, '|'));
}

function alignOf(rule: string): Align {
  if (!rule.endsWith(':')) return 'left';
  return rule.startsWith(':') ? 'center' : 'right';
}

/** Takes from the widest columns until the table fits, as far as columns may shrink. */
function fit(widths: number[], room: number): number[] {
  const result = [...widths];
  for (;;) {
    const over = result.reduce((sum, width) => sum + width, 0) - room;
    const widest = Math.max(...result);
    if (over <= 0 || widest <= leastWidth) return result;
    const next = Math.max(leastWidth, ...result.filter((width) => width < widest));
    const count = result.filter((width) => width === widest).length;
    const target = Math.max(next, Math.floor(widest - over / count), leastWidth);
    const goal = target === widest ? widest - 1 : target;
    result.forEach((width, at) => (result[at] = width === widest ? goal : width));
  }
}

function layRow(
  row: string[],
  widths: number[],
  aligns: Align[],
  paint: (text: string) => string,
): string[] {
  const cells = widths.map((width, at) => wrapCell(row[at] ?? '', width));
  const height = Math.max(...cells.map(({ length }) => length));
  return Array.from({ length: height }, (_, at) =>
    cells
      .map((lines, column) => pad(lines[at] ?? '', widths[column] ?? 0, aligns[column], paint))
      .join(' │ ')
      .trimEnd(),
  );
}

/** A cell keeps its marks where it fits; where it is wrapped, only its words. */
function wrapCell(text: string, width: number): string[] {
  const plain = plainInline(text);
  return widthOf(plain) <= width ? [text] : wrapLine(plain, width);
}

function pad(
  text: string,
  width: number,
  align: Align | undefined,
  paint: (text: string) => string,
): string {
  const space = Math.max(0, width - widthOf(plainInline(text)));
  const left = align === 'right' ? space : align === 'center' ? Math.floor(space / 2) : 0;
  return `${' '.repeat(left)}${paint(text)}${' '.repeat(space - left)}`;
}
