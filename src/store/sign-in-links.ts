import type { Db } from './store.ts';

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

/** Uses a link up, in one step: of several takers, on whatever host, exactly one gets when it ends. */
export async function takeSignInLink(tx: Db, codeHash: string): Promise<number | undefined> {
  const row = await tx
    .deleteFrom('sign_in_links')
    .where('code_hash', '=', codeHash)
    .returning('expires_at')
    .executeTakeFirst();
  return row?.expires_at;
}

export async function deleteSignInLinks(tx: Db): Promise<void> {
  await tx.deleteFrom('sign_in_links').execute();
}
