import type { Generated } from 'kysely';

export interface UsersTable {
  id: string;
  name: string;
  /** The name as it is compared. */
  name_key: string | null;
  role: 'admin' | 'user';
  password_hash: string | null;
  /** Whom the identity provider says it is. */
  oidc_subject: string | null;
  disabled: Generated<number>;
  last_sign_in_at: number | null;
  /** They are being removed; what is theirs goes in slices. */
  removed_at: Generated<number | null>;
  created_at: number;
}

export interface SignInsTable {
  token_hash: string;
  /** What the sign-in is called where its token must not be told. */
  id: string | null;
  user_id: string;
  method: Generated<'link' | 'password' | 'oidc'>;
  browser: string | null;
  created_at: number;
  expires_at: number;
  last_seen_at: number | null;
  /** When the token was last replaced, and the one before, which is good for a moment longer. */
  rotated_at: number | null;
  previous_hash: string | null;
}

/** A program that registered itself to be connected. */
export interface ProgramsTable {
  id: string;
  name: string;
  redirect_uris: string;
  /** Null: it has no secret. */
  secret_hash: string | null;
  created_at: number;
  /** When it was last registered, connected, or given a token. */
  seen_at: number;
}

/** What somebody allowed a program, from their consent on. */
export interface GrantsTable {
  id: string;
  owner: string;
  program_id: string;
  program_name: string;
  redirect_uri: string;
  /** The path its tokens are good for. */
  resource: string;
  /** The servers it is limited to. */
  limited: string | null;
  code_hash: string;
  challenge: string;
  /** Null: its code was not used yet, so it is no more than a consent. */
  redeemed_at: number | null;
  /** What all its refresh tokens have in common, and the one that is good now. */
  family_hash: string | null;
  refresh_hash: string | null;
  created_at: number;
  last_used_at: number | null;
  /** The end of the code; once that was used, of the last refresh token. */
  expires_at: number;
}
