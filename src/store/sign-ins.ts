import type { Db } from './store.ts';

/** A browser that is signed in. Only the hash of its token is stored. */
export interface SignIn {
  tokenHash: string;
  userId: string;
  createdAt: number;
  expiresAt: number;
}

export async function insertSignIn(db: Db, signIn: SignIn): Promise<void> {
  await db
    .insertInto('sign_ins')
    .values({
      token_hash: signIn.tokenHash,
      user_id: signIn.userId,
      created_at: signIn.createdAt,
      expires_at: signIn.expiresAt,
    })
    .execute();
}

/** The sign-in of a token, unless it has run out. */
export async function findSignIn(
  db: Db,
  tokenHash: string,
  now: number,
): Promise<SignIn | undefined> {
  return await db
    .selectFrom('sign_ins')
    .select([
      'token_hash as tokenHash',
      'user_id as userId',
      'created_at as createdAt',
      'expires_at as expiresAt',
    ])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

export async function deleteSignIn(db: Db, tokenHash: string): Promise<void> {
  await db.deleteFrom('sign_ins').where('token_hash', '=', tokenHash).execute();
}
