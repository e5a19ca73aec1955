import { sql } from 'kysely';
import type { DirectCallView } from '#shared/api/tool-call-api.ts';
import type { ErrorInfo } from '#shared/errors/errors.ts';
import type { Within } from '#shared/vocabulary/server-limit.ts';
import { keyMemoryMs } from '../conversations/idempotency.ts';
import { fromJson } from '../database/json.ts';
import { inSlices } from '../database/slices.ts';
import type { Db, Store } from '../database/store.ts';
import { readRows } from '../database/unreadable-rows.ts';
import { reachOfRow } from './call-reach.ts';

/** Where a page of calls ended. */
interface CallPlace {
  createdAt: number;
  id: string;
}

interface CallsWanted {
  limit: number;
  after?: CallPlace | undefined;
  within?: Within;
  serverId?: string | undefined;
  toolName?: string | undefined;
}

/** How many rows one transaction removes. */
const sliceSize = 100;

/** Calls of an owner outside of any topic, newest first: those after a place, of a server or tool, and within what a key is limited to; a page of them. */
export async function listDirectCalls(
  db: Db,
  owner: string,
  { limit, after, within, serverId, toolName }: CallsWanted,
): Promise<DirectCallView[]> {
  const rows = await directCalls(db, owner)
    .select(['id', 'server_id', 'server_name', 'tool_name', 'state', 'reach', 'error'])
    .select(['created_at', 'started_at', 'ended_at'])
    .select(sql<number>`case when result is null then 0 else 1 end`.as('answered'))
    .$if(after !== undefined, (query) =>
      query.where((eb) =>
        eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(after?.createdAt ?? 0, after?.id ?? '')),
      ),
    )
    .$if(serverId !== undefined, (query) => query.where('server_id', '=', serverId ?? ''))
    .$if(toolName !== undefined, (query) => query.where('tool_name', '=', toolName ?? ''))
    .$if(within !== undefined, (query) =>
      query.where((eb) =>
        eb.or(
          (within ?? []).map(({ id, tools }) =>
            eb.and([eb('server_id', '=', id), ...(tools ? [eb('tool_name', 'in', tools)] : [])]),
          ),
        ),
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  const toView = (row: (typeof rows)[number]): DirectCallView => ({
    id: row.id,
    serverId: row.server_id,
    serverName: row.server_name,
    toolName: row.tool_name,
    state: row.state,
    ...(row.ended_at !== null && { reach: reachOfRow(row, row.answered === 1) }),
    ...(row.error !== null && { error: fromJson(row.error) as ErrorInfo }),
    createdAt: row.created_at,
    ...(row.started_at !== null && { startedAt: row.started_at }),
    ...(row.ended_at !== null && { endedAt: row.ended_at }),
  });
  return readRows(db, 'tool_calls', rows, toView, (row) => [toView({ ...row, error: null })]);
}

/**
 * Removes calls that have ended, one or a slice of all; which. What may still be asked for by its key loses
 * all it holds, but not its name: the key must not run again.
 */
export async function removeDirectCalls(
  store: Store,
  owner: string,
  now: number,
  id?: string,
): Promise<string[]> {
  return store.transaction(async (tx) => {
    const rows = await directCalls(tx, owner)
      .select(['id', 'created_at'])
      .where('ended_at', 'is not', null)
      .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
      .limit(sliceSize)
      .execute();
    const isKept = ({ created_at }: { created_at: number }) => created_at > now - keyMemoryMs;
    await emptyCalls(tx, idsOf(rows.filter(isKept)), now);
    await deleteCalls(tx, idsOf(rows.filter((row) => !isKept(row))));
    return idsOf(rows);
  });
}

/** By these names answers tell of calls. */
const namesCall = /"(?:id|toolCallId)":"([^"\\]+)"/g;

/**
 * Forgets what keys were answered with that tells of removed calls, in slices. An answer that holds the name of
 * a call and nothing else may stay.
 */
export async function forgetAnswers(
  { db }: Store,
  owner: string,
  ids: ReadonlySet<string>,
): Promise<void> {
  const isOfOne = ({ body }: { body: string | null }) =>
    (body ?? '').matchAll(namesCall).some(([, id = '']) => ids.has(id));
  let after = '';
  await inSlices(async () => {
    const answers = await db
      .selectFrom('idempotency')
      .select(['key', 'body'])
      .where('owner', '=', owner)
      .where('key', '>', after)
      .where('status', 'is not', null)
      .where('body', 'not like', '{"toolCallId":%')
      .where((eb) =>
        eb.or([eb('body', 'like', '%"toolCallId":%'), eb('body', 'like', '%"argsHash":%')]),
      )
      .orderBy('key')
      .limit(sliceSize)
      .execute();
    const keys = answers.filter(isOfOne).map(({ key }) => key);
    if (keys.length > 0)
      await db
        .deleteFrom('idempotency')
        .where('owner', '=', owner)
        .where('key', 'in', keys)
        .execute();
    after = answers.at(-1)?.key ?? after;
    return answers.length === sliceSize;
  });
}

/** Drops a slice of the expired calls of all owners; how many. */
export async function dropOldDirectCalls(
  store: Store,
  times: { endedBefore: number; removedBefore: number },
): Promise<number> {
  const { db } = store;
  const ended = await db
    .selectFrom('tool_calls')
    .select('id')
    .where('topic_id', 'is', null)
    .where('ended_at', '<', times.endedBefore)
    .limit(sliceSize)
    .execute();
  const removed = await db
    .selectFrom('tool_calls')
    .select('id')
    .where('removed_at', '<', times.removedBefore)
    .limit(sliceSize)
    .execute();
  const ids = [...new Set([...idsOf(ended), ...idsOf(removed)])];
  await store.transaction((tx) => deleteCalls(tx, ids));
  return ids.length;
}

function directCalls(db: Db, owner: string) {
  return db
    .selectFrom('tool_calls')
    .where('owner', '=', owner)
    .where('topic_id', 'is', null)
    .where('removed_at', 'is', null);
}

const idsOf = (rows: { id: string }[]): string[] => rows.map(({ id }) => id);

/** Their questions and files go with them. */
async function deleteCalls(tx: Db, ids: string[]): Promise<void> {
  if (ids.length > 0) await tx.deleteFrom('tool_calls').where('id', 'in', ids).execute();
}

async function emptyCalls(tx: Db, ids: string[], now: number): Promise<void> {
  if (ids.length === 0) return;
  await tx.deleteFrom('inputs').where('call_id', 'in', ids).execute();
  await tx.deleteFrom('blob_refs').where('call_id', 'in', ids).execute();
  const empty = { arguments: '{}', result: null, error: null, removed_at: now };
  await tx.updateTable('tool_calls').set(empty).where('id', 'in', ids).execute();
}

/** How many calls of somebody outside of any answer wait for a decision. */
export async function countWaitingDirectCalls(tx: Db, owner: string): Promise<number> {
  const { count } = await tx
    .selectFrom('tool_calls')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('owner', '=', owner)
    .where('ended_at', 'is', null)
    .where('state', '=', 'proposed')
    .where('answer_id', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}
