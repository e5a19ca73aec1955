import type { Migration } from './migration.ts';

/** Bytes that a server runs from stay as long as it. Null for all others, and where an older program adds them. */
export const bundlesMigration: Migration = {
  name: '0020-bundles',
  statements: () => [
    `alter table blob_refs add column server_id text references servers (id) on delete cascade`,
    `create index blob_refs_by_server on blob_refs (server_id) where server_id is not null`,
  ],
};
