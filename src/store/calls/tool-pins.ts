import { sql } from 'kysely';
import { sanitiseText } from '#shared/text/text.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { firstHash } from '#shared/text/pin-hash.ts';
import { inChunks } from '../database/chunks.ts';
import { fromJson, toJson } from '../database/json.ts';
import type { Db } from '../database/store.ts';

/** The definition of a tool that a person approved, or that was there when its server was. */
export interface ToolPin {
  serverId: string;
  toolName: string;
  /** With its version; without one where only an older program has pinned the tool. */
  definitionHash: string;
}

/** A pin with what it was made of. */
export interface NewToolPin extends ToolPin {
  definition: JsonObject;
}

export async function listPins(db: Db, owner: string): Promise<ToolPin[]> {
  const rows = await db
    .selectFrom('tool_pins')
    .select(['server_id', 'tool_name', 'definition_hash', 'full_hash'])
    .where('owner', '=', owner)
    .execute();
  return rows.map((row) => ({
    serverId: row.server_id,
    toolName: row.tool_name,
    definitionHash: hashOf(row),
  }));
}

/** The definitions that are pinned for a server, by tool, as far as they were kept. */
export async function pinnedDefinitions(
  db: Db,
  owner: string,
  serverId: string,
): Promise<Map<string, JsonObject>> {
  const rows = await db
    .selectFrom('tool_pins')
    .select(['tool_name', 'definition'])
    .where('owner', '=', owner)
    .where('server_id', '=', serverId)
    .execute();
  return new Map(
    rows.flatMap(({ tool_name: name, definition }) =>
      definition === null ? [] : [[name, fromJson(definition) as JsonObject]],
    ),
  );
}

/** Pins what is not pinned yet; a pin that is there stays as it is. Servers that are gone get none. */
export async function insertPins(
  tx: Db,
  owner: string,
  pins: readonly NewToolPin[],
  now: number,
): Promise<void> {
  const ids = [...new Set(pins.map(({ serverId }) => serverId))];
  const found = await tx
    .selectFrom('servers')
    .select('id')
    .where('owner', '=', owner)
    .where('id', 'in', ids)
    .execute();
  const there = new Set(found.map(({ id }) => id));
  const wanted = pins.filter(({ serverId }) => there.has(serverId));
  await inChunks(wanted, 100, (piece) =>
    tx
      .insertInto('tool_pins')
      .values(piece.map((pin) => toRow(owner, pin, now)))
      .onConflict((conflict) => conflict.columns(['server_id', 'tool_name']).doNothing())
      .execute(),
  );
}

/** Pins this definition in the place of the one before. */
export async function replacePin(
  tx: Db,
  owner: string,
  pin: NewToolPin,
  now: number,
): Promise<void> {
  const row = toRow(owner, pin, now);
  const { definition_hash, full_hash, definition, approved_at } = row;
  await tx
    .insertInto('tool_pins')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['server_id', 'tool_name'])
        .doUpdateSet({ definition_hash, full_hash, definition, approved_at }),
    )
    .execute();
}

/**
 * Gives pins of an older program what they lack. One that has it by now, or that is for another
 * definition, stays as it is.
 */
export async function renewPins(tx: Db, owner: string, pins: readonly NewToolPin[]): Promise<void> {
  for (const pin of pins) {
    const { full_hash, definition, definition_hash, server_id, tool_name } = toRow(owner, pin, 0);
    await tx
      .updateTable('tool_pins')
      .set({ full_hash, definition })
      .where('owner', '=', owner)
      .where('server_id', '=', server_id)
      .where('tool_name', '=', tool_name)
      .where('definition_hash', '=', definition_hash)
      .where((row) =>
        row.or([
          row('full_hash', 'is', null),
          row('full_hash', 'not like', sql<string>`'2:' || definition_hash || ':%'`),
        ]),
      )
      .execute();
  }
}

/** A person approved the server again: what it says next is pinned. */
export async function deletePins(tx: Db, owner: string, serverId: string): Promise<void> {
  await tx
    .deleteFrom('tool_pins')
    .where('owner', '=', owner)
    .where('server_id', '=', serverId)
    .execute();
}

function toRow(owner: string, pin: NewToolPin, now: number) {
  return {
    owner,
    server_id: pin.serverId,
    tool_name: sanitiseText(pin.toolName),
    definition_hash: firstHash(pin.definitionHash),
    full_hash: pin.definitionHash,
    definition: toJson(pin.definition),
    approved_at: now,
  };
}

/** An older program replaces the hash it knows and leaves the other, which then is of something else. */
function hashOf(row: { definition_hash: string; full_hash: string | null }): string {
  const { definition_hash: first, full_hash: full } = row;
  return full !== null && firstHash(full) === first ? full : first;
}
