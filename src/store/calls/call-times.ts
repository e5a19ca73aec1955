import type { ErrorInfo } from '#shared/errors/errors.ts';
import type { CallTimes } from '#shared/vocabulary/tool.ts';
import { objectFromJson } from '../database/json.ts';
import type { Db } from '../database/store.ts';
import type { ToolCallRecord } from './tool-calls.ts';

/** When a call of an answer did what; nothing of what it was given or gave. */
export interface CallTimesRecord extends Pick<
  ToolCallRecord,
  | 'id'
  | 'round'
  | 'serverId'
  | 'serverName'
  | 'toolName'
  | 'state'
  | 'rule'
  | 'createdAt'
  | 'decidedAt'
  | 'startedAt'
  | 'endedAt'
  | 'times'
> {
  error?: string | undefined;
  /** The questions of its server. */
  waits: { startedAt: number; endedAt?: number }[];
}

/** The calls of an answer with their times, in the order in which the model asked. */
export async function listCallTimes(
  db: Db,
  owner: string,
  answerId: string,
): Promise<CallTimesRecord[]> {
  const rows = await db
    .selectFrom('tool_calls')
    .select(['id', 'round', 'server_id', 'server_name', 'tool_name', 'state', 'rule', 'error'])
    .select(['created_at', 'decided_at', 'started_at', 'ended_at', 'times'])
    .where('owner', '=', owner)
    .where('answer_id', '=', answerId)
    .orderBy('round')
    .orderBy('idx')
    .execute();
  const waits = await waitsOf(db, owner, answerId);
  return rows.map((row) => ({
    id: row.id,
    round: row.round,
    serverId: row.server_id,
    serverName: row.server_name,
    toolName: row.tool_name,
    state: row.state,
    rule: row.rule ?? undefined,
    error: row.error === null ? undefined : (objectFromJson(row.error) as ErrorInfo).code,
    createdAt: row.created_at,
    decidedAt: row.decided_at ?? undefined,
    startedAt: row.started_at ?? undefined,
    endedAt: row.ended_at ?? undefined,
    times: row.times === null ? undefined : (objectFromJson(row.times) as CallTimes),
    waits: waits.get(row.id) ?? [],
  }));
}

async function waitsOf(
  db: Db,
  owner: string,
  answerId: string,
): Promise<Map<string, CallTimesRecord['waits']>> {
  const rows = await db
    .selectFrom('inputs')
    .innerJoin('tool_calls', 'tool_calls.id', 'inputs.call_id')
    .select(['tool_calls.id', 'inputs.created_at', 'inputs.closed_at'])
    .where('tool_calls.owner', '=', owner)
    .where('tool_calls.answer_id', '=', answerId)
    .orderBy('inputs.created_at')
    .execute();
  const waits = new Map<string, CallTimesRecord['waits']>();
  for (const { id, created_at: startedAt, closed_at: closedAt } of rows)
    waits.set(id, [
      ...(waits.get(id) ?? []),
      { startedAt, ...(closedAt !== null && { endedAt: closedAt }) },
    ]);
  return waits;
}
