import type { Migration } from './migration.ts';

/**
 * Keys that are limited to servers, and sign-in links that one browser anywhere can use once. The scopes
 * of a limited key stand in `limited` alone: a program that does not know the column lets it do nothing.
 */
export const keysMigration: Migration = {
  name: '0012-keys',
  statements: () => [
    `alter table api_keys add column limited text`,
    `create table sign_in_links (code_hash text primary key, expires_at bigint not null)`,
  ],
};
