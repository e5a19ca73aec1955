import { styleText } from 'node:util';
import { comparedText, compareVersions } from '#client/conversation/compare-versions.ts';
import { say } from '#shared/errors/sentence.ts';
import type { Block } from '#shared/vocabulary/block.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import { tell } from '../messages/tell.ts';
import type { Io } from '../terminal/io.ts';
import { terminalText } from '../terminal/terminal-text.ts';
import { dim, padded, printLine } from './print.ts';
import { wrapLine } from './word-wrap.ts';

const usualColumns = 100;
const mostColumns = 200;
const gap = ' │ ';

/** Two versions of an answer next to each other, step by step; rows that differ are marked. */
export function printSideBySide(io: Io, left: Message, right: Message): void {
  const { columns } = io.stdout as { columns?: number };
  const width = Math.floor((Math.min(columns || usualColumns, mostColumns) - gap.length) / 2);
  const rowsOf = (blocks: Block[]) =>
    blocks
      .flatMap((block) => terminalText(comparedText(block)).trim().split('\n'))
      .flatMap((line) => wrapLine(line, width));
  printRow(io, [left.model ?? ''], [right.model ?? ''], width);
  for (const { step, ...blocks } of compareVersions(left, right)) {
    printLine(io, dim(io, tell(say('cli-step')`Step ${step}`)));
    printRow(io, rowsOf(blocks.left), rowsOf(blocks.right), width);
  }
}

function printRow(io: Io, left: string[], right: string[], width: number): void {
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const [one = '', other = ''] = [left[at], right[at]];
    const row = `${padded(one, width)}${gap}${other}`.trimEnd();
    printLine(io, one === other ? row : styleText('yellow', row, { stream: io.stdout }));
  }
}
