import type { CSSProperties } from 'react';
import type { MathTree } from './math-spaces.ts';

const sides = new Set(['left', 'center', 'right']);
const lines = new Set(['solid', 'dashed']);
const fillers = new Set(['mtr-glue', 'mml-eqn-num']);
const em = /^(\d+(?:\.\d+)?)em$/;

/**
 * How the cells of a table are aligned, spaced and ruled: browsers no longer read that from the attributes of the table.
 * Cells that KaTeX only fills a line with are not in it and are left out.
 */
export function cellLooks({
  attributes = {},
  children = [],
}: MathTree): Map<MathTree, CSSProperties> {
  const align = listOf(attributes['columnalign']).filter((side) => sides.has(side));
  const spaces = listOf(attributes['columnspacing']).map((space) =>
    Number(em.exec(space)?.[1] ?? 0),
  );
  const columnLines = listOf(attributes['columnlines']);
  const rowLines = listOf(attributes['rowlines']);
  const looks = new Map<MathTree, CSSProperties>();
  for (const [row, { children: all = [] }] of children.entries()) {
    const cells = all.filter((cell) => !isFiller(cell));
    for (const [column, cell] of cells.entries()) {
      const isLast = column === cells.length - 1;
      looks.set(cell, {
        textAlign: sideOf(at(align, column) ?? 'center'),
        paddingLeft: `${column === 0 ? 0 : (at(spaces, column - 1) ?? 1) / 2}em`,
        paddingRight: `${isLast ? 0 : (at(spaces, column) ?? 1) / 2}em`,
        ...(!isLast && lineOf('borderRight', at(columnLines, column))),
        ...(row < children.length - 1 && lineOf('borderBottom', at(rowLines, row))),
      });
    }
  }
  return looks;
}

/** Whether a cell is there only to push a formula to the middle, or for a number that it does not have. */
function isFiller({ classes = [], children = [] }: MathTree): boolean {
  return children.length === 0 && classes.some((one) => fillers.has(one));
}

function listOf(value: unknown): string[] {
  return typeof value === 'string' ? value.split(/\s+/) : [];
}

/** What is in a cell counts as a block to browsers, which only these values move. */
function sideOf(side: string): CSSProperties['textAlign'] {
  return `-webkit-${side}` as CSSProperties['textAlign'];
}

/** What stands for a column or row; the last of a list stands for all that follow. */
function at<T>(list: T[], index: number): T | undefined {
  return list[Math.min(index, list.length - 1)];
}

function lineOf(side: 'borderRight' | 'borderBottom', line: string | undefined): CSSProperties {
  return line !== undefined && lines.has(line) ? { [side]: `1px ${line}` } : {};
}
