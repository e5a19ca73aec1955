import type { Migration } from './migration.ts';

/** That somebody wants a call outside of any topic stopped, which runs on another host. Older programs leave it null. */
export const abortMigration: Migration = {
  name: '0015-abort',
  statements: () => [`alter table tool_calls add column abort_at bigint`],
};
