import type { Migration } from './migration.ts';

/**
 * Who said the words that are kept: in the memory, in the workspace, at a server. What has no row was
 * left by an unknown writer, which is also true of everything that was there before this step.
 */
export const provenanceMigration: Migration = {
  name: '0014-provenance',
  statements: () => [
    `create table provenance (
      owner text not null,
      place text not null,
      key text not null,
      origins text not null,
      noted_at bigint not null,
      primary key (owner, place, key)
    )`,
    `alter table blob_refs add column origins text`,
  ],
};
