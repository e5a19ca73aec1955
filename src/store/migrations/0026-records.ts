import type { Migration } from './migration.ts';

/**
 * What models were sent for an answer and what came back, sealed. What requests of a topic have in common is stored
 * once, as parts.
 */
export const recordsMigration: Migration = {
  name: '0026-records',
  statements: (dialect) => {
    const bytes = dialect === 'sqlite' ? 'blob' : 'bytea';
    return [
      `create table records (
        id text primary key, answer_id text not null, n integer not null, topic_id text not null, owner text not null,
        parts text not null, body ${bytes} not null, size integer not null, created_at bigint not null
      )`,
      `create unique index records_by_answer on records (answer_id, n)`,
      `create index records_by_topic on records (topic_id)`,
      `create index records_by_owner on records (owner)`,
      `create index records_by_time on records (created_at)`,
      `create table record_parts (
        id text primary key, topic_id text not null, owner text not null, hash text not null,
        body ${bytes} not null, size integer not null
      )`,
      `create unique index record_parts_by_hash on record_parts (topic_id, hash)`,
      `create index record_parts_by_owner on record_parts (owner)`,
    ];
  },
};
