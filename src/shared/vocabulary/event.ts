import type { SentenceRef } from '../errors/sentence.ts';
import type { Block, BlockOf, BlockStatus, BlockType, ToolBlock } from './block.ts';
import type { Conversation, Message, ModelRequestRecord, Retry, Topic } from './message.ts';
import type { ServerFix } from './server.ts';
import type { Usage } from './usage.ts';

/** What may change after a block has begun, by its type; identity, order and text may not. */
interface BlockChanges {
  main_text: Changes<'main_text', 'signature'>;
  thinking: Changes<'thinking', 'signature'>;
  translation: Changes<'translation', 'usage' | 'error'>;
  image: Changes<'image', 'mimeType' | 'data' | 'stored' | 'signature'>;
  compact: Changes<'compact', 'note'>;
  tool: ToolChanges & {
    approval?: ToolBlock['approval'] | null;
    progress?: ToolBlock['progress'] | null;
  };
}
type Changes<Type extends BlockType, Field extends keyof BlockOf<Type>> = {
  [F in Field]?: BlockOf<Type>[F] | undefined;
};
type ToolChanges = Changes<
  'tool',
  | 'modelToolName'
  | 'toolName'
  | 'serverId'
  | 'serverName'
  | 'title'
  /** A call starts when it is sent, not when it was proposed. */
  | 'startedAt'
  | 'arguments'
  | 'argsHash'
  | 'proposedArguments'
  | 'untrusted'
  | 'state'
  | 'reach'
  | 'result'
  | 'error'
  | 'signature'
>;
export type ChangingType = keyof BlockChanges;
type ChangingField = { [T in ChangingType]: keyof BlockChanges[T] }[ChangingType];

/**
 * A change of a block of one type: it has no field of another type. Null removes a field. A patch of
 * `state` brings the block's status with it.
 */
export type BlockPatch<Type extends ChangingType = ChangingType> = {
  [T in Type]: BlockChanges[T] & { [F in Exclude<ChangingField, keyof BlockChanges[T]>]?: never };
}[Type];

/** Fields of a topic that may change. Null removes an override. */
export type TopicPatch = {
  [Field in keyof Omit<Topic, 'id' | 'isLoading' | 'createdAt' | 'activeLeafId'>]?:
    | Topic[Field]
    | null
    | undefined;
} & { activeLeafId?: string | undefined };

/** What a person may change of a topic. They say that it is pinned, the host since when. */
export type TopicChange = Omit<TopicPatch, 'pinnedAt' | 'archived' | 'forkedFrom'> & {
  pinned?: boolean | undefined;
  archived?: boolean | undefined;
};

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
    }
  /** The model is asked again, for want of an answer; null: that is over. The next block ends it, too. */
  | { type: 'message-retry'; messageId: string; retry: Retry | null }
  /** A request to the model of the answer has ended. */
  | { type: 'model-end'; messageId: string; request: ModelRequestRecord }
  /** A message that had ended is translated, up to the `message-end` that repeats how it ended. */
  | { type: 'message-reopen'; messageId: string }
  /** Messages are gone with all that hung below them; another branch is shown if it was theirs. */
  | { type: 'messages-delete'; messageIds: string[]; activeLeafId: string | null }
  | { type: 'topic-update'; patch: TopicPatch }
  | { type: 'topic-delete' }
  /** Replaces everything: sent when a cursor cannot be served from the journal. */
  | { type: 'snapshot'; conversation: Conversation };

/** What happens in a topic; provisional events have no `seq`. */
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
      reasonSaid?: SentenceRef;
      reasonCode?: string;
      since: number;
      retryAt?: number;
      output?: string;
      fix?: ServerFix;
    }
  /** A server wrote into its log, which is read apart. */
  | { type: 'server-logged'; serverId: string }
  /** Somebody removed it, here or elsewhere. */
  | { type: 'server-removed'; serverId: string }
  | ({ type: 'tool-call-waiting' } & CallFacts)
  | ({ type: 'tool-call-decided' } & CallFacts)
  /** Somebody asked the admins to install a server, or they decided on it; the requests are read apart. */
  | { type: 'install-requests-changed' }
  /** A server asks something; what it asks is read with the list of open inputs. */
  | { type: 'input-requested'; inputId: string; serverId: string; topicId?: string | undefined }
  /** It was answered, or is no longer wanted. */
  | { type: 'input-answered'; inputId: string; serverId: string; topicId?: string | undefined };
