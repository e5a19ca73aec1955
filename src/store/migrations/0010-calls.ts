import type { Migration } from './migration.ts';

/**
 * How far a call came, and that a person removed one whose key must not run again. Both may be null: older
 * programs go on. The indexes are for calls outside of any topic: to list them, and to drop them in time.
 */
export const callsMigration: Migration = {
  name: '0010-calls',
  statements: () => [
    `alter table tool_calls add column reach text`,
    `alter table tool_calls add column removed_at bigint`,
    `create index tool_calls_direct on tool_calls (owner, created_at, id) where topic_id is null`,
    `create index tool_calls_direct_ended on tool_calls (ended_at) where topic_id is null`,
    `create index tool_calls_removed on tool_calls (removed_at) where removed_at is not null`,
    `create index blob_refs_by_call on blob_refs (call_id) where call_id is not null`,
  ],
};
