import type { z } from 'zod';
import type { blockSchema } from './block-schema.ts';
import type { CallReach, ToolCallState } from './tool.ts';

/** One piece of a message, in the order in which it began; its `type` says what it holds. */
export type Block = z.infer<typeof blockSchema>;
/** What a block can be. */
export type BlockType = Block['type'];
/** How far a block has come. */
export type BlockStatus = Block['status'];
/** The blocks of one type. */
export type BlockOf<Type extends BlockType> = Extract<Block, { type: Type }>;

/** The model's text, or what a person wrote. */
export type TextBlock = BlockOf<'main_text'>;
/** A translation of the message. */
export type TranslationBlock = BlockOf<'translation'>;
/** A summary that stands for what came before it. */
export type CompactBlock = BlockOf<'compact'>;
/** The model's thinking, as far as its vendor shows it. */
export type ThinkingBlock = BlockOf<'thinking'>;
/** Code that ran, or is to be shown as such. */
export type CodeBlock = BlockOf<'code'>;
/** An image, a file or a video: as base64 `data`, or `stored`. */
export type MediaBlock = BlockOf<'image' | 'file' | 'video'>;
/** A failure, with its cause. */
export type ErrorBlock = BlockOf<'error'>;
/** Sources, numbered through the answer. */
export type CitationBlock = BlockOf<'citation'>;
/** A tool call: its arguments, its state, its result. */
export type ToolBlock = BlockOf<'tool'>;
/** One numbered source. */
export type Citation = CitationBlock['citations'][number];

/** The types of blocks as values. Without the schema, so that nothing has to load it. */
export const BlockTypes = {
  main_text: 'main_text',
  thinking: 'thinking',
  translation: 'translation',
  image: 'image',
  code: 'code',
  tool: 'tool',
  file: 'file',
  video: 'video',
  error: 'error',
  citation: 'citation',
  compact: 'compact',
  unknown: 'unknown',
} as const satisfies { readonly [T in BlockType]: T };

/** The statuses of blocks as values. */
export const BlockStatuses = {
  pending: 'pending',
  processing: 'processing',
  streaming: 'streaming',
  success: 'success',
  error: 'error',
  paused: 'paused',
  cancelled: 'cancelled',
  interrupted: 'interrupted',
} as const satisfies { readonly [S in BlockStatus]: S };

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

const mediaTypes: Record<MediaBlock['type'], true> = { image: true, file: true, video: true };

/** Whether a block is a medium. */
export function isMediaBlock<Any extends Pick<Block, 'type'>>(
  block: Any,
): block is Extract<Any, Pick<MediaBlock, 'type'>> {
  return Object.hasOwn(mediaTypes, block.type);
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
