import { type Block, isMediaBlock } from '#shared/vocabulary/block.ts';
import type { Message } from '#shared/vocabulary/message.ts';

/** A step of two versions of an answer, side by side. */
export interface ComparedStep {
  /** From 1. */
  step: number;
  left: Block[];
  right: Block[];
}

/** Two versions of an answer, step by step. */
export function compareVersions(
  left: Pick<Message, 'blocks'>,
  right: Pick<Message, 'blocks'>,
): ComparedStep[] {
  const steps = Math.max(stepsOf(left), stepsOf(right));
  return Array.from({ length: steps }, (_, round) => ({
    step: round + 1,
    left: blocksOf(left.blocks, round),
    right: blocksOf(right.blocks, round),
  }));
}

/** Whether both say and call the same everywhere. */
export function isSameThroughout(steps: readonly ComparedStep[]): boolean {
  return steps.every(
    ({ left, right }) =>
      left.length === right.length && left.every((block, at) => isSameBlock(block, right[at])),
  );
}

/** Whether two blocks say or call the same. */
export function isSameBlock(left: Block | undefined, right: Block | undefined): boolean {
  if (!left || !right) return left === right;
  return comparedText(left) === comparedText(right);
}

/** How many steps an answer has. */
export function stepsOf({ blocks }: Pick<Message, 'blocks'>): number {
  return Math.max(0, ...blocks.map(({ round }) => round)) + 1;
}

function blocksOf(blocks: readonly Block[], round: number): Block[] {
  return blocks.filter((block) => block.round === round && block.type !== 'translation');
}

/** What a block says or calls, as one text. */
export function comparedText(block: Block): string {
  switch (block.type) {
    case 'tool': {
      const { toolName, arguments: args, state } = block;
      const call = `▸ ${toolName} ${JSON.stringify(args)}`;
      return state === 'succeeded' ? call : `${call}: ${state}`;
    }
    case 'error':
      return `✗ ${block.error.message}`;
    default:
      return isMediaBlock(block)
        ? `[${block.name ?? block.mimeType ?? block.type}]`
        : block.content.trim();
  }
}
