import { sql } from 'kysely';
import type { Origin } from '#shared/vocabulary/origin.ts';
import type { ProvenancePort } from '#shared/vocabulary/ports.ts';
import { inChunks } from '../database/chunks.ts';
import { listFromJson, toJson } from '../database/json.ts';
import type { Db, Store } from '../database/store.ts';
import type { Tables } from '../tables/tables.ts';

type Place = Tables['provenance']['place'];

const chunkSize = 500;
/** Rows that an owner's files may have; beyond that the oldest go, and their words are unknown again. */
const maxOfFiles = 50_000;
/** Between two looks at how many there are. */
const tidyEvery = 500;

/** Who wrote the files of one owner, as far as it is known. */
export function createProvenance(store: Store, owner: string, now = Date.now): ProvenancePort {
  let noted = 0;
  return {
    find: (keys) => findOrigins(store.db, owner, 'files', keys),
    note: async (keys, origins) => {
      await store.transaction(async (tx) => {
        await noteOrigins(tx, { owner, place: 'files', keys, origins, at: now() });
        noted += keys.length;
        if (noted < tidyEvery) return;
        noted = 0;
        await dropOldest(tx, owner, 'files', maxOfFiles);
      });
    },
  };
}

/** By key, where its words came from; absent where nobody knows. */
export async function findOrigins(
  db: Db,
  owner: string,
  place: Place,
  keys: readonly string[],
): Promise<Map<string, Origin[]>> {
  const rows = await inChunks([...new Set(keys)], chunkSize, (piece) =>
    db
      .selectFrom('provenance')
      .select(['key', 'origins'])
      .where('owner', '=', owner)
      .where('place', '=', place)
      .where('key', 'in', piece)
      .execute(),
  );
  return new Map(rows.flat().map(({ key, origins }) => [key, listFromJson(origins) as Origin[]]));
}

/**
 * Notes who said words, before they are kept. What nobody untrusted said is trusted from then on; words
 * that were trusted before stay trusted, no matter who repeats them.
 */
export async function noteOrigins(
  tx: Db,
  noted: {
    owner: string;
    place: Place;
    keys: readonly string[];
    origins: readonly Origin[];
    at: number;
  },
): Promise<void> {
  const { owner, place, origins, at } = noted;
  const value = toJson(origins);
  await inChunks([...new Set(noted.keys)].sort(), chunkSize, (piece) =>
    tx
      .insertInto('provenance')
      .values(piece.map((key) => ({ owner, place, key, origins: value, noted_at: at })))
      .onConflict((conflict) => {
        const columns = conflict.columns(['owner', 'place', 'key']);
        if (origins.length > 0) return columns.doNothing();
        return columns.doUpdateSet({ origins: value, noted_at: at });
      })
      .execute(),
  );
}

/** Forgets what was noted of words that are no longer kept. */
export async function forgetOrigins(
  tx: Db,
  owner: string,
  place: Place,
  keys: readonly string[],
): Promise<void> {
  await inChunks(keys, chunkSize, (piece) =>
    tx
      .deleteFrom('provenance')
      .where('owner', '=', owner)
      .where('place', '=', place)
      .where('key', 'in', piece)
      .execute(),
  );
}

/** Everything of a place that is not trusted. */
export async function listUntrusted(
  db: Db,
  owner: string,
  place: Place,
): Promise<{ key: string; origins: Origin[] }[]> {
  const rows = await db
    .selectFrom('provenance')
    .select(['key', 'origins'])
    .where('owner', '=', owner)
    .where('place', '=', place)
    .where('origins', '!=', '[]')
    .orderBy('noted_at')
    .orderBy('key')
    .execute();
  return rows.map(({ key, origins }) => ({ key, origins: listFromJson(origins) as Origin[] }));
}

async function dropOldest(tx: Db, owner: string, place: Place, most: number): Promise<void> {
  const last = await tx
    .selectFrom('provenance')
    .select('noted_at')
    .where('owner', '=', owner)
    .where('place', '=', place)
    .orderBy('noted_at', 'desc')
    .offset(most)
    .limit(sql.lit(1))
    .executeTakeFirst();
  if (!last) return;
  await tx
    .deleteFrom('provenance')
    .where('owner', '=', owner)
    .where('place', '=', place)
    .where('noted_at', '<=', last.noted_at)
    .execute();
}
