import type { Generated } from 'kysely';
import type { Block } from '#shared/vocabulary/block.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import type { CallReach, ToolCallState } from '#shared/vocabulary/tool.ts';

/**
 * The tables as both databases hold them: ids are text, times are epoch milliseconds, flags are 0 or
 * 1, JSON is text. These shapes never leave `store/`.
 */
export interface Tables {
  migrations: { name: string; applied_at: number };
  users: UsersTable;
  sign_ins: SignInsTable;
  /** Who failed to sign in lately, by name and by address. */
  sign_in_attempts: { key: string; failures: number; last_at: number };
  /** Sign-ins at the identity provider that are under way. */
  sign_in_flows: { state_hash: string; browser_hash: string; sealed: string; expires_at: number };
  api_keys: {
    id: string;
    owner: string;
    name: string;
    key_hash: string;
    scopes: string;
    /** The scopes and servers of a limited key, in the place of `scopes`. */
    limited: string | null;
    created_at: number;
    last_used_at: number | null;
    expires_at: number | null;
  };
  sign_in_links: { code_hash: string; expires_at: number };
  assistants: AssistantsTable;
  topics: TopicsTable;
  messages: MessagesTable;
  /** The models and servers that answers of a topic used; what is deleted of it since still counts. */
  topic_uses: { topic_id: string; kind: 'model' | 'server'; name: string };
  inbox: {
    id: string;
    topic_id: string;
    kind: string;
    body: string;
    created_at: number;
    /** When it was carried out, and what came of it. */
    taken_at: number | null;
    result: string | null;
  };
  /** The hosts on this database that live, or did a moment ago. */
  instances: { id: string; seen_at: number };
  blocks: BlocksTable;
  events: { id: Generated<number>; topic_id: string; seq: number; body: string };
  tool_calls: ToolCallsTable;
  servers: ServersTable;
  tool_pins: {
    owner: string;
    server_id: string;
    tool_name: string;
    /** As version 1 made it: all that older programs know of. */
    definition_hash: string;
    /** With its version; null, or made beside another `definition_hash`, where an older program wrote. */
    full_hash: string | null;
    /** What the hash was made of; null where it was not kept. */
    definition: string | null;
    approved_at: number;
  };
  policy_rules: PolicyRulesTable;
  credentials: {
    owner: string;
    server_id: string;
    kind: string;
    sealed: string;
    expires_at: number | null;
    updated_at: number;
  };
  providers: ProvidersTable;
  blobs: {
    hash: string;
    size: number;
    mime_type: string;
    /** On PostgreSQL; on SQLite the bytes are a file named by the hash. */
    bytes: Uint8Array | null;
    created_at: number;
  };
  blob_refs: {
    id: string;
    owner: string;
    hash: string;
    topic_id: string | null;
    name: string | null;
    /** What these bytes are to this owner; null: what they were kept as first. */
    mime_type: string | null;
    /** A call outside of any topic, whose result they are. */
    call_id: string | null;
    /** Where untrusted words in them came from; null: nothing is known against them. */
    origins: string | null;
    created_at: number;
  };
  settings: { owner: string; key: string; value: string; updated_at: number };
  audit: {
    id: string;
    owner: string;
    at: number;
    action: string;
    subject: string;
    details: string | null;
  };
  idempotency: {
    owner: string;
    key: string;
    request_hash: string;
    /** Null while the first request still runs. */
    status: number | null;
    body: string | null;
    /** The host that works on it, where several share the database. */
    instance: string | null;
    created_at: number;
  };
  memory: { owner: string; graph: string; updated_at: number };
  /** What triggers wrote down and is not in the sums yet; a negative sign takes away. */
  usage_changes: UsageChangesTable;
  usage_sums: UsageSumsTable;
  /** Counts the changes of somebody's sums. */
  usage_versions: { owner: string; version: number };
  storage_changes: { id: Generated<number> } & StorageSumsTable;
  storage_sums: StorageSumsTable;
  /** Imports that are under way, or were when a host ended. */
  imports: {
    id: string;
    owner: string;
    /** `whole`: it happened, and what is still hidden of it is to be shown; `gone`: it is to be swept. */
    state: 'staging' | 'whole' | 'gone';
    /** Of one that is whole: what it names and is called otherwise here. */
    names: string | null;
    seen_at: number;
  };
  /** Who said kept words, by what they are. An empty list of origins: nobody untrusted. */
  provenance: {
    owner: string;
    place: 'memory' | 'files' | 'server';
    key: string;
    origins: string;
    noted_at: number;
  };
  inputs: {
    id: string;
    owner: string;
    call_id: string | null;
    server_id: string;
    view: string;
    /** The process that the question ends with; null: it stays as long as its call is parked. */
    instance: string | null;
    created_at: number;
    expires_at: number | null;
    answer: string | null;
    closed_at: number | null;
  };
  search: {
    id: Generated<number>;
    topic_id: string;
    kind: 'topic' | 'block';
    ref_id: string;
    message_id: string | null;
    /** Where in the text this piece begins. */
    start: number;
  };
}

