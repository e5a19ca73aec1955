import type { Block } from '#shared/vocabulary/block.ts';
import type { Message } from '#shared/vocabulary/message.ts';

/** Blocks that are drawn and let go together. */
export interface Stretch {
  /** Stays the same when earlier blocks are put in front. */
  key: number;
  blocks: Block[];
}

const stretchSize = 8;

/** Divides the blocks of a long answer by their ordinals, so that the bounds never move. */
export function divideBlocks(blocks: Block[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const block of blocks) {
    const key = stretchOf(block.ordinal);
    const last = stretches.at(-1);
    if (last?.key === key) last.blocks.push(block);
    else stretches.push({ key, blocks: [block] });
  }
  return stretches;
}

/** The name of the place a stretch is drawn in, unique in its message. */
export function stretchName(key: number): string {
  return `blocks ${key}`;
}

/** The key of the stretch that a block belongs to. */
export function stretchOf(ordinal: number): number {
  return Math.floor(ordinal / stretchSize);
}

/** The name of the place a message is drawn in. */
export function messageName(messageId: string): string {
  return `message ${messageId}`;
}

/** Whether an answer is long enough to be drawn in stretches. */
export function isLong(blocks: Block[]): boolean {
  return blocks.length > 2 * stretchSize;
}

const gap = 16;

/** About how high blocks will be, in pixels: good enough for a scroll bar. */
export function estimateBlocks(blocks: Block[]): number {
  let height = 0;
  for (const { type, content } of blocks) {
    const isText = type === 'main_text' || type === 'code' || type === 'translation';
    height += (isText ? 27 * Math.ceil((content.length + 1) / 88) : 44) + gap;
  }
  return Math.max(0, height - gap);
}

/** About how high a message will be, in pixels. */
export function estimateMessage({ role, blocks }: Message): number {
  return estimateBlocks(blocks) + (role === 'user' ? 56 : 44);
}
