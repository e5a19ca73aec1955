import type { Migration } from './migration.ts';

/** The last copy of each registry, page by page: every host on the database reads the same one, also offline. */
export const registryMigration: Migration = {
  name: '0021-registry',
  statements: () => [
    `create table registry_pages (
      registry text not null, page integer not null, entries text not null,
      primary key (registry, page)
    )`,
  ],
};
