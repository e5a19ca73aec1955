import type { Migration } from './migration.ts';

/**
 * Requests of programs to `/v1`, each with the answer that it is made of. A retry finds the first request by its
 * credential and its body, or by its key.
 */
export const runsMigration: Migration = {
  name: '0023-runs',
  statements: () => [
    `create table runs (
      id text primary key, owner text not null, credential text not null, kind text not null,
      body_hash text not null, request_key text, topic_id text not null, answer_id text not null,
      asked text not null, chain text not null, stored integer not null, reader text, begins integer not null,
      ends text, created_at bigint not null
    )`,
    `create index runs_by_body on runs (owner, credential, body_hash, created_at)`,
    `create index runs_by_chain on runs (owner, credential, chain, created_at)`,
    `create unique index runs_by_key on runs (owner, credential, request_key)`,
    `create index runs_by_answer on runs (answer_id)`,
    `create index runs_by_topic on runs (topic_id)`,
    `create index runs_by_time on runs (stored, created_at)`,
  ],
};
