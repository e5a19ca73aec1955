import type { Migration } from './migration.ts';

/**
 * Several people on one host: how they sign in, where they are signed in, who guesses, and which servers
 * and providers an admin lets everybody use. What there was belongs to the admin and is shared.
 */
export const peopleMigration: Migration = {
  name: '0008-people',
  statements: (dialect) => [
    `alter table users add column name_key text`,
    `alter table users add column password_hash text`,
    `alter table users add column oidc_subject text`,
    `alter table users add column disabled integer not null default 0`,
    `alter table users add column last_sign_in_at bigint`,
    `update users set name_key = lower(name)`,
    `create unique index users_by_name on users (name_key)`,
    `create unique index users_by_subject on users (oidc_subject)`,
    `alter table sign_ins add column id text`,
    `alter table sign_ins add column method text not null default 'link'`,
    `alter table sign_ins add column browser text`,
    `alter table sign_ins add column last_seen_at bigint`,
    `alter table sign_ins add column rotated_at bigint`,
    `alter table sign_ins add column previous_hash text`,
    `update sign_ins set last_seen_at = created_at, rotated_at = created_at, id = ${
      dialect === 'sqlite' ? 'lower(hex(randomblob(16)))' : 'gen_random_uuid()::text'
    }`,
    `create index sign_ins_by_user on sign_ins (user_id)`,
    `create index sign_ins_by_previous on sign_ins (previous_hash) where previous_hash is not null`,
    `create table sign_in_attempts (
      key text primary key, failures integer not null, last_at bigint not null
    )`,
    `create index sign_in_attempts_by_age on sign_in_attempts (last_at)`,
    `create table sign_in_flows (
      state_hash text primary key, browser_hash text not null, sealed text not null,
      expires_at bigint not null
    )`,
    ...['servers', 'providers'].map(
      (table) => `alter table ${table} add column shared integer not null default 0`,
    ),
    `update servers set shared = 1 where assistant_id is null and topic_id is null`,
    `update providers set shared = 1`,
  ],
};
