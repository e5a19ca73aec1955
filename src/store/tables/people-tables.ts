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
