import type { z } from 'zod';
import type { blockSchema } from './block-schema.ts';
import type { CallReach, ToolCallState } from './tool.ts';

export type Block = z.infer<typeof blockSchema>;
export type BlockType = Block['type'];
export type BlockStatus = Block['status'];
export type BlockOf<Type extends BlockType> = Extract<Block, { type: Type }>;

export type TextBlock = BlockOf<'main_text'>;
export type TranslationBlock = BlockOf<'translation'>;
export type CompactBlock = BlockOf<'compact'>;
export type ThinkingBlock = BlockOf<'thinking'>;
export type CodeBlock = BlockOf<'code'>;
export type MediaBlock = BlockOf<'image' | 'file' | 'video'>;
export type ErrorBlock = BlockOf<'error'>;
export type CitationBlock = BlockOf<'citation'>;
export type ToolBlock = BlockOf<'tool'>;
export type Citation = CitationBlock['citations'][number];

/** A block with such a status may still change. `paused` is open for a parked tool call only. */
const openStatuses: ReadonlySet<BlockStatus> = new Set(['pending', 'processing', 'streaming']);

/** The one table from a call's state to its block's status. */
export const toolBlockStatus: Record<ToolCallState, BlockStatus> = {
  proposed: 'pending',
  approved: 'processing',
  dispatching: 'processing',
  parked: 'paused',
  succeeded: 'success',
  failed: 'error',
  timed_out: 'error',
  denied: 'error',
  outcome_unknown: 'error',
  cancelled: 'cancelled',
};

/** What an open call is when its answer ends before it, in its row and its block: one that was sent may have happened. */
export const cutToolState = {
  proposed: 'cancelled',
  approved: 'cancelled',
  dispatching: 'outcome_unknown',
  parked: 'outcome_unknown',
} as const satisfies Partial<Record<ToolCallState, ToolCallState>>;

export const openToolStates = Object.keys(cutToolState) as (keyof typeof cutToolState)[];

/** How far such a call came. */
export const cutToolReach = {
  cancelled: 'never-left',
  outcome_unknown: 'left',
} as const satisfies Partial<Record<ToolCallState, CallReach>>;

/** Whether a block can still change. */
export function isBlockOpen({
  status,
  state,
}: Pick<Block, 'status'> & { state?: ToolCallState }): boolean {
  return openStatuses.has(status) || (status === 'paused' && state === 'parked');
}

/** The type of block that shows a medium. */
export function mediaBlockType(mimeType: string): MediaBlock['type'] {
  const [family] = mimeType.split('/');
  return family === 'image' || family === 'video' ? family : 'file';
}

/** A tool that the vendor ran by itself: it has no result of ours to go with it. */
export function isVendorRun(block: ToolBlock): boolean {
  if (block.vendor !== undefined) return true;
  // Searches of before that was written down.
  if (block.serverId !== '' || block.result) return false;
  return (
    block.state === 'dispatching' || block.state === 'succeeded' || block.state === 'cancelled'
  );
}
