import type { ErrorInfo } from '../errors/errors.ts';
import { type SaidAs } from '../errors/sentence.ts';
import type { Block, BlockStatus, Citation, CompactBlock } from './block.ts';
import type { JsonObject } from './json.ts';
import type { Conversation, Message, Retry, Topic } from './message.ts';
import type {
  AskReason,
  BlobRef,
  CallReach,
  ToolCallState,
  ToolProgress,
  ToolResult,
} from './tool.ts';
import type { Usage } from './usage.ts';

/**
 * Fields of a block that may change after its start; identity, order and text may not. Null removes
 * a field. A patch of `state` brings the block's status with it.
 */
export interface BlockPatch {
  status?: BlockStatus;
  /** A call starts when it is sent, not when it was proposed. */
  startedAt?: number;
  usage?: Usage | undefined;
  signature?: string | undefined;
  name?: string | undefined;
  mimeType?: string | undefined;
  data?: string | undefined;
  stored?: BlobRef | undefined;
  citations?: Citation[];
  note?: CompactBlock['note'];
  modelToolName?: string;
  toolName?: string;
  serverId?: string;
  serverName?: string;
  title?: string;
  toolCallId?: string;
  arguments?: JsonObject;
  argsHash?: string;
  proposedArguments?: JsonObject;
  untrusted?: true;
  state?: ToolCallState | undefined;
  reach?: CallReach | undefined;
  approval?: AskReason | null;
  progress?: ToolProgress | null;
  result?: ToolResult | undefined;
  error?: ErrorInfo | undefined;
}

/** Fields of a topic that may change. Null removes an override. */
export type TopicPatch = {
  [Field in keyof Omit<Topic, 'id' | 'isLoading' | 'createdAt' | 'activeLeafId'>]?:
    | Topic[Field]
    | null
    | undefined;
} & { activeLeafId?: string | undefined };

/**
 * The only way state changes. Every durable event has the `seq` of its topic; a `block-delta`
 * without one is provisional: shown at once, covered later by a durable delta of the same text.
 */
export type EventBody =
  /** A whole user message, or an answer that begins (no blocks yet). Becomes the active leaf. */
  | { type: 'message-start'; messageId: string; message: Message }
  | { type: 'block-start'; messageId: string; blockId: string; block: Block }
  /** `content = content[0, offset) + text`, unless the text ends at or before the present length. */
  | { type: 'block-delta'; messageId: string; blockId: string; offset: number; text: string }
  | { type: 'block-update'; messageId: string; blockId: string; patch: BlockPatch }
  /** The content is cut to `length`; the block never changes again. */
  | {
      type: 'block-end';
      messageId: string;
      blockId: string;
      status: BlockStatus;
      length: number;
      at: number;
      patch?: BlockPatch;
    }
  | {
      type: 'message-end';
      messageId: string;
      status: 'success' | 'error' | 'stopped';
      at: number;
      usage?: Usage | undefined;
      error?: ErrorInfo | undefined;
    }
  /** The model is asked again, for want of an answer; null: that is over. The next block ends it, too. */
  | { type: 'message-retry'; messageId: string; retry: Retry | null }
  /** A message that had ended is translated, up to the `message-end` that repeats how it ended. */
  | { type: 'message-reopen'; messageId: string }
  /** Messages are gone with all that hung below them; another branch is shown if it was theirs. */
  | { type: 'messages-delete'; messageIds: string[]; activeLeafId: string | null }
  | { type: 'topic-update'; patch: TopicPatch }
  | { type: 'topic-delete' }
  /** Replaces everything: sent when a cursor cannot be served from the journal. */
  | { type: 'snapshot'; conversation: Conversation };

export type Event = EventBody & { seq?: number };

/** A numbered, committed event. */
export type DurableEvent = EventBody & { seq: number };

/** Which call, and of what. */
interface CallFacts {
  toolCallId: string;
  topicId?: string | undefined;
  serverId: string;
  toolName: string;
}

/** What the stream of the whole host says: lists, marks and states, without history. */
export type HostEvent =
  | { type: 'topic-changed'; topic: Topic }
  | { type: 'topic-deleted'; topicId: string }
  | {
      type: 'server-changed';
      serverId: string;
      state: string;
      reason?: string;
      reasonSaid?: SaidAs;
      reasonCode?: string;
      since: number;
      retryAt?: number;
    }
  /** A server wrote into its log, which is read apart. */
  | { type: 'server-logged'; serverId: string }
  | ({ type: 'tool-call-waiting' } & CallFacts)
  | ({ type: 'tool-call-decided' } & CallFacts)
  /** A server asks something; what it asks is read with the list of open inputs. */
  | { type: 'input-requested'; inputId: string; serverId: string; topicId?: string | undefined }
  /** It was answered, or is no longer wanted. */
  | { type: 'input-answered'; inputId: string; serverId: string; topicId?: string | undefined };
