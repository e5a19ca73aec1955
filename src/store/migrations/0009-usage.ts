import type { Migration } from './migration.ts';

/** Lets the usage of a span of time be counted without reading every message there is. */
export const usageMigration: Migration = {
  name: '0009-usage',
  statements: () => [
    `create index messages_by_end on messages (ended_at) where ended_at is not null`,
  ],
};
