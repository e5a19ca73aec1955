import { type ExpressionBuilder, type Selectable, sql, type Updateable } from 'kysely';
import { sanitiseText } from '#shared/text/text.ts';
import type { TopicPatch } from '#shared/vocabulary/event.ts';
import type { Topic } from '#shared/vocabulary/message.ts';
import { objectFromJson, toJson, toJsonOrNull } from '../database/json.ts';
import type { Db } from '../database/store.ts';
import type { TopicsTable } from '../tables/conversation-tables.ts';
import type { Tables, TableWith } from '../tables/tables.ts';
import { readRows } from '../database/unreadable-rows.ts';
import { hiddenOwners, recoverableOf, sweptOwner } from './hidden-topics.ts';
import { indexTexts, removeFromIndex } from './search.ts';

/** The journal's numbering of one topic: the next event's number, and the last one no longer there. */
export interface TopicSeq {
  nextSeq: number;
  floorSeq: number;
}

/** In the column of those that are archived: lists ask for one of the other two values. */
const unlisted = 2;

/** For what goes through all topics of an owner: those of programs are no chats. */
export const isListed = sql<boolean>`topics.archived < ${sql.lit(unlisted)}`;

export async function insertTopic(db: Db, owner: string, topic: Topic): Promise<void> {
  await db
    .insertInto('topics')
    .values({
      id: topic.id,
      owner,
      title: sanitiseText(topic.title),
      titled: topic.titled ? 1 : 0,
      assistant_id: topic.assistantId,
      model: topic.model ?? null,
      system_prompt: textOrNull(topic.systemPrompt),
      parameters: toJsonOrNull(topic.parameters),
      mcp: toJsonOrNull(topic.mcp),
      active_leaf_id: topic.activeLeafId,
      pinned_at: topic.pinnedAt ?? null,
      archived: topic.unlisted ? unlisted : topic.archived ? 1 : 0,
      forked_from: toJsonOrNull(topic.forkedFrom),
      created_at: topic.createdAt,
      updated_at: topic.updatedAt,
    })
    .execute();
  await indexTitle(db, topic.id, topic.title);
}

export async function getTopic(db: Db, owner: string, id: string): Promise<Topic | undefined> {
  const row = await selectTopics(db, owner).where('id', '=', id).executeTakeFirst();
  return row && toTopic(row);
}

/** The same without settings that are damaged. */
export async function findTopic(db: Db, owner: string, id: string): Promise<Topic | undefined> {
  const rows = await selectTopics(db, owner).where('id', '=', id).execute();
  return readRows(db, 'topics', rows, toTopic, withoutSettings)[0];
}

/** False if the owner has no such topic. */
export async function updateTopic(
  db: Db,
  owner: string,
  id: string,
  patch: TopicPatch,
): Promise<boolean> {
  const changes = toChanges(patch);
  if (Object.values(changes).every((value) => value === undefined)) {
    return (await topicOwner(db, id)) === owner;
  }
  const { numUpdatedRows } = await db
    .updateTable('topics')
    .set(changes)
    .where('id', '=', id)
    .where('owner', '=', owner)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  if (typeof patch.title === 'string') {
    await removeFromIndex(db, id, [id]);
    await indexTitle(db, id, patch.title);
  }
  return true;
}

/**
 * How the rows of a deleted topic go: at once, where they are found without it, or swept after it (`sweep.ts`). A new
 * table does not compile without its line.
 */
const removal = {
  topic_uses: 'at-once',
  runs: 'at-once',
  servers: 'at-once',
  policy_rules: 'at-once',
  inbox: 'at-once',
  events: 'at-once',
  messages: 'swept',
  tool_calls: 'swept',
  blob_refs: 'swept',
  records: 'swept',
  record_parts: 'swept',
  search: 'swept',
} as const satisfies Record<TableWith<'topic_id'>, 'at-once' | 'swept'>;

/**
 * Deletes a topic for everybody: from the commit on nobody finds it, nor what belongs to it. Its rows go in
 * slices (see `sweep.ts`). False if the owner has no such topic.
 */
export async function deleteTopic(tx: Db, owner: string, id: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('topics')
    .set({ owner: sweptOwner(recoverableOf(owner) ?? owner) })
    .where('id', '=', id)
    .where('owner', '=', owner)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  for (const [table, when] of Object.entries(removal))
    if (when === 'at-once')
      await sql`delete from ${sql.table(table)} where topic_id = ${id}`.execute(tx);
  return true;
}

