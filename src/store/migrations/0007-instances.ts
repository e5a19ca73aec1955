import type { Migration } from './migration.ts';

/**
 * What several hosts on one PostgreSQL need: who is alive, what a command handed over came to, and
 * which answers wait for a person without anybody holding them.
 */
export const instancesMigration: Migration = {
  name: '0007-instances',
  statements: () => [
    `create table instances (id text primary key, seen_at bigint not null)`,
    `alter table inbox add column result text`,
    `alter table messages add column parked integer not null default 0`,
  ],
};
