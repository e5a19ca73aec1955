import type { Migration } from './migration.ts';

/**
 * Programs that people connect to `/mcp` by signing in: those that registered themselves, what a person allowed each,
 * and the access tokens that came of it. Codes and tokens are stored as hashes alone. A grant keeps the hash of its
 * code, so that a second use of the code ends it.
 */
export const grantsMigration: Migration = {
  name: '0025-grants',
  statements: () => [
    `create table programs (
      id text primary key, name text not null, redirect_uris text not null, secret_hash text,
      created_at bigint not null, seen_at bigint not null
    )`,
    `create table grants (
      id text primary key, owner text not null, program_id text not null, program_name text not null,
      redirect_uri text not null, resource text not null, limited text, code_hash text not null unique,
      challenge text not null, redeemed_at bigint, family_hash text unique, refresh_hash text,
      created_at bigint not null, last_used_at bigint, expires_at bigint not null
    )`,
    `create index grants_by_owner on grants (owner)`,
    `create index grants_by_program on grants (program_id)`,
    `create table access_tokens (
      token_hash text primary key, grant_id text not null, expires_at bigint not null
    )`,
    `create index access_tokens_by_grant on access_tokens (grant_id)`,
  ],
};
