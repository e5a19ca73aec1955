import type { Migration } from './migration.ts';
import { dropSqliteTriggers, postgresFunctions, sumsTriggers } from './sums-triggers.ts';

/**
 * Fewer pages for each tool call. Nothing reads calls by owner and time since usage is read from sums. On
 * SQLite a queue of the sums becomes one tree instead of a table and its index.
 */
export const lighterCallsMigration: Migration = {
  name: '0016-lighter-calls',
  statements: (dialect) => [
    `drop index tool_calls_by_owner`,
    ...(dialect === 'postgres'
      ? postgresFunctions()
      : [
          ...dropSqliteTriggers(),
          ...rebuilt('usage_changes'),
          ...rebuilt('storage_changes'),
          ...sumsTriggers(dialect),
        ]),
  ],
};

const columns = {
  usage_changes: `kind text not null, at bigint not null, subject text not null, tool text not null,
    name text not null, sign integer not null, failed integer not null, ms bigint not null,
    input bigint not null, cached bigint not null, output bigint not null, reasoning bigint not null,
    cost double precision not null, estimated double precision not null`,
  storage_changes: `messages bigint not null, bytes bigint not null, files bigint not null,
    file_bytes bigint not null`,
};

/** The same columns in the same order, so that rows can be copied as they are. */
const rebuilt = (table: keyof typeof columns): string[] => [
  `alter table ${table} rename to ${table}_before`,
  `create table ${table} (
    id integer not null, owner text not null, ${columns[table]}, primary key (owner, id)
  ) without rowid`,
  `insert into ${table} select * from ${table}_before`,
  `drop table ${table}_before`,
];
