import { type Selectable, sql, type Updateable } from 'kysely';
import type { ErrorInfo } from '#shared/errors/errors.ts';
import { sanitiseText } from '#shared/text/text.ts';
import { cutToolReach, cutToolState } from '#shared/vocabulary/block.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type {
  CallReach,
  CallTimes,
  Continuation,
  ToolCallState,
  ToolResult,
} from '#shared/vocabulary/tool.ts';
import { fromJson, objectFromJson, toJson, toJsonOrNull } from '../database/json.ts';
import { insertRows, runCached } from '../database/cached-query.ts';
import type { Db } from '../database/store.ts';
import type { ToolCallsTable } from '../tables/conversation-tables.ts';
import { reachOfRow } from './call-reach.ts';
import { readRows } from '../database/unreadable-rows.ts';

/** One tool call, of a model or a person. Unique on answer, round and index. */
export interface ToolCallRecord {
  id: string;
  owner: string;
  topicId?: string | undefined;
  answerId?: string | undefined;
  blockId?: string | undefined;
  round: number;
  index: number;
  /** The vendor's id; outside of any answer, what the caller knows the call by. */
  callId: string;
  serverId: string;
  serverName: string;
  toolName: string;
  arguments: JsonObject;
  argsHash: string;
  state: ToolCallState;
  /** The policy rule that decided, or that asked a person. */
  rule?: string | undefined;
  result?: ToolResult | undefined;
  error?: ErrorInfo | undefined;
  /** How far it came; set once it has ended. */
  reach?: CallReach | undefined;
  /** The launch of its server when it was asked for: an approval is for that one. */
  launchHash?: string | undefined;
  /** When it was decided on; absent where the policy let it run at once. */
  decidedAt?: number | undefined;
  /** The process that works on it, outside of any topic. */
  ownerInstance?: string | undefined;
  fence?: number | undefined;
  createdAt: number;
  startedAt?: number | undefined;
  endedAt?: number | undefined;
  /** How it got to its server; set once it has ended. */
  times?: CallTimes | undefined;
  /** A person removed it: what is left only keeps its key from running again. */
  removedAt?: number | undefined;
  /** Somebody wants it stopped who is not at the process that works on it. */
  abortAt?: number | undefined;
}

/** What a change of state may bring with it. */
export type ToolCallFields = Partial<
  Pick<
    ToolCallRecord,
    | 'arguments'
    | 'argsHash'
    | 'rule'
    | 'result'
    | 'error'
    | 'reach'
    | 'decidedAt'
    | 'ownerInstance'
    | 'fence'
    | 'startedAt'
    | 'endedAt'
    | 'times'
  >
> & {
  /** How long it waited for a person, of one that ends. */
  waitedMs?: number | undefined;
  /** Null forgets where the call would go on. */
  continuation?: Continuation | null;
};

const cutStates = Object.entries(cutToolState) as [
  ToolCallState,
  'cancelled' | 'outcome_unknown',
][];
const openStates: ToolCallState[] = cutStates.map(([state]) => state);

export async function insertToolCalls(tx: Db, calls: ToolCallRecord[]): Promise<void> {
  await insertRows(tx, 'tool_calls', calls.map(toRow));
}

