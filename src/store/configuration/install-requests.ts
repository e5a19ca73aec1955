import type { Selectable } from 'kysely';
import { type CatalogueWay, catalogueWaySchema } from '#shared/vocabulary/server/installed-from.ts';
import { objectFromJson, toJson } from '../database/json.ts';
import type { Db } from '../database/store.ts';
import { readRows } from '../database/unreadable-rows.ts';
import type { InstallRequestsTable } from '../tables/configuration-tables.ts';

/** Somebody asks the admins to install an entry of the catalogue. */
export interface InstallRequest {
  id: string;
  owner: string;
  entry: CatalogueWay & { title: string };
  status: 'open' | 'approved' | 'denied';
  serverId?: string;
  createdAt: number;
  decidedAt?: number;
}

const entrySchema = catalogueWaySchema.loose();

export async function insertRequest(tx: Db, request: InstallRequest): Promise<void> {
  const { id, owner, entry, status, createdAt } = request;
  await tx
    .insertInto('install_requests')
    .values({
      id,
      owner,
      entry: toJson(entry),
      status,
      server_id: null,
      created_at: createdAt,
      decided_at: null,
    })
    .execute();
}

/** Newest first: those of one person, or with `open` every open one of the others as well. */
export async function listRequests(
  db: Db,
  { owner, open }: { owner: string; open: boolean },
): Promise<InstallRequest[]> {
  const rows = await db
    .selectFrom('install_requests')
    .selectAll()
    .where((where) =>
      where.or([
        where('owner', '=', owner),
        ...(open ? [where('status', '=', 'open' as const)] : []),
      ]),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(1000)
    .execute();
  return readRows(db, 'install_requests', rows, toRequest);
}

/** Who made a request. */
export async function requestOwner(db: Db, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('install_requests')
    .select('owner')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.owner;
}

/** Decides on a request that is open; undefined if it is not. */
export async function decideRequest(
  tx: Db,
  id: string,
  decision: { status: 'approved' | 'denied'; serverId?: string; at: number },
): Promise<InstallRequest | undefined> {
  const row = await tx
    .updateTable('install_requests')
    .set({
      status: decision.status,
      server_id: decision.serverId ?? null,
      decided_at: decision.at,
    })
    .where('id', '=', id)
    .where('status', '=', 'open')
    .returningAll()
    .executeTakeFirst();
  return row && toRequest(row);
}

/** False if the owner has no such request. */
export async function deleteRequest(tx: Db, owner: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('install_requests')
    .where('owner', '=', owner)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

function toRequest(row: Selectable<InstallRequestsTable>): InstallRequest {
  const { title, ...way } = entrySchema.parse(objectFromJson(row.entry));
  return {
    id: row.id,
    owner: row.owner,
    entry: { ...way, title: typeof title === 'string' ? title : way.name },
    status: row.status,
    ...(row.server_id !== null && { serverId: row.server_id }),
    createdAt: row.created_at,
    ...(row.decided_at !== null && { decidedAt: row.decided_at }),
  };
}
