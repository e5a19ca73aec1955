import type { Generated } from 'kysely';
import type {
  AssistantsTable,
  InstallRequestsTable,
  PolicyRulesTable,
  ProvidersTable,
  ServersTable,
} from './configuration-tables.ts';
import type {
  BlocksTable,
  MessagesTable,
  RecordPartsTable,
  RecordsTable,
  RunsTable,
  ToolCallsTable,
  TopicsTable,
} from './conversation-tables.ts';
import type { GrantsTable, ProgramsTable, SignInsTable, UsersTable } from './people-tables.ts';
import type { StorageSumsTable, UsageChangesTable, UsageSumsTable } from './usage-tables.ts';

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
    /** 1: an admin vouched for what comes with it. */
    trusted: number;
  };
  sign_in_links: { code_hash: string; expires_at: number };
  programs: ProgramsTable;
  grants: GrantsTable;
  access_tokens: { token_hash: string; grant_id: string; expires_at: number };
  /** The last copy of each registry of servers; the entries of a page are JSON. */
  registry_pages: { registry: string; page: number; entries: string };
  install_requests: InstallRequestsTable;
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
  /** Requests of programs to `/v1`. */
  runs: RunsTable;
  records: RecordsTable;
  record_parts: RecordPartsTable;
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
    /** A server that runs from them, a bundle. */
    server_id: string | null;
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
