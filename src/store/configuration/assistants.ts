import type { Selectable } from 'kysely';
import { sanitiseText } from '#shared/text/text.ts';
import type { Assistant, Topic } from '#shared/vocabulary/message.ts';
import { fromJson, toJson } from '../database/json.ts';
import type { Db } from '../database/store.ts';
import type { AssistantsTable } from '../tables/configuration-tables.ts';
import { readRows } from '../database/unreadable-rows.ts';

/** The assistant that is always there. */
const defaultAssistantId = 'default';

export async function insertAssistant(db: Db, owner: string, assistant: Assistant): Promise<void> {
  await db.insertInto('assistants').values(toRow(owner, assistant)).execute();
}

export async function getAssistant(
  db: Db,
  owner: string,
  id: string,
): Promise<Assistant | undefined> {
  const row = await db
    .selectFrom('assistants')
    .selectAll()
    .where('owner', '=', owner)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && toAssistant(row);
}

export async function countAssistants(db: Db, owner: string): Promise<number> {
  const { count } = await db
    .selectFrom('assistants')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('owner', '=', owner)
    .executeTakeFirstOrThrow();
  return count;
}

/** The assistant of a topic: the default one where its own went while somebody had the topic open. */
export async function assistantOfTopic(
  db: Db,
  owner: string,
  { assistantId }: Pick<Topic, 'assistantId'>,
): Promise<Assistant | undefined> {
  return (
    (await getAssistant(db, owner, assistantId)) ?? getAssistant(db, owner, defaultAssistantId)
  );
}

/** Oldest first. */
export async function listAssistants(db: Db, owner: string): Promise<Assistant[]> {
  const rows = await db
    .selectFrom('assistants')
    .selectAll()
    .where('owner', '=', owner)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return readRows(db, 'assistants', rows, toAssistant);
}

/** Replaces an assistant. False if the owner has no such assistant. */
export async function updateAssistant(
  db: Db,
  owner: string,
  assistant: Assistant,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('assistants')
    .set(toRow(owner, assistant))
    .where('owner', '=', owner)
    .where('id', '=', assistant.id)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Removes an assistant; its topics go on with the default one. False if there is no such assistant. */
export async function deleteAssistant(tx: Db, owner: string, id: string): Promise<boolean> {
  await tx
    .updateTable('topics')
    .set({ assistant_id: defaultAssistantId })
    .where('owner', '=', owner)
    .where('assistant_id', '=', id)
    .execute();
  const { numDeletedRows } = await tx
    .deleteFrom('assistants')
    .where('owner', '=', owner)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

function toRow(owner: string, assistant: Assistant): AssistantsTable {
  return {
    id: assistant.id,
    owner,
    name: sanitiseText(assistant.name),
    system_prompt: sanitiseText(assistant.systemPrompt),
    model: assistant.model ?? null,
    parameters: toJson(assistant.parameters),
    mcp: toJson(assistant.mcp),
    created_at: assistant.createdAt,
    updated_at: assistant.updatedAt,
  };
}

function toAssistant(row: Selectable<AssistantsTable>): Assistant {
  return {
    id: row.id,
    name: row.name,
    systemPrompt: row.system_prompt,
    ...(row.model !== null && { model: row.model }),
    parameters: fromJson(row.parameters) as Assistant['parameters'],
    mcp: fromJson(row.mcp) as Assistant['mcp'],
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
