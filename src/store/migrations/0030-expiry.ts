import type { Migration } from './migration.ts';

/**
 * What expires is found, and what records take is added up, by indexes alone: the topics of programs, and the sizes that
 * are stored behind large bodies.
 */
export const expiryMigration: Migration = {
  name: '0030-expiry',
  statements: () => [
    `create index topics_unlisted on topics (id) where archived = 2`,
    `drop index records_by_time`,
    `create index records_by_time on records (created_at, size)`,
    `create index record_parts_by_size on record_parts (size)`,
  ],
};
