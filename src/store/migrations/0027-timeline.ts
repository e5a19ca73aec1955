import type { Migration } from './migration.ts';

/** When an answer asked its model and what that took, and how a call got to its server. Null in rows from before. */
export const timelineMigration: Migration = {
  name: '0027-timeline',
  statements: () => [
    'alter table messages add column rounds text',
    'alter table tool_calls add column times text',
  ],
};
