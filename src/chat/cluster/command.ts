import type { Quote } from '#shared/api/api.ts';
import type { ToolCallView } from '#shared/api/tool-call-api.ts';
import type { TopicChange } from '#shared/vocabulary/event.ts';
import type { Message, Topic } from '#shared/vocabulary/message.ts';
import type { ModelAdapter } from '#shared/vocabulary/model.ts';
import type { Decision } from '#shared/vocabulary/policy-api.ts';
import type { Within } from '#shared/vocabulary/server-limit.ts';
import type { InboxRow } from '#store/conversations/inbox.ts';
import type { Run } from '#shared/api/v1-api.ts';
import type { TraceContext } from '#shared/vocabulary/tool.ts';

/** How another version of an answer differs from the first. */
export interface AnswerChanges {
  systemPrompt?: string | undefined;
  /** The step that is made anew, and all after it; steps count from 1. Those before it are copied. */
  from?: number | undefined;
  /** Where its calls get their results; absent: as those of any answer. */
  tools?: 'recorded' | 'live' | 'ask' | undefined;
}

interface Regenerated {
  answerId: string;
  model: string | null;
  ids: { answerId: string };
}

/** What commands of each kind carry, and what comes of them. */
interface Kinds {
  send: { body: { input: SendMessage; ids: MessageIds }; result: MessageIds };
  regenerate: { body: Regenerated; result: { answerId: string } };
  /** For a key that is limited: a host that knows no such keys does not know this either, and refuses. */
  'regenerate-within': { body: Regenerated & { within: Within }; result: { answerId: string } };
  /** With changes: a host that would only make the whole answer anew does not know this, and refuses. */
  'regenerate-from': {
    body: Regenerated & { changes: AnswerChanges; within?: Within };
    result: { answerId: string };
  };
  /** A request of a program: what it said is stored, and its answer begins. */
  run: { body: RunCommandBody; result: { seq: number }; known: RunContext };
  stop: { body: { answerId: string }; result: null };
  translate: { body: { messageId: string; input: TranslateMessage }; result: Translated };
  decide: { body: { toolCallId: string; decision: Decision }; result: ToolCallView };
  abort: { body: { toolCallId: string }; result: boolean };
  'topic-update': { body: TopicChange; result: Topic };
  /** What a host that cannot pin would only half do: it does not know this and refuses. */
  'topic-arrange': { body: TopicChange; result: Topic };
  'topic-delete': { body: null; result: null };
  /** For a time it can be restored. A host that cannot do that refuses. */
  'topic-hide': { body: null; result: null };
  'message-delete': { body: { messageId: string }; result: null };
}

export type CommandKind = keyof Kinds;
export type BodyOf<K extends CommandKind> = Kinds[K]['body'];
export type ResultOf<K extends CommandKind> = Kinds[K]['result'];
/** What the host that accepted a command knows besides; another one that carries it out finds it out again. */
export type ContextOf<K extends CommandKind> = Kinds[K] extends { known: infer Known }
  ? Known
  : never;

interface RunContext {
  /** The model that its request names. */
  model: ModelAdapter;
  /** Its topic, if that is stored with it. */
  begins?: Topic | undefined;
}

interface RunCommandBody {
  /** What was said, in order; the last one is the answer to come. */
  messages: Message[];
  /** What is asked of it (`AnswerRequest`). */
  request: unknown;
  run: Run;
  /** Since when another try of the same request takes its place. A host that does not know this stores both. */
  since?: number | undefined;
  reader: string | null;
  title: string | null;
}

/** A command that waits to be carried out, and since when. */
export type AcceptedCommand = {
  [K in CommandKind]: {
    owner: string;
    topicId: string;
    kind: K;
    body: BodyOf<K>;
    createdAt: number;
  };
}[CommandKind];

/** A row as the command it was made of: nothing else is ever put into the inbox. */
export function toCommand(row: InboxRow): AcceptedCommand {
  return row as AcceptedCommand;
}

/** What a person sends. `parentId` null begins a new root; absent continues the shown branch. */
export interface SendMessage {
  text: string;
  model?: string | undefined;
  tools?:
    | {
        enabled?: boolean | undefined;
        mode?: 'auto' | 'manual' | 'none' | undefined;
        servers?: string[] | undefined;
      }
    | undefined;
  parentId?: string | null | undefined;
  /** Ids of uploads, or of files of other messages. */
  files?: string[] | undefined;
  /** Whose words it repeats. */
  quotes?: Quote[] | undefined;
  /** What was said of `tools`, and what the key is limited to; `tools` are none then. */
  limited?: { tools?: SendMessage['tools']; within: NonNullable<Within> } | undefined;
  /** The trace that the request came with. */
  caller?: TraceContext | undefined;
}

/** The ids of a message and of the answer to it: known before anything is stored. */
export interface MessageIds {
  userMessageId: string;
  answerId: string;
}

/** Into which language, and by which model; absent: the one chosen in the settings, else the topic's. */
export interface TranslateMessage {
  language: string;
  model?: string | undefined;
}

/** What was asked for, by the message that gets it. */
export type Translated = { messageId: string };
