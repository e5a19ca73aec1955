import type { Migration } from './migration.ts';

/**
 * Calls that wait for a person or for a task of their server go on after a restart, and the questions
 * they wait for are rows. The column may be null, so that programs that do not know it go on.
 */
export const parkedMigration: Migration = {
  name: '0005-parked',
  statements: () => [
    `alter table tool_calls add column continuation text`,
    `create table inputs (
      id text primary key, owner text not null,
      call_id text references tool_calls (id) on delete cascade,
      server_id text not null, view text not null, instance text,
      created_at bigint not null, expires_at bigint, answer text, closed_at bigint
    )`,
    `create index inputs_open on inputs (owner, created_at) where closed_at is null`,
    `create index inputs_by_call on inputs (call_id)`,
  ],
};
