import { type RawBuilder, sql } from 'kysely';
import type { UsageView } from '#shared/usage-api.ts';
import type { Db, Store } from './store.ts';

/** Whose use to count, and of when: `to` is the first moment that no longer counts. */
export interface UsageSpan {
  owner: string;
  from: number;
  to: number;
  /** Milliseconds to add to a time so that its day is the reader's. */
  shift: number;
}

type Dialect = Store['dialect'];
type DayOfUse = { day: number };
type DayOfCalls = DayOfUse & Pick<UsageView['days'][number], 'calls' | 'failedCalls'>;
type DayOfAnswers = DayOfUse & Omit<UsageView['days'][number], 'day' | 'calls' | 'failedCalls'>;

const dayLength = 24 * 3600 * 1000;
const listed = sql.lit(50);
const lastedMedian = sql`max(case when place = (n + 1) / 2 then ms end)`;
const lastedP95 = sql`max(case when place = (n * 95 + 99) / 100 then ms end)`;

/** Calls of tools by server, or by server and tool; the most called first. */
export async function usageOfTools(
  db: Db,
  span: UsageSpan,
  by: 'server' | 'tool',
): Promise<UsageView['tools']> {
  const group = by === 'tool' ? sql`server_id, tool_name` : sql`server_id`;
  const { rows } = await sql<UsageView['tools'][number]>`
    with ended as (
      select server_id, server_name, tool_name, ${failedCall} as failed,
        ended_at - coalesce(started_at, created_at) as ms
      from tool_calls where ${callsOf(span)}
    ), ranked as (
      select ended.*, row_number() over (partition by ${group} order by ms) as place,
        count(*) over (partition by ${group}) as n
      from ended
    )
    select server_id as "serverId", max(server_name) as "serverName",
      ${by === 'tool' ? sql`tool_name as "toolName",` : sql``}
      count(*) as calls, sum(failed) as "failedCalls",
      ${lastedMedian} as "medianMs", ${lastedP95} as "p95Ms"
    from ranked group by ${group} order by calls desc, "serverName" limit ${listed}
  `.execute(db);
  return rows;
}

/** Answers by model; the most used first. */
export async function usageOfModels(
  db: Db,
  dialect: Dialect,
  span: UsageSpan,
): Promise<UsageView['models']> {
  const { rows } = await sql<UsageView['models'][number]>`
    with ended as (
      select m.model, m.usage, ${failedAnswer} as failed, m.ended_at - m.created_at as ms
      from ${messagesFirst} where ${answersOf(span)}
    ), ranked as (
      select ended.*, row_number() over (partition by model order by ms) as place,
        count(*) over (partition by model) as n
      from ended
    )
    select model, count(*) as answers, sum(failed) as "failedAnswers", ${tokenSums(dialect)},
      ${lastedMedian} as "medianMs", ${lastedP95} as "p95Ms"
    from ranked group by model order by answers desc, model limit ${listed}
  `.execute(db);
  return rows;
}

/** Calls by day; `day` counts days since 1970 by the reader's clock. Days without any are left out. */
export async function callsByDay(db: Db, span: UsageSpan): Promise<DayOfCalls[]> {
  const { rows } = await sql<DayOfCalls>`
    select (created_at + ${bigint(span.shift)}) / ${sql.lit(dayLength)} as day,
      count(*) as calls, sum(${failedCall}) as "failedCalls"
    from tool_calls where ${callsOf(span)} group by 1
  `.execute(db);
  return rows;
}

/** Answers and their tokens by day, like `callsByDay`. */
export async function answersByDay(
  db: Db,
  dialect: Dialect,
  span: UsageSpan,
): Promise<DayOfAnswers[]> {
  const { rows } = await sql<DayOfAnswers>`
    select (m.ended_at + ${bigint(span.shift)}) / ${sql.lit(dayLength)} as day,
      count(*) as answers, sum(${failedAnswer}) as "failedAnswers", ${tokenSums(dialect)}
    from ${messagesFirst} where ${answersOf(span)} group by 1
  `.execute(db);
  return rows;
}

const failedCall = sql`case when state in ('failed', 'timed_out', 'outcome_unknown') then 1 else 0 end`;
const failedAnswer = sql`case when m.status = 'error' then 1 else 0 end`;

/** SQLite reads tables of a `cross join` in their order, so it goes by time; PostgreSQL chooses itself. */
const messagesFirst = sql`messages m cross join topics t`;

function callsOf({ owner, from, to }: UsageSpan): RawBuilder<unknown> {
  return sql`owner = ${owner} and created_at >= ${from} and created_at < ${to}
    and ended_at is not null`;
}

function answersOf({ owner, from, to }: UsageSpan): RawBuilder<unknown> {
  return sql`m.ended_at >= ${from} and m.ended_at < ${to} and m.role = 'assistant'
    and m.model is not null and t.id = m.topic_id and t.owner = ${owner}`;
}

/** What one answer may count: files that are imported may claim anything. */
const mostOfOne = 1e12;

function tokenSums(dialect: Dialect): RawBuilder<unknown> {
  const names = ['inputTokens', 'cachedInputTokens', 'outputTokens', 'reasoningTokens'];
  const value = (name: string) =>
    dialect === 'sqlite'
      ? sql`json_extract(usage, ${sql.lit(`$.${name}`)})`
      : sql`(usage::json ->> ${sql.lit(name)})::double precision`;
  const most = sql.lit(mostOfOne);
  const sum = (of: RawBuilder<unknown>) =>
    sql`coalesce(sum(case when ${of} > ${most} then ${most} else ${of} end), 0)`;
  const sums = names.map((name) => sql`cast(${sum(value(name))} as bigint) as ${sql.id(name)}`);
  const isEstimated =
    dialect === 'sqlite' ? value('costEstimated') : sql`(usage::json ->> 'costEstimated')::boolean`;
  const estimated = sql`case when ${isEstimated} then ${value('cost')} end`;
  return sql.join([
    ...sums,
    sql`cast(${sum(value('cost'))} as double precision) as cost`,
    sql`cast(${sum(estimated)} as double precision) as "estimatedCost"`,
  ]);
}

/** A parameter that PostgreSQL takes for what it is added to. */
function bigint(value: number): RawBuilder<unknown> {
  return sql`cast(${value} as bigint)`;
}
