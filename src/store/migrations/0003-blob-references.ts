import type { Migration } from './migration.ts';

/**
 * The same bytes may be known by several types, so each reference has its own; null means that of the
 * bytes. The result of a call outside of any topic belongs to the call. PostgreSQL keeps the bytes uncompressed, so that a part is read without the whole.
 */
export const blobReferencesMigration: Migration = {
  name: '0003-blob-references',
  statements: (dialect) => [
    `alter table blob_refs add column mime_type text`,
    `alter table blob_refs add column call_id text references tool_calls (id) on delete cascade`,
    ...(dialect === 'postgres'
      ? [`alter table blobs alter column bytes set storage external`]
      : []),
  ],
};
