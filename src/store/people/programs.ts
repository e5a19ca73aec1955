import { sanitiseText } from '#shared/text/text.ts';
import { listFromJson, toJson } from '../database/json.ts';
import type { Db } from '../database/store.ts';

/** A program that registered itself. Anyone may register one: its name is no more than what it says. */
export interface RegisteredProgram {
  id: string;
  name: string;
  redirectUris: string[];
  /** Absent: it has no secret. */
  secretHash?: string;
}

/** How many programs may be registered without being connected, and for how long. */
export interface RegistrationRoom {
  count: number;
  /** Milliseconds. */
  time: number;
}

/**
 * Keeps a program. Those that nobody has connected for a while are forgotten; where there are still too many, the
 * oldest of them give way, so that nobody can keep others out.
 */
export async function insertProgram(
  tx: Db,
  program: RegisteredProgram,
  room: RegistrationRoom,
  now: number,
): Promise<void> {
  await tx
    .deleteFrom('programs')
    .where('id', 'in', unconnected(tx).where('seen_at', '<', now - room.time))
    .execute();
  const { count } = await tx
    .selectFrom(unconnected(tx).as('unconnected'))
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const excess = count - room.count + 1;
  if (excess > 0) {
    const oldest = unconnected(tx).orderBy('seen_at').orderBy('id').limit(excess);
    await tx.deleteFrom('programs').where('id', 'in', oldest).execute();
  }
  await tx
    .insertInto('programs')
    .values({
      id: program.id,
      name: sanitiseText(program.name),
      redirect_uris: toJson(program.redirectUris),
      secret_hash: program.secretHash ?? null,
      created_at: now,
      seen_at: now,
    })
    .execute();
}

export async function findProgram(db: Db, id: string): Promise<RegisteredProgram | undefined> {
  const row = await db
    .selectFrom('programs')
    .select(['id', 'name', 'redirect_uris', 'secret_hash'])
    .where('id', '=', id)
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      name: row.name,
      redirectUris: listFromJson(row.redirect_uris) as string[],
      ...(row.secret_hash !== null && { secretHash: row.secret_hash }),
    }
  );
}

/** Notes that a program is in use. */
export async function touchProgram(db: Db, id: string, now: number): Promise<void> {
  await db.updateTable('programs').set({ seen_at: now }).where('id', '=', id).execute();
}

function unconnected(db: Db) {
  return db
    .selectFrom('programs')
    .select('id')
    .where('id', 'not in', db.selectFrom('grants').select('program_id'));
}
