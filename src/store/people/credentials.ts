import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { CredentialPlace, CredentialPort, SecretBox } from '#shared/vocabulary/ports.ts';
import { fromJson, toJson } from '../database/json.ts';
import type { Db, Store } from '../database/store.ts';

interface SealedRow {
  server_id: string;
  kind: string;
  sealed: string;
  expires_at: number | null;
}

/** Credentials for MCP servers in the database, each sealed for its own row. */
export function createCredentials(
  { db, exclusive }: Pick<Store, 'db' | 'exclusive'>,
  box: SecretBox,
  now: () => number = Date.now,
): CredentialPort {
  const open = (row: SealedRow | undefined): JsonObject | undefined => {
    if (!row || (row.expires_at !== null && row.expires_at <= now())) return undefined;
    return fromJson(box.open(row.sealed, context(row.server_id, row.kind))) as JsonObject;
  };
  return {
    async read(place) {
      const row = await db
        .selectFrom('credentials')
        .select(['server_id', 'kind', 'sealed', 'expires_at'])
        .where('server_id', '=', place.serverId)
        .where('kind', '=', kindOf(place))
        .executeTakeFirst();
      return open(row);
    },

    async write(place, value, expiresAt) {
      const kind = kindOf(place);
      const fields = {
        sealed: box.seal(toJson(value), context(place.serverId, kind)),
        expires_at: expiresAt ?? null,
        updated_at: now(),
      };
      await db.deleteFrom('credentials').where('expires_at', '<=', now()).execute();
      await db
        .insertInto('credentials')
        .values({ owner: place.owner, server_id: place.serverId, kind, ...fields })
        .onConflict((conflict) => conflict.columns(['server_id', 'kind']).doUpdateSet(fields))
        .execute();
    },

    async take(place) {
      const row = await db
        .deleteFrom('credentials')
        .where('server_id', '=', place.serverId)
        .where('kind', '=', kindOf(place))
        .returning(['server_id', 'kind', 'sealed', 'expires_at'])
        .executeTakeFirst();
      return open(row);
    },

    async locateFlow(name) {
      const row = await db
        .selectFrom('credentials')
        .select(['owner', 'server_id as serverId'])
        .where('kind', '=', kindOf({ kind: 'flow', owner: '', name }))
        .where('expires_at', '>', now())
        .executeTakeFirst();
      return row && { ...row, kind: 'flow', name };
    },

    list: async (of) =>
      (await listKinds(db, of))
        .filter((kind) => kind.startsWith(startOf(of)))
        .map((kind) => ({ ...of, name: kind.slice(startOf(of).length) })),

    async remove(of) {
      const { kind, name } = of;
      const fits = (row: string): boolean =>
        kind === undefined ||
        (name === undefined
          ? row.startsWith(startOf({ ...of, kind }))
          : row === kindOf({ ...of, kind, name }));
      const kinds = (await listKinds(db, of)).filter(fits);
      if (kinds.length === 0) return;
      await db
        .deleteFrom('credentials')
        .where('server_id', '=', of.serverId)
        .where('kind', 'in', kinds)
        .execute();
    },

    exclusive: (of, work) => exclusive(`credentials ${of.owner} ${of.serverId}`, work),
  };
}

/**
 * Forgets everything that was agreed on for a server, by anyone. With `exceptPins` it stays known
 * to which issuers its stored secrets belong.
 */
export async function deleteCredentials(
  tx: Db,
  serverId: string,
  { exceptPins = false } = {},
): Promise<void> {
  await tx
    .deleteFrom('credentials')
    .where('server_id', '=', serverId)
    .$if(exceptPins, (query) => query.where('kind', 'not like', 'pin:%'))
    .execute();
}

/** Seals every credential with another key. How many there are. */
export async function resealCredentials(tx: Db, from: SecretBox, to: SecretBox): Promise<number> {
  const rows = await tx.selectFrom('credentials').select(['server_id', 'kind', 'sealed']).execute();
  for (const { server_id: serverId, kind, sealed } of rows) {
    const place = context(serverId, kind);
    await tx
      .updateTable('credentials')
      .set({ sealed: to.seal(from.open(sealed, place), place) })
      .where('server_id', '=', serverId)
      .where('kind', '=', kind)
      .execute();
  }
  return rows.length;
}

async function listKinds(
  db: Db,
  { owner, serverId }: Pick<CredentialPlace, 'owner' | 'serverId'>,
): Promise<string[]> {
  const rows = await db
    .selectFrom('credentials')
    .select('kind')
    .where('server_id', '=', serverId)
    .where('owner', '=', owner)
    .orderBy('kind')
    .execute();
  return rows.map(({ kind }) => kind);
}

/**
 * The row's key has no column for the owner and the name, so both are part of its kind. The name of a
 * flow is unique by itself, and is all that is known when a browser comes back.
 */
function kindOf(place: Omit<CredentialPlace, 'serverId'>): string {
  return startOf(place) + place.name;
}

function startOf({ kind, owner }: Pick<CredentialPlace, 'kind' | 'owner'>): string {
  return kind === 'flow' ? 'flow:' : `${kind}:${encodeURIComponent(owner)}:`;
}

function context(serverId: string, kind: string): string {
  return `credential:${serverId}:${kind}`;
}
