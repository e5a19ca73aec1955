import { sql } from 'kysely';
import type { Db } from '../database/store.ts';

/**
 * When tools of each server were last called by somebody, to a quarter of an hour. Finds the day in the sums by day, which
 * are few, and the quarter within it; what is not summed up yet is added.
 */
export async function lastUses(db: Db, owner: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ subject: string; at: number }>`
    with days as (
      select subject, max(at) as at from usage_sums
      where owner = ${owner} and grain = 'day' and kind = 'call' and n > 0 group by subject
    )
    select days.subject, coalesce((
      select max(sums.at) from usage_sums sums
      where sums.owner = ${owner} and sums.grain = 'quarter' and sums.kind = 'call'
        and sums.at >= days.at and sums.subject = days.subject and sums.n > 0
    ), days.at) as at from days
    union all
    select subject, max(at) as at from usage_changes
    where owner = ${owner} and kind = 'call' and sign > 0 group by subject`.execute(db);
  const uses = new Map<string, number>();
  for (const { subject, at } of rows) uses.set(subject, Math.max(uses.get(subject) ?? 0, at));
  return uses;
}
