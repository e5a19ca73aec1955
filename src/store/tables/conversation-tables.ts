import type { Generated } from 'kysely';
import type { Block } from '#shared/vocabulary/block.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import type { CallReach, ToolCallState } from '#shared/vocabulary/tool.ts';

export interface TopicsTable {
  id: string;
  owner: string;
  title: string;
  titled: number;
  assistant_id: string;
  model: string | null;
  system_prompt: string | null;
  parameters: string | null;
  mcp: string | null;
  active_leaf_id: string | null;
  /** Since when it stands above the others; null: it does not. */
  pinned_at: Generated<number | null>;
  /** 1: it is not among the others. 2: it belongs to a request of a program, and is in no list at all. */
  archived: Generated<number>;
  /** The message that it was copied up to, and the topic of that. */
  forked_from: Generated<string | null>;
  /** The number the next event gets; the journal may be ahead of it. */
  next_seq: Generated<number>;
  /** Events up to this one are no longer in the journal. */
  floor_seq: Generated<number>;
  lease_owner: string | null;
  fence: Generated<number>;
  lease_until: number | null;
  created_at: number;
  updated_at: number;
}

export interface MessagesTable {
  /** The order of creation: neither times nor ids of one millisecond tell it. */
  n: Generated<number>;
  id: string;
  topic_id: string;
  parent_id: string | null;
  role: 'user' | 'assistant';
  status: Message['status'];
  /** 1 until the message has ended, and again while it is translated. */
  running: number;
  model: string | null;
  usage: string | null;
  /** Of an earlier version, which told the error of an answer here and in a block. */
  error: Generated<string | null>;
  /** What was asked of this answer. */
  request: string | null;
  /** 1 while only a person can move it on and nobody holds its topic. */
  parked: Generated<number>;
  created_at: number;
  ended_at: number | null;
  /** How long it waited for a person; null where an earlier version ended it. */
  waited_ms: Generated<number | null>;
  /** The requests to its model, as JSON; null where an earlier version ended it. */
  rounds: Generated<string | null>;
}

export interface RunsTable {
  id: string;
  owner: string;
  /** The key, sign-in or token that asked: another one of the same person does not find it by a body. */
  credential: string;
  kind: string;
  body_hash: string;
  /** Of its `Idempotency-Key`. */
  request_key: string | null;
  topic_id: string;
  answer_id: string;
  /** What has to be told of the request again, as JSON. */
  asked: string;
  /** The hash of everything that was said before the answer. */
  chain: string;
  stored: number;
  /** Who reads it, by a name of their own: whoever came last. */
  reader: string | null;
  /** The part of the answer that is told: an answer that asks for an approval goes on in the next run. */
  begins: number;
  ends: string | null;
  created_at: number;
}

export interface BlocksTable {
  id: string;
  message_id: string;
  ordinal: number;
  type: string;
  status: Block['status'];
  content: string;
  data: string;
}

export interface ToolCallsTable {
  id: string;
  owner: string;
  topic_id: string | null;
  answer_id: string | null;
  block_id: string | null;
  round: number;
  idx: number;
  call_id: string;
  server_id: string;
  server_name: string;
  tool_name: string;
  arguments: string;
  args_hash: string;
  state: ToolCallState;
  rule: string | null;
  result: string | null;
  error: string | null;
  /** How far it came; null while it is open, and where an earlier version ended it. */
  reach: CallReach | null;
  owner_instance: string | null;
  fence: number | null;
  /** Where a parked call goes on; kept while it is sent again, gone at its end. */
  continuation: string | null;
  /** The launch of its server when it was asked for; null where that cannot change. */
  launch_hash: string | null;
  /** When a person, or a rule they wrote in the meantime, decided on it. */
  decided_at: number | null;
  created_at: number;
  started_at: number | null;
  ended_at: number | null;
  /** A person removed it: what is left only keeps its key from running again. */
  removed_at: number | null;
  /** Somebody wants it stopped who is not at the process that works on it. */
  abort_at: number | null;
  /** How long it waited for a person after its start, or more than all of its time where it never started. */
  waited_ms: number | null;
  /** How it got to its server, as JSON. */
  times: string | null;
}

export interface RecordsTable {
  id: string;
  answer_id: string;
  /** Its place among the requests of the answer. */
  n: number;
  topic_id: string;
  owner: string;
  /** The hashes of the parts it is made of, as JSON. */
  parts: string;
  /** The request and its chunks: compressed and sealed. */
  body: Uint8Array;
  /** Bytes of the body. */
  size: number;
  created_at: number;
}

/** What several requests of a topic have in common, stored once. */
export interface RecordPartsTable {
  id: string;
  topic_id: string;
  owner: string;
  hash: string;
  body: Uint8Array;
  size: number;
}
