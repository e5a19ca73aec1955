import type { ErrorInfo } from '../errors/errors.ts';
import { type SaidAs } from '../errors/sentence.ts';
import type { JsonObject } from './json.ts';
import type { Origin } from './origin.ts';
import type {
  AskReason,
  BlobRef,
  CallReach,
  ToolCallState,
  ToolProgress,
  ToolResult,
} from './tool.ts';
import type { Usage } from './usage.ts';

export const blockTypes = [
  'main_text',
  'thinking',
  'translation',
  'image',
  'code',
  'tool',
  'file',
  'video',
  'error',
  'citation',
  'compact',
  'unknown',
] as const;
export type BlockType = (typeof blockTypes)[number];

export const blockStatuses = [
  'pending',
  'processing',
  'streaming',
  'success',
  'error',
  'paused',
  'cancelled',
  'interrupted',
] as const;
export type BlockStatus = (typeof blockStatuses)[number];

/** A block with such a status may still change. `paused` is open for a parked tool call only. */
const openStatuses: ReadonlySet<BlockStatus> = new Set(['pending', 'processing', 'streaming']);

/** A numbered source; numbers run through the whole answer. */
export interface Citation {
  number: number;
  url?: string;
  title?: string;
  snippet?: string;
}

interface BlockBase {
  id: string;
  messageId: string;
  /** The order in which blocks of the answer began; given once. */
  ordinal: number;
  status: BlockStatus;
  /** The text of the block; for a tool, its arguments as the model is still writing them. */
  content: string;
  /** Which model request of the answer produced it. */
  round: number;
  startedAt: number;
  endedAt?: number | undefined;
}

export interface TextBlock extends BlockBase {
  type: 'main_text';
  /** What the vendor attached to the text and wants back, untouched. */
  signature?: string | undefined;
  /** Where untrusted words in it came from, which a person quoted. */
  origins?: Origin[];
}
/** The text of its message in another language; models never see it. */
export interface TranslationBlock extends BlockBase {
  type: 'translation';
  /** As BCP 47 writes it. */
  language: string;
  /** `provider/model` of who translated. */
  model: string;
  usage?: Usage;
  error?: ErrorInfo;
}
/** A summary that stands for the conversation up to a place; with status `error`, a note instead of it. */
export interface CompactBlock extends BlockBase {
  type: 'compact';
  /** The last message it stands for; with `round`, only up to that round of the answer. */
  through: { messageId: string; round?: number | undefined };
  /** How many messages it stands for, wholly or in part. */
  messageCount: number;
  /** Where in the text the note begins, and by what it is known. */
  note?: { at: number; said: SaidAs };
  /** Where untrusted words in it came from, if what it stands for does not tell. */
  origins?: Origin[];
}
export interface ThinkingBlock extends BlockBase {
  type: 'thinking';
  /** What the vendor wants back with the thinking, untouched. */
  signature?: string | undefined;
}
export interface CodeBlock extends BlockBase {
  type: 'code';
  language?: string;
}
/** Media: inline base64 `data`, or `stored`. */
export interface MediaBlock extends BlockBase {
  type: 'image' | 'file' | 'video';
  name?: string | undefined;
  mimeType?: string | undefined;
  data?: string | undefined;
  stored?: BlobRef | undefined;
  /** What the vendor attached to what it made and wants back, untouched. */
  signature?: string | undefined;
  /** Where untrusted words in it came from. */
  origins?: Origin[];
}
export interface ErrorBlock extends BlockBase {
  type: 'error';
  error: ErrorInfo;
}
export interface CitationBlock extends BlockBase {
  type: 'citation';
  citations: Citation[];
  /** The tool block the sources came from, if any. */
  toolBlockId?: string | undefined;
}
export interface ToolBlock extends BlockBase {
  type: 'tool';
  toolCallId: string;
  /** The vendor's id; may repeat from round to round. */
  callId: string;
  serverId: string;
  serverName: string;
  toolName: string;
  /** The name the model used. */
  modelToolName: string;
  title?: string;
  /** Who ran it, where that was the vendor of the model itself. */
  vendor?: string;
  arguments: JsonObject;
  argsHash?: string;
  state: ToolCallState;
  /** How far the call came, once it has ended; absent where an earlier version recorded it. */
  reach?: CallReach | undefined;
  /** What the model had asked for, where a person changed the arguments. */
  proposedArguments?: JsonObject;
  /** The result comes from an untrusted source: what follows from it is asked about. */
  untrusted?: true;
  /** Set while a person must decide: why. */
  approval?: AskReason;
  progress?: ToolProgress;
  result?: ToolResult | undefined;
  error?: ErrorInfo;
  /** What the vendor attached to the call and wants back, untouched. */
  signature?: string;
}
/** A block of a type this version does not know; kept, shown as such. */
export interface UnknownBlock extends BlockBase {
  type: 'unknown';
}

export type Block =
  | TextBlock
  | TranslationBlock
  | CompactBlock
  | ThinkingBlock
  | CodeBlock
  | MediaBlock
  | ErrorBlock
  | CitationBlock
  | ToolBlock
  | UnknownBlock;

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

/** How far such a call came. */
export const cutToolReach = {
  cancelled: 'never-left',
  outcome_unknown: 'left',
} as const satisfies Partial<Record<ToolCallState, CallReach>>;

/** Whether a block can still change. */
export function isBlockOpen(block: Block): boolean {
  return (
    openStatuses.has(block.status) ||
    (block.type === 'tool' && block.status === 'paused' && block.state === 'parked')
  );
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
