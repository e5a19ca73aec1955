import { type Selectable, sql } from 'kysely';
import type { UsageView } from '#shared/api/usage-api.ts';
import { inSlices } from '../database/slices.ts';
import type { Db, Store } from '../database/store.ts';
import type { UsageSumsTable } from '../tables/usage-tables.ts';
import {
  addDurations,
  type Durations,
  parseDurations,
  percentileOf,
} from './duration-histogram.ts';
import { addUp } from './sums.ts';
import { countable } from './usage-sums.ts';

/** Whose use to count, and of when: `to` is the first moment that no longer counts. Whole quarters of an hour. */
export interface UsageSpan {
  owner: string;
  from: number;
  to: number;
  /** Milliseconds to add to a time so that its day is the reader's. */
  shift: number;
}

type Kind = UsageSumsTable['kind'];
type Sums = Pick<
  UsageView['models'][number],
  | 'inputTokens'
  | 'cachedInputTokens'
  | 'outputTokens'
  | 'reasoningTokens'
  | 'cost'
  | 'estimatedCost'
> & { count: number; failed: number };
type DayOfUse = { day: number } & Sums;
/** The use of one server, tool or model in a span. */
export type UseOfOne = Sums & { subject: string; tool: string; name: string; durations: Durations };

const dayMs = 24 * 3600 * 1000;
/** Rows of sums that one statement reads, at most: by tool, or by day (two kinds, a quarter of an hour each). */
const sumsAtOnce = 1000;
const daysAtOnce = 10;

/** Brings the sums of an owner up to date and says how often they have changed. */
export async function usageVersion(store: Store, owner: string): Promise<number> {
  await addUp(store, owner, 'usage_changes');
  const row = await store.db
    .selectFrom('usage_versions')
    .select('version')
    .where('owner', '=', owner)
    .executeTakeFirst();
  return row?.version ?? 0;
}

/** What was used by day; `day` counts days since 1970 by the reader's clock. Days without any are left out. */
export async function useByDay(db: Db, span: UsageSpan, kind: Kind): Promise<DayOfUse[]> {
  const days: DayOfUse[] = [];
  let from = span.from;
  await inSlices(async () => {
    const to = Math.min(span.to, from + daysAtOnce * dayMs);
    days.push(...(await daysBetween(db, { ...span, from, to }, kind)));
    from = to;
    return from < span.to;
  });
  return days;
}

async function daysBetween(db: Db, span: UsageSpan, kind: Kind): Promise<DayOfUse[]> {
  const { owner, from, to, shift } = span;
  const { rows } = await sql<DayOfUse>`
    select (at + cast(${shift} as bigint)) / ${sql.lit(dayMs)} as day,
      cast(sum(n) as bigint) as count, cast(sum(failed) as bigint) as failed,
      sum(cast(input as double precision)) as "inputTokens",
      sum(cast(cached as double precision)) as "cachedInputTokens",
      sum(cast(output as double precision)) as "outputTokens",
      sum(cast(reasoning as double precision)) as "reasoningTokens",
      sum(cost) as cost, sum(estimated) as "estimatedCost"
    from usage_sums
    where owner = ${owner} and grain = 'all' and kind = ${kind} and at >= ${from} and at < ${to}
    group by 1`.execute(db);
  return rows;
}

/** What was used by server and tool, or by model. Whole days are read as such, the rest by the quarter hour. */
export async function useByOne(db: Db, span: UsageSpan, kind: Kind): Promise<UseOfOne[]> {
  const { from, to } = span;
  const firstDay = Math.min(Math.ceil(from / dayMs) * dayMs, to);
  const lastDay = Math.max(Math.floor(to / dayMs) * dayMs, firstDay);
  const uses = new Map<string, UseOfOne>();
  await addSums(db, uses, { ...span, to: firstDay }, kind, 'quarter');
  await addSums(db, uses, { ...span, from: firstDay, to: lastDay }, kind, 'day');
  await addSums(db, uses, { ...span, from: lastDay }, kind, 'quarter');
  return [...uses.values()];
}

type Row = Selectable<UsageSumsTable>;

async function addSums(
  db: Db,
  uses: Map<string, UseOfOne>,
  { owner, from, to }: UsageSpan,
  kind: Kind,
  grain: 'quarter' | 'day',
): Promise<void> {
  if (from >= to) return;
  let after = { at: from, subject: '', tool: '' };
  await inSlices(async () => {
    const rows = await db
      .selectFrom('usage_sums')
      .selectAll()
      .where('owner', '=', owner)
      .where('grain', '=', grain)
      .where('kind', '=', kind)
      .where('at', '<', to)
      .where(
        sql<boolean>`(at, subject, tool) > (cast(${after.at} as bigint), ${after.subject}, ${after.tool})`,
      )
      .orderBy('at')
      .orderBy('subject')
      .orderBy('tool')
      .limit(sumsAtOnce)
      .execute();
    for (const row of rows) addSum(uses, row);
    after = rows.at(-1) ?? after;
    return rows.length === sumsAtOnce;
  });
}

function addSum(uses: Map<string, UseOfOne>, row: Row): void {
  const { subject, tool } = row;
  const key = JSON.stringify([subject, tool]);
  const one = uses.get(key) ?? { subject, tool, name: '', ...nothing, durations: new Map() };
  uses.set(key, one);
  mergeUse(one, {
    ...row,
    count: row.n,
    inputTokens: row.input,
    cachedInputTokens: row.cached,
    outputTokens: row.output,
    reasoningTokens: row.reasoning,
    estimatedCost: row.estimated,
    durations: parseDurations(row.times),
  });
}

const nothing: Sums = {
  count: 0,
  failed: 0,
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  cost: 0,
  estimatedCost: 0,
};
const names = Object.keys(nothing) as (keyof Sums)[];

/** Adds the use of one to that of another, under whose name it then counts. */
export function mergeUse(to: UseOfOne, from: UseOfOne): void {
  for (const name of names) to[name] = countable(to[name] + from[name]);
  if (from.name > to.name) to.name = from.name;
  addDurations(to.durations, from.durations);
}

/** How long half of them, and all but one in twenty, took at most. */
export function timesOf({ durations }: UseOfOne): { medianMs?: number; p95Ms?: number } {
  const medianMs = percentileOf(durations, 0.5);
  const p95Ms = percentileOf(durations, 0.95);
  return { ...(medianMs !== undefined && { medianMs }), ...(p95Ms !== undefined && { p95Ms }) };
}