/** The tables that have such a column. */
export type TableWith<Column extends string> = {
  [Name in keyof Tables]: Column extends keyof Tables[Name] ? Name : never;
}[keyof Tables];

interface UsageNumbers {
  failed: number;
  input: number;
  cached: number;
  output: number;
  reasoning: number;
  cost: number;
  estimated: number;
}

export interface UsageChangesTable extends UsageNumbers {
  id: Generated<number>;
  owner: string;
  kind: 'call' | 'answer';
  /** The beginning of its quarter of an hour. */
  at: number;
  /** The server or the model. */
  subject: string;
  tool: string;
  /** Of the server. */
  name: string;
  sign: number;
  ms: number;
}

export interface UsageSumsTable extends UsageNumbers {
  owner: string;
  /** `quarter` and `day` (of Greenwich) by server, tool and model; `all` of a quarter together. */
  grain: 'quarter' | 'day' | 'all';
  kind: 'call' | 'answer';
  at: number;
  subject: string;
  tool: string;
  name: string;
  n: number;
  /** How many took how long: see `duration-histogram.ts`. */
  times: string;
}

export interface StorageSumsTable {
  owner: string;
  messages: number;
  bytes: number;
  files: number;
  file_bytes: number;
}

export interface UsersTable {
  id: string;
  name: string;
  /** The name as it is compared. */
  name_key: string | null;
  role: 'admin' | 'user';
  password_hash: string | null;
  /** Whom the identity provider says it is. */
  oidc_subject: string | null;
  disabled: Generated<number>;
  last_sign_in_at: number | null;
  /** They are being removed; what is theirs goes in slices. */
  removed_at: Generated<number | null>;
  created_at: number;
}

export interface SignInsTable {
  token_hash: string;
  /** What the sign-in is called where its token must not be told. */
  id: string | null;
  user_id: string;
  method: Generated<'link' | 'password' | 'oidc'>;
  browser: string | null;
  created_at: number;
  expires_at: number;
  last_seen_at: number | null;
  /** When the token was last replaced, and the one before, which is good for a moment longer. */
  rotated_at: number | null;
  previous_hash: string | null;
}

export interface AssistantsTable {
  id: string;
  owner: string;
  name: string;
  system_prompt: string;
  model: string | null;
  parameters: string;
  mcp: string;
  created_at: number;
  updated_at: number;
}

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
  /** 1: it is not among the others. */
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
  /** When a person, or a rule they wrote meanwhile, decided on it. */
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
}

export interface PolicyRulesTable {
  n: Generated<number>;
  id: string;
  owner: string;
  topic_id: string | null;
  action: string;
  source: string;
  /** What a call must be like, besides its topic. */
  conditions: string;
  note: string | null;
  created_at: number;
}

export interface ServersTable {
  id: string;
  owner: string;
  name: string;
  /** The config; values of `env` and `headers` are sealed. */
  config: string;
  approved_hash: string | null;
  /** What a session server is attached to; at most one of the two. */
  assistant_id: string | null;
  topic_id: string | null;
  /** 1: everybody on this host may use it. */
  shared: number;
  created_at: number;
  updated_at: number;
}

export interface ProvidersTable {
  id: string;
  owner: string;
  name: string;
  /** What its models are named by; null where an older program added it: its name. */
  slug: string | null;
  kind: string;
  /** Empty: the vendor's own. */
  base_url: string;
  /** Sealed. */
  api_key: string | null;
  models: string;
  /** 1: everybody on this host may use it. */
  shared: number;
  created_at: number;
}
