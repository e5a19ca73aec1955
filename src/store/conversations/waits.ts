import { sql } from 'kysely';
import type { Db } from '../database/store.ts';

interface Wait {
  start: number;
  end: number;
}

/** What a call waited that never started: more than all of its time, so that it has no duration. */
export const waitOfUnstarted = (createdAt: number, endedAt: number): number =>
  endedAt - createdAt + 1;

/** How long the questions of a call waited for a person. */
export async function waitOfCall(tx: Db, callId: string, endedAt: number): Promise<number> {
  const { rows } = await sql<Wait>`
    select created_at as "start", coalesce(closed_at, ${endedAt}) as "end"
    from inputs where call_id = ${callId}`.execute(tx);
  return totalOf(rows, endedAt);
}

/** How long an answer waited for decisions on its calls, and for answers to their questions. */
export async function waitOfAnswer(tx: Db, answerId: string, endedAt: number): Promise<number> {
  const { rows } = await sql<Wait>`
    select created_at as "start", coalesce(decided_at, ended_at, ${endedAt}) as "end"
    from tool_calls
    where answer_id = ${answerId} and (decided_at is not null or started_at is null)
    union all
    select inputs.created_at, coalesce(inputs.closed_at, ${endedAt})
    from inputs join tool_calls on tool_calls.id = inputs.call_id
    where tool_calls.answer_id = ${answerId}`.execute(tx);
  return totalOf(rows, endedAt);
}

/** Times that overlap count once. */
function totalOf(waits: Wait[], endedAt: number): number {
  let total = 0;
  let until = 0;
  for (const { start, end } of waits.toSorted((a, b) => a.start - b.start)) {
    const last = Math.min(end, endedAt);
    total += Math.max(0, last - Math.max(start, until));
    until = Math.max(until, last);
  }
  return total;
}
