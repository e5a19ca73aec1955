import type { Migration } from './migration.ts';

/** Which entry of the catalogue a server came from, and what people ask admins to install. */
export const catalogueMigration: Migration = {
  name: '0022-catalogue',
  statements: () => [
    `alter table servers add column installed_from text`,
    `create table install_requests (
      id text primary key, owner text not null, entry text not null, status text not null,
      server_id text references servers (id) on delete set null,
      created_at bigint not null, decided_at bigint
    )`,
    `create index install_requests_by_owner on install_requests (owner, created_at)`,
  ],
};
