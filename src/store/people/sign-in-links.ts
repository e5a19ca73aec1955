import type { Db } from '../database/store.ts';

/** Keeps a link that signs one browser in; only the hash of its code is stored. Old ones are forgotten. */
export async function insertSignInLink(
  tx: Db,
  link: { codeHash: string; expiresAt: number },
  now: number,
): Promise<void> {
  await tx.deleteFrom('sign_in_links').where('expires_at', '<=', now).execute();
  await tx
    .insertInto('sign_in_links')
    .values({ code_hash: link.codeHash, expires_at: link.expiresAt })
    .execute();
}

/** When a link ends that nobody has used yet. */
export async function findSignInLink(db: Db, codeHash: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('sign_in_links')
    .select('expires_at')
    .where('code_hash', '=', codeHash)
    .executeTakeFirst();
  return row?.expires_at;
}

/** Uses a link up, in one step: of several takers, on whatever host, it is true for exactly one. */
export async function takeSignInLink(tx: Db, codeHash: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('sign_in_links')
    .where('code_hash', '=', codeHash)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

export async function deleteSignInLinks(tx: Db): Promise<void> {
  await tx.deleteFrom('sign_in_links').execute();
}
