import type { Migration } from './migration.ts';

/** All tables, the local user and the default assistant. `bigint` is an integer to SQLite as well. */
export const firstMigration: Migration = {
  name: '0001-first',
  statements: (dialect) => [
    ...people,
    ...conversations(dialect),
    ...(dialect === 'sqlite' ? journalSqlite : journalPostgres),
    ...tools,
    ...(dialect === 'sqlite' ? blobsSqlite : blobsPostgres),
    ...housekeeping,
    ...(dialect === 'sqlite' ? searchSqlite : searchPostgres),
    ...seeds(Date.now()),
  ],
};

/** A number the database gives, growing. */
const serial = { sqlite: 'integer', postgres: 'bigserial' };

const people = [
  `create table users (
    id text primary key, name text not null, role text not null, created_at bigint not null
  )`,
  `create table sign_ins (
    token_hash text primary key,
    user_id text not null references users (id) on delete cascade,
    created_at bigint not null, expires_at bigint not null
  )`,
  `create table api_keys (
    id text primary key,
    owner text not null references users (id) on delete cascade,
    name text not null, key_hash text not null unique, scopes text not null,
    created_at bigint not null, last_used_at bigint, expires_at bigint
  )`,
];

const conversations = (dialect: 'sqlite' | 'postgres'): string[] => [
  // Each owner has an assistant of the id 'default'.
  `create table assistants (
    id text not null, owner text not null, name text not null, system_prompt text not null,
    model text, parameters text not null, mcp text not null,
    created_at bigint not null, updated_at bigint not null,
    primary key (owner, id)
  )`,
  `create table topics (
    id text primary key, owner text not null, title text not null, titled integer not null,
    assistant_id text not null, model text, system_prompt text, parameters text, mcp text,
    active_leaf_id text,
    next_seq bigint not null default 1, floor_seq bigint not null default 0,
    lease_owner text, fence bigint not null default 0, lease_until bigint,
    created_at bigint not null, updated_at bigint not null
  )`,
  `create index topics_by_update on topics (owner, updated_at, id)`,
  `create table messages (
    n ${serial[dialect]} primary key, id text not null unique,
    topic_id text not null references topics (id) on delete cascade,
    parent_id text, role text not null, status text not null, running integer not null,
    model text, usage text, error text, request text,
    created_at bigint not null, ended_at bigint
  )`,
  `create index messages_by_topic on messages (topic_id, n)`,
  `create index messages_running on messages (topic_id) where running = 1`,
  `create table inbox (
    id text primary key,
    topic_id text not null references topics (id) on delete cascade,
    kind text not null, body text not null, created_at bigint not null, taken_at bigint
  )`,
  `create index inbox_waiting on inbox (topic_id, created_at) where taken_at is null`,
  `create table blocks (
    id text primary key,
    message_id text not null references messages (id) on delete cascade,
    ordinal integer not null, type text not null, status text not null,
    content text not null, data text not null,
    unique (message_id, ordinal)
  )`,
];

/** No index and no key but the row id: an append then touches one page (design: deltas are appended). */
const journalSqlite = [
  `create table events (
    id integer primary key, topic_id text not null, seq integer not null, body text not null
  )`,
];
const journalPostgres = [
  `create table events (
    id bigserial primary key, topic_id text not null, seq bigint not null, body text not null
  )`,
  `create unique index events_by_topic on events (topic_id, seq)`,
];

const tools = [
  `create table tool_calls (
    id text primary key, owner text not null,
    topic_id text references topics (id) on delete cascade,
    answer_id text, block_id text, round integer not null, idx integer not null,
    call_id text not null, server_id text not null, server_name text not null,
    tool_name text not null, arguments text not null, args_hash text not null,
    state text not null, rule text, result text, error text,
    owner_instance text, fence bigint,
    created_at bigint not null, started_at bigint, ended_at bigint,
    unique (answer_id, round, idx)
  )`,
  `create index tool_calls_by_owner on tool_calls (owner, created_at)`,
  `create index tool_calls_by_topic on tool_calls (topic_id)`,
  `create table servers (
    id text primary key, owner text not null, name text not null, config text not null,
    approved_hash text, created_at bigint not null, updated_at bigint not null
  )`,
  `create index servers_by_owner on servers (owner, created_at, id)`,
  `create table tool_pins (
    owner text not null, server_id text not null references servers (id) on delete cascade,
    tool_name text not null, definition_hash text not null, approved_at bigint not null,
    primary key (server_id, tool_name)
  )`,
  `create table credentials (
    owner text not null, server_id text not null references servers (id) on delete cascade,
    kind text not null, sealed text not null, expires_at bigint, updated_at bigint not null,
    primary key (server_id, kind)
  )`,
  `create table providers (
    id text primary key, owner text not null, name text not null, kind text not null,
    base_url text not null, api_key text, models text not null, created_at bigint not null,
    unique (owner, name)
  )`,
];

const blobTables = (bytes: 'blob' | 'bytea'): string[] => [
  `create table blobs (
    hash text primary key, size bigint not null, mime_type text not null, bytes ${bytes},
    created_at bigint not null
  )`,
  `create table blob_refs (
    id text primary key, owner text not null,
    hash text not null references blobs (hash),
    topic_id text references topics (id) on delete cascade,
    name text, created_at bigint not null
  )`,
  `create index blob_refs_by_hash on blob_refs (hash)`,
  `create index blob_refs_by_topic on blob_refs (topic_id)`,
];
const blobsSqlite = blobTables('blob');
const blobsPostgres = blobTables('bytea');

const housekeeping = [
  `create table settings (
    owner text not null, key text not null, value text not null, updated_at bigint not null,
    primary key (owner, key)
  )`,
  `create table audit (
    id text primary key, owner text not null, at bigint not null, action text not null,
    subject text not null, details text
  )`,
  `create index audit_by_owner on audit (owner, at)`,
  `create table idempotency (
    owner text not null, key text not null, request_hash text not null,
    status integer, body text, created_at bigint not null,
    primary key (owner, key)
  )`,
  `create index idempotency_by_age on idempotency (created_at)`,
  `create table memory (
    owner text primary key, graph text not null, updated_at bigint not null
  )`,
];

/** The tokens are made by `search.ts`; the databases only look them up. */
const searchSqlite = [
  `create table search (
    id integer primary key,
    topic_id text not null, kind text not null, ref_id text not null, message_id text,
    start integer not null
  )`,
  `create index search_by_topic on search (topic_id, ref_id)`,
  `create virtual table search_index using fts5 (
    tokens, content = '', contentless_delete = 1, tokenize = 'ascii', detail = none
  )`,
  // Merging less often writes less; a few more segments cost a query nothing one could feel.
  `insert into search_index (search_index, rank) values ('automerge', 16)`,
];
const searchPostgres = [
  `create table search (
    id bigserial primary key,
    topic_id text not null, kind text not null, ref_id text not null, message_id text,
    start integer not null, tokens tsvector not null
  )`,
  `create index search_by_topic on search (topic_id, ref_id)`,
  `create index search_tokens on search using gin (tokens)`,
];

const seeds = (now: number): string[] => [
  `insert into users (id, name, role, created_at) values ('local', 'Local', 'admin', ${now})`,
  `insert into assistants
    (id, owner, name, system_prompt, parameters, mcp, created_at, updated_at)
  values ('default', 'local', 'Assistant', '', '{}',
    '{"enabled":true,"mode":"auto","selectedServers":[]}', ${now}, ${now})`,
];
