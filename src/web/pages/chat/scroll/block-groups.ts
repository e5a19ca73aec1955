import type { Block } from '#shared/vocabulary/block.ts';
import type { Message } from '#shared/vocabulary/message.ts';

/** Blocks that are drawn and let go together. */
export interface BlockGroup {
  /** Stays the same when earlier blocks are put in front. */
  key: number;
  blocks: Block[];
}

const groupSize = 8;

/** Divides the blocks of a long answer by their ordinals, so that the bounds never move. */
export function divideBlocks(blocks: Block[]): BlockGroup[] {
  const groups: BlockGroup[] = [];
  for (const block of blocks) {
    const key = groupOf(block.ordinal);
    const last = groups.at(-1);
    if (last?.key === key) last.blocks.push(block);
    else groups.push({ key, blocks: [block] });
  }
  return groups;
}

/** The name of the place a group is drawn in, unique in its message. */
export function groupName(key: number): string {
  return `blocks ${key}`;
}

/** The key of the group that a block belongs to. */
export function groupOf(ordinal: number): number {
  return Math.floor(ordinal / groupSize);
}

/** The name of the place a message is drawn in. */
export function messageName(messageId: string): string {
  return `message ${messageId}`;
}

/** Whether an answer is long enough to be drawn in groups. */
export function isLong(blocks: Block[]): boolean {
  return blocks.length > 2 * groupSize;
}

const gapPx = 16;

/** About how high blocks will be, in pixels: good enough for a scroll bar. */
export function estimateBlocks(blocks: Block[]): number {
  let height = 0;
  for (const { type, content } of blocks) {
    const isText = type === 'main_text' || type === 'code' || type === 'translation';
    height += (isText ? 27 * Math.ceil((content.length + 1) / 88) : 44) + gapPx;
  }
  return Math.max(0, height - gapPx);
}

/** About how high a message will be, in pixels. */
export function estimateMessage({ role, blocks }: Message): number {
  return estimateBlocks(blocks) + (role === 'user' ? 56 : 44);
}
