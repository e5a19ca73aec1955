import type { Migration } from './migration.ts';

/**
 * Order in many topics: pinned and archived ones, where a copy came from, and which models and servers a topic
 * used. Older programs leave the columns alone and list archived topics among the others.
 */
export const orderMigration: Migration = {
  name: '0017-order',
  statements: (dialect) => [
    `alter table topics add column pinned_at bigint`,
    `alter table topics add column archived integer not null default 0`,
    `alter table topics add column forked_from text`,
    `create index topics_in_order on topics (owner, archived, updated_at, id)`,
    `drop index topics_by_update`,
    `create index topics_pinned on topics (owner, pinned_at) where pinned_at is not null`,
    `create table topic_uses (
      topic_id text not null references topics (id) on delete cascade,
      kind text not null, name text not null,
      primary key (topic_id, kind, name)
    )${dialect === 'sqlite' ? ' without rowid' : ''}`,
    `insert into topic_uses select distinct topic_id, 'model', model from messages 
      where model is not null and length(model) <= 300`,
    `insert into topic_uses select distinct topic_id, 'server', server_id from tool_calls
      where topic_id is not null and length(server_id) <= 300`,
  ],
};