export async function getTopicSeq(db: Db, id: string): Promise<TopicSeq | undefined> {
  return await db
    .selectFrom('topics')
    .select(['next_seq as nextSeq', 'floor_seq as floorSeq'])
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function setTopicSeq(
  db: Db,
  id: string,
  seq: Pick<TopicSeq, 'nextSeq'> & Partial<TopicSeq>,
): Promise<void> {
  await db
    .updateTable('topics')
    .set({ next_seq: seq.nextSeq, floor_seq: seq.floorSeq })
    .where('id', '=', id)
    .execute();
}

/** The last event each of these topics has in its rows; those that are gone are missing. */
export async function listTopicSeqs(db: Db, ids: string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('topics')
    .select(['id', 'next_seq'])
    .where('id', 'in', ids)
    .where((eb) => eb.not(isSwept(eb)))
    .execute();
  return new Map(rows.map((row) => [row.id, row.next_seq - 1]));
}

function isSwept(eb: ExpressionBuilder<Tables, 'topics'>) {
  const { from, before } = hiddenOwners.swept;
  return eb.and([eb('owner', '>=', from), eb('owner', '<', before)]);
}

export async function topicOwner(db: Db, id: string): Promise<string | undefined> {
  const row = await db.selectFrom('topics').select('owner').where('id', '=', id).executeTakeFirst();
  return row?.owner;
}

/** What is shown of a topic; the rest is for its writer. */
const shown = [
  'id',
  'title',
  'titled',
  'assistant_id',
  'model',
  'system_prompt',
  'parameters',
  'mcp',
  'active_leaf_id',
  'pinned_at',
  'archived',
  'forked_from',
  'created_at',
  'updated_at',
] as const;

/** The topics of an owner as `toTopic` reads them. */
export function selectTopics(db: Db, owner: string) {
  return db
    .selectFrom('topics')
    .select(shown)
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('messages')
            .select(eb.lit(1).as('one'))
            .whereRef('messages.topic_id', '=', 'topics.id')
            .where('messages.running', '=', eb.lit(1)),
        )
        .as('is_loading'),
    )
    .where('owner', '=', owner);
}

async function indexTitle(db: Db, topicId: string, title: string): Promise<void> {
  await indexTexts(db, [{ topicId, kind: 'topic', refId: topicId, text: title }]);
}

function textOrNull(text: string | null | undefined): string | null {
  return text === undefined || text === null ? null : sanitiseText(text);
}

/** Kysely leaves undefined columns out. */
function toChanges(patch: TopicPatch): Updateable<TopicsTable> {
  const json = (value: unknown): string | null | undefined =>
    value === undefined ? undefined : value === null ? null : toJson(value);
  const { title, titled, systemPrompt } = patch;
  return {
    title: typeof title === 'string' ? sanitiseText(title) : undefined,
    titled: typeof titled === 'boolean' ? Number(titled) : undefined,
    assistant_id: patch.assistantId ?? undefined,
    model: patch.model,
    system_prompt: systemPrompt === undefined ? undefined : textOrNull(systemPrompt),
    parameters: json(patch.parameters),
    mcp: json(patch.mcp),
    active_leaf_id: patch.activeLeafId,
    pinned_at: patch.pinnedAt,
    archived: patch.archived === undefined ? undefined : Number(patch.archived === true),
    updated_at: patch.updatedAt ?? undefined,
  };
}

/** What `selectTopics` gives. */
export type TopicRow = Pick<Selectable<TopicsTable>, (typeof shown)[number]> & {
  is_loading: unknown;
};

/** A page with a row less would be taken for the last one. */
export function withoutSettings(row: TopicRow): Topic[] {
  return [toTopic({ ...row, parameters: null, mcp: null, forked_from: null })];
}

/** A row as a topic. */
export function toTopic(row: TopicRow): Topic {
  const { model, system_prompt: systemPrompt, parameters, mcp, forked_from: from } = row;
  const topic: Topic = {
    id: row.id,
    title: row.title,
    titled: row.titled === 1,
    assistantId: row.assistant_id,
    activeLeafId: row.active_leaf_id,
    isLoading: Boolean(row.is_loading),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
  if (model !== null) topic.model = model;
  if (systemPrompt !== null) topic.systemPrompt = systemPrompt;
  if (parameters !== null) topic.parameters = objectFromJson(parameters) as Topic['parameters'];
  if (mcp !== null) topic.mcp = objectFromJson(mcp) as Topic['mcp'];
  if (row.pinned_at !== null) topic.pinnedAt = row.pinned_at;
  if (row.archived === 1) topic.archived = true;
  if (row.archived === unlisted) topic.unlisted = true;
  if (from !== null) topic.forkedFrom = objectFromJson(from) as Topic['forkedFrom'];
  return topic;
}
