import type { ErrorInfo } from '../errors/errors.ts';
import type { Block } from './block.ts';
import type { RetryReason } from './chunk.ts';
import type { ChosenParameters } from './model.ts';
import type { Within } from './server-limit.ts';
import type { Usage } from './usage.ts';

export const messageStatuses = [
  'pending',
  'processing',
  'waiting',
  'success',
  'error',
  'stopped',
] as const;
export type MessageStatus = (typeof messageStatuses)[number];

/** What a running answer waits for: derived by the reducer, never stored on its own. */
export interface Waiting {
  for: 'model' | 'tool' | 'approval' | 'input';
  since: number;
  /** The model could not answer and is asked again. */
  retry?: Retry;
}

/** A request to a model that failed and is repeated. */
export interface Retry {
  reason: RetryReason;
  /** Which try it is, the first being 1, and how many there are at most. */
  attempt: number;
  of: number;
  /** When the model is asked. */
  at: number;
}

export interface Message {
  id: string;
  topicId: string;
  /** The message this one replies to; null at the root. Messages form a tree. */
  parentId: string | null;
  role: 'user' | 'assistant';
  status: MessageStatus;
  waiting?: Waiting;
  /** `provider/model` of an answer. */
  model?: string | undefined;
  usage?: Usage | undefined;
  error?: ErrorInfo | undefined;
  /** True while a translation is added to it; it had ended before and keeps how. */
  translating?: true;
  createdAt: number;
  endedAt?: number | undefined;
  blocks: Block[];
  /** True if this is only the end of a long message: blocks of smaller ordinals were left out. */
  hasEarlierBlocks?: boolean;
  /** True while it waits for the host that has the topic: no event tells of it yet. */
  accepted?: boolean;
}

/** Which servers an assistant or a topic uses. */
export interface ToolSelection {
  enabled: boolean;
  mode: 'auto' | 'manual';
  selectedServers: string[];
}

/** The tools of a turn: those selected that the key which asked for it may use. */
export interface TurnSelection extends ToolSelection {
  within?: Within;
}

export interface Assistant {
  id: string;
  name: string;
  systemPrompt: string;
  /** Absent: the default model of the settings. */
  model?: string | undefined;
  parameters: ChosenParameters;
  mcp: ToolSelection;
  createdAt: number;
  updatedAt: number;
}

export interface Topic {
  id: string;
  title: string;
  /** False while the title is still the automatic one. */
  titled: boolean;
  assistantId: string;
  /** Overrides of the assistant's fields. */
  model?: string | undefined;
  systemPrompt?: string | undefined;
  parameters?: ChosenParameters | undefined;
  mcp?: ToolSelection | undefined;
  /** The end of the branch that is shown. */
  activeLeafId: string | null;
  /** True while an answer runs or a message is translated. */
  isLoading: boolean;
  createdAt: number;
  updatedAt: number;
}

/** A topic with its messages as of `seq`: the snapshot, and the state that `reduce` moves on. */
export interface Conversation {
  topic: Topic;
  /** In order of creation. */
  messages: Message[];
  /** True if older messages, or blocks of the first one, are not in `messages`. */
  hasEarlier: boolean;
  seq: number;
}

/** Whether an answer still runs. */
export function isMessageRunning(message: Pick<Message, 'status'>): boolean {
  return (
    message.status === 'pending' || message.status === 'processing' || message.status === 'waiting'
  );
}

/** Whether a message can still change: it runs, or a translation is added to it. */
export function isMessageOpen(message: Pick<Message, 'status' | 'translating'>): boolean {
  return isMessageRunning(message) || message.translating === true;
}

/** The shown branch, root first: from the active leaf up through its parents. */
export function activePath(conversation: Pick<Conversation, 'topic' | 'messages'>): Message[] {
  const byId = new Map(conversation.messages.map((message) => [message.id, message]));
  const path: Message[] = [];
  let next = conversation.topic.activeLeafId;
  while (next !== null) {
    const message = byId.get(next);
    if (!message) break;
    byId.delete(next);
    path.push(message);
    next = message.parentId;
  }
  return path.toReversed();
}
