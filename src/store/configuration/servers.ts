import type { Selectable } from 'kysely';
import { mapSecrets, type SecretPlace } from '#shared/api/server-secrets.ts';
import { sanitiseText } from '#shared/text/text.ts';
import type { SecretBox } from '#shared/vocabulary/ports.ts';
import { installedFromSchema } from '#shared/vocabulary/server/installed-from.ts';
import {
  type Attachment,
  type ServerConfig,
  serverConfigSchema,
  type ServerRecord,
  type StdioConfig,
} from '#shared/vocabulary/server.ts';
import { forgetOrigins } from '../calls/provenance.ts';
import { damagedRecord, objectFromJson, toJson } from '../database/json.ts';
import type { Db, Store } from '../database/store.ts';
import type { ServersTable } from '../tables/configuration-tables.ts';
import { readRows } from '../database/unreadable-rows.ts';

export async function insertServer(db: Db, box: SecretBox, server: ServerRecord): Promise<void> {
  await db.insertInto('servers').values(toRow(box, server)).execute();
}

/** Oldest first. */
export async function listServers(db: Db, box: SecretBox, owner: string): Promise<ServerRecord[]> {
  const rows = await db
    .selectFrom('servers')
    .selectAll()
    .where('owner', '=', owner)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return readRows(db, 'servers', rows, (row) => toRecord(box, row));
}

/** What all local servers of everybody run; what cannot be read is left out. Opens no secret. */
export async function listCommands(
  db: Db,
): Promise<Pick<StdioConfig, 'command' | 'args' | 'registryUrl'>[]> {
  const rows = await db.selectFrom('servers').selectAll().execute();
  const configs = readRows(db, 'servers', rows, ({ config }) => readConfig(config));
  return configs.flatMap((config) => (config.type === 'stdio' ? config : []));
}

/** A server that nobody else changes until the end of `tx`. */
export async function holdServer(
  tx: Db,
  dialect: Store['dialect'],
  box: SecretBox,
  { owner, id }: Pick<ServerRecord, 'owner' | 'id'>,
): Promise<ServerRecord | undefined> {
  const row = await tx
    .selectFrom('servers')
    .selectAll()
    .where('owner', '=', owner)
    .where('id', '=', id)
    .$if(dialect === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst();
  return row && toRecord(box, row);
}

export async function countServers(db: Db, owner: string): Promise<number> {
  const { count } = await db
    .selectFrom('servers')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('owner', '=', owner)
    .executeTakeFirstOrThrow();
  return count;
}

/** Replaces a server. False if its owner has no such server. */
export async function updateServer(db: Db, box: SecretBox, server: ServerRecord): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('servers')
    .set(toRow(box, server))
    .where('owner', '=', server.owner)
    .where('id', '=', server.id)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** False if the owner has no such server. */
export async function deleteServer(db: Db, owner: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('servers')
    .where('owner', '=', owner)
    .where('id', '=', id)
    .executeTakeFirst();
  await forgetOrigins(db, owner, 'server', [id]);
  return numDeletedRows === 1n;
}

/** Removes the session servers of an assistant; those of a topic go with its row. */
export async function deleteServersOfAssistant(
  db: Db,
  owner: string,
  assistantId: string,
): Promise<void> {
  await db
    .deleteFrom('servers')
    .where('owner', '=', owner)
    .where('assistant_id', '=', assistantId)
    .execute();
}

function toRow(box: SecretBox, server: ServerRecord): ServersTable {
  return {
    id: server.id,
    owner: server.owner,
    name: sanitiseText(server.config.name),
    config: toJson(
      mapSecrets(server.config, (value, place, name) =>
        box.seal(sanitiseText(value), `server:${server.id}:${place}:${name}`),
      ),
    ),
    approved_hash: server.approvedHash ?? null,
    assistant_id: null,
    topic_id: null,
    ...(server.attachedTo && toColumns(server.attachedTo)),
    shared: Number(server.shared ?? false),
    installed_from: server.installedFrom ? toJson(server.installedFrom) : null,
    created_at: server.createdAt,
    updated_at: server.updatedAt,
  };
}

function toRecord(box: SecretBox, row: Selectable<ServersTable>): ServerRecord {
  return {
    id: row.id,
    owner: row.owner,
    config: mapSecrets(readConfig(row.config), (value, place, name) =>
      isClear(value, place) ? value : box.open(value, `server:${row.id}:${place}:${name}`),
    ),
    ...(row.approved_hash !== null && { approvedHash: row.approved_hash }),
    ...toAttachment(row),
    ...(row.shared === 1 && { shared: true }),
    ...toInstalledFrom(row),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function toColumns(attachedTo: Attachment): Pick<ServersTable, 'assistant_id' | 'topic_id'> {
  return 'topic' in attachedTo
    ? { assistant_id: null, topic_id: attachedTo.topic }
    : { assistant_id: attachedTo.assistant, topic_id: null };
}

function toAttachment(row: Selectable<ServersTable>): Pick<ServerRecord, 'attachedTo'> {
  if (row.topic_id !== null) return { attachedTo: { topic: row.topic_id } };
  return row.assistant_id === null ? {} : { attachedTo: { assistant: row.assistant_id } };
}

function toInstalledFrom(row: Selectable<ServersTable>): Pick<ServerRecord, 'installedFrom'> {
  if (row.installed_from === null) return {};
  const { data } = installedFromSchema.safeParse(objectFromJson(row.installed_from));
  return data ? { installedFrom: data } : {};
}

/** Addresses were not always sealed. */
function isClear(value: string, place: SecretPlace): boolean {
  return place === 'address' && !value.startsWith('v1.');
}

function readConfig(stored: string): ServerConfig {
  const config = objectFromJson(stored) as ServerConfig;
  if (serverConfigSchema.options.some(({ shape }) => shape.type.value === config.type))
    return config;
  throw damagedRecord(new Error('a server of an unknown type'));
}

/** Seals the secrets of every server with another key. How many servers there are. */
export async function resealServers(tx: Db, from: SecretBox, to: SecretBox): Promise<number> {
  const rows = await tx.selectFrom('servers').selectAll().execute();
  for (const row of rows)
    await tx
      .updateTable('servers')
      .set({ config: toRow(to, toRecord(from, row)).config })
      .where('id', '=', row.id)
      .execute();
  return rows.length;
}

/** When each server of these owners was last changed. */
export async function listServerVersions(
  db: Db,
  owners: readonly string[],
): Promise<{ id: string; owner: string; updatedAt: number }[]> {
  if (owners.length === 0) return [];
  return await db
    .selectFrom('servers')
    .select(['id', 'owner', 'updated_at as updatedAt'])
    .where('owner', 'in', owners)
    .execute();
}