/** Whether anybody has a call of this id. */
export async function isCallIdTaken(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('tool_calls')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

export async function getToolCall(
  db: Db,
  owner: string,
  id: string,
): Promise<ToolCallRecord | undefined> {
  const { rows } = await runCached<Selectable<ToolCallsTable>>(db, 'a call', [id, owner], () =>
    db
      .selectFrom('tool_calls')
      .selectAll()
      .where('id', '=', id)
      .where('owner', '=', owner)
      .where(isOfNothingDeleted),
  );
  return rows[0] && toRecord(rows[0]);
}

/** The topic, or the answer in it, may be deleted and its rows still be there. */
const isOfNothingDeleted = sql<boolean>`not exists (
  select 1 from messages join topics on topics.id = messages.topic_id
  where messages.id = tool_calls.answer_id and topics.owner <> tool_calls.owner
)`;

/** The state of a call, for the wait for its decision. */
export async function getToolCallState(db: Db, id: string): Promise<ToolCallState | undefined> {
  const row = await db
    .selectFrom('tool_calls')
    .select('state')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.state;
}

/**
 * Changes the state if it is one of `from`; false, and nothing changed, if not. Where `by` is given it must be
 * the process that works on the call: one that counted as gone has lost it to another.
 */
export async function transitionToolCall(
  tx: Db,
  id: string,
  from: ToolCallState[],
  to: ToolCallState,
  fields: ToolCallFields = {},
  by?: string,
): Promise<boolean> {
  const changes = definedOf({ state: to, ...toChanges(fields) });
  const whose = by === undefined ? [] : [by];
  const key = `update tool_calls ${Object.keys(changes).join()} from ${from.length} by ${whose.length}`;
  const parameters = [...Object.values(changes), id, ...from, ...whose];
  const { numAffectedRows } = await runCached(tx, key, parameters, () => {
    const update = tx
      .updateTable('tool_calls')
      .set(changes)
      .where('id', '=', id)
      .where('state', 'in', from);
    return by === undefined ? update : update.where('owner_instance', '=', by);
  });
  return numAffectedRows === 1n;
}

/** Whether a call has ended, or is gone. */
export async function isCallOver(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('tool_calls')
    .select('id')
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return row === undefined;
}

/** Asks the process that works on a call to stop it. */
export async function askToAbort(db: Db, id: string, at: number): Promise<void> {
  await db
    .updateTable('tool_calls')
    .set({ abort_at: at })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .execute();
}

/** The calls of an answer, in the order in which the model asked. */
export async function listToolCalls(
  db: Db,
  owner: string,
  answerId: string,
): Promise<ToolCallRecord[]> {
  const rows = await db
    .selectFrom('tool_calls')
    .selectAll()
    .where('owner', '=', owner)
    .where('answer_id', '=', answerId)
    .orderBy('round')
    .orderBy('idx')
    .execute();
  return rows.map(toRecord);
}

/** Calls that wait for a person's decision, oldest first. */
export async function listWaitingCalls(db: Db, owner: string): Promise<ToolCallRecord[]> {
  const rows = await db
    .selectFrom('tool_calls')
    .selectAll()
    .where('owner', '=', owner)
    .where('ended_at', 'is', null)
    .where('state', '=', 'proposed')
    .orderBy('created_at')
    .limit(200)
    .execute();
  return readRows(db, 'tool_calls', rows, toRecord);
}

/** Calls outside of any answer that have no outcome. */
export async function listOpenDirectCalls(db: Db): Promise<ToolCallRecord[]> {
  const rows = await db
    .selectFrom('tool_calls')
    .selectAll()
    .where('ended_at', 'is', null)
    .where('answer_id', 'is', null)
    .where('state', 'in', openStates)
    .execute();
  return readRows(db, 'tool_calls', rows, toRecord);
}

/** Where a parked call goes on, exactly as its tool said it. */
export async function getContinuation(
  db: Db,
  owner: string,
  id: string,
): Promise<Continuation | undefined> {
  const row = await db
    .selectFrom('tool_calls')
    .select('continuation')
    .where('id', '=', id)
    .where('owner', '=', owner)
    .executeTakeFirst();
  const text = row?.continuation ?? null;
  return text === null ? undefined : (fromJson(text) as Continuation);
}

/** Makes a call another process's; false if somebody else was faster. */
export async function claimToolCall(
  db: Db,
  { id, state, ownerInstance }: Pick<ToolCallRecord, 'id' | 'state' | 'ownerInstance'>,
  instance: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('tool_calls')
    .set({ owner_instance: instance })
    .where('id', '=', id)
    .where('state', '=', state)
    .where('owner_instance', 'is not distinct from', ownerInstance ?? null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Ends what an answer left open: what was sent has an unknown outcome, the rest never ran. */
export async function closeToolCalls(
  tx: Db,
  answerId: string,
  at: number,
  errors: Record<'cancelled' | 'outcome_unknown', ErrorInfo>,
): Promise<void> {
  if (!(await hasOpenCalls(tx, answerId))) return;
  for (const [from, to] of cutStates)
    await tx
      .updateTable('tool_calls')
      .set({
        state: to,
        error: toJson(errors[to]),
        reach: cutToolReach[to],
        ended_at: at,
        continuation: null,
        waited_ms: waitOfCut(from, at),
      })
      .where('answer_id', '=', answerId)
      .where('state', '=', from)
      .execute();
}

async function hasOpenCalls(tx: Db, answerId: string): Promise<boolean> {
  const parameters = [answerId, ...openStates, 1];
  const { rows } = await runCached(tx, 'open calls of an answer', parameters, () =>
    tx
      .selectFrom('tool_calls')
      .select('id')
      .where('answer_id', '=', answerId)
      .where('state', 'in', openStates)
      .limit(1),
  );
  return rows.length > 0;
}

/** What a call waited that is cut in this state. Questions at the same time count twice; nobody got a result. */
function waitOfCut(state: ToolCallState, at: number) {
  if (state === 'parked')
    return sql<number>`(select coalesce(sum(coalesce(closed_at, ${at}) - inputs.created_at), 0)
      from inputs where call_id = tool_calls.id)`;
  return state === 'dispatching' ? null : sql<number>`${at} - created_at + 1`;
}

function toRow(call: ToolCallRecord): ToolCallsTable {
  return {
    id: call.id,
    owner: call.owner,
    topic_id: call.topicId ?? null,
    answer_id: call.answerId ?? null,
    block_id: call.blockId ?? null,
    round: call.round,
    idx: call.index,
    call_id: sanitiseText(call.callId),
    server_id: call.serverId,
    server_name: sanitiseText(call.serverName),
    tool_name: sanitiseText(call.toolName),
    arguments: toJson(call.arguments),
    args_hash: call.argsHash,
    state: call.state,
    rule: call.rule ?? null,
    result: toJsonOrNull(call.result),
    error: toJsonOrNull(call.error),
    reach: call.reach ?? null,
    owner_instance: call.ownerInstance ?? null,
    fence: call.fence ?? null,
    continuation: null,
    launch_hash: call.launchHash ?? null,
    decided_at: call.decidedAt ?? null,
    created_at: call.createdAt,
    started_at: call.startedAt ?? null,
    ended_at: call.endedAt ?? null,
    removed_at: null,
    abort_at: null,
    waited_ms: null,
    times: toJsonOrNull(call.times),
  };
}

function toChanges(fields: ToolCallFields): Updateable<ToolCallsTable> {
  return {
    arguments: fields.arguments && toJson(fields.arguments),
    args_hash: fields.argsHash,
    rule: fields.rule,
    result: fields.result && toJson(fields.result),
    error: fields.error && toJson(fields.error),
    reach: fields.reach,
    decided_at: fields.decidedAt,
    owner_instance: fields.ownerInstance,
    fence: fields.fence,
    continuation: fields.continuation && exactJson(fields.continuation),
    started_at: fields.startedAt,
    ended_at: fields.endedAt,
    waited_ms: fields.waitedMs,
    times: fields.times && toJson(fields.times),
  };
}

/** Not sanitised: it goes back to its server as it came, and JSON escapes what a database cannot keep. */
function exactJson(continuation: Continuation): string {
  return JSON.stringify(continuation);
}

function definedOf(changes: Updateable<ToolCallsTable>): Updateable<ToolCallsTable> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

function toRecord(row: Selectable<ToolCallsTable>): ToolCallRecord {
  return {
    id: row.id,
    owner: row.owner,
    ...(row.topic_id !== null && { topicId: row.topic_id }),
    ...(row.answer_id !== null && { answerId: row.answer_id }),
    ...(row.block_id !== null && { blockId: row.block_id }),
    round: row.round,
    index: row.idx,
    callId: row.call_id,
    serverId: row.server_id,
    serverName: row.server_name,
    toolName: row.tool_name,
    arguments: objectFromJson(row.arguments) as JsonObject,
    argsHash: row.args_hash,
    state: row.state,
    ...(row.rule !== null && { rule: row.rule }),
    ...(row.result !== null && { result: objectFromJson(row.result) as ToolResult }),
    ...(row.error !== null && { error: objectFromJson(row.error) as ErrorInfo }),
    ...(row.ended_at !== null && { reach: reachOfRow(row, row.result !== null) }),
    ...(row.launch_hash !== null && { launchHash: row.launch_hash }),
    ...(row.decided_at !== null && { decidedAt: row.decided_at }),
    ...(row.owner_instance !== null && { ownerInstance: row.owner_instance }),
    ...(row.fence !== null && { fence: row.fence }),
    createdAt: row.created_at,
    ...(row.started_at !== null && { startedAt: row.started_at }),
    ...(row.ended_at !== null && { endedAt: row.ended_at }),
    ...(row.removed_at !== null && { removedAt: row.removed_at }),
    ...(row.abort_at !== null && { abortAt: row.abort_at }),
    ...(row.times !== null && { times: objectFromJson(row.times) }),
  };
}
