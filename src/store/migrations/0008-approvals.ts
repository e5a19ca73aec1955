import type { Migration } from './migration.ts';

/**
 * What an approval was given for and that it was given, so that it holds across restarts and for nothing
 * else; and who works on a request with an `Idempotency-Key`. All may be null: older programs go on.
 */
export const approvalsMigration: Migration = {
  name: '0008-approvals',
  statements: () => [
    `alter table tool_calls add column launch_hash text`,
    `alter table tool_calls add column decided_at bigint`,
    `create index tool_calls_open on tool_calls (owner, created_at) where ended_at is null`,
    `alter table idempotency add column instance text`,
  ],
};
