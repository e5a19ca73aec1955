import { type ExpressionBuilder, sql } from 'kysely';
import type { Topic } from '#shared/vocabulary/message.ts';
import { runCached } from '../database/cached-query.ts';
import type { Db } from '../database/store.ts';
import type { Tables } from '../tables/tables.ts';
import { readRows } from '../database/unreadable-rows.ts';
import { selectTopics, type TopicRow, toTopic, withoutSettings } from './topics.ts';

/** Which topics of an owner; those that are not archived, unless it says otherwise. */
export interface TopicFilter {
  archived?: boolean;
  /** Those that are pinned, the last one first; there are no pages of these. */
  pinned?: boolean;
  /** An answer runs; or something in it waits for a person, at the time `now`. */
  state?: 'running' | 'waiting' | undefined;
  /** Some answer used it. */
  model?: string | undefined;
  server?: string | undefined;
}

/** So many at most; `before` is the id of the last topic of the page before. */
export interface TopicPage {
  limit: number;
  before?: string | undefined;
}

/** Newest change first. */
export async function listTopics(
  db: Db,
  owner: string,
  page: TopicPage,
  filter: TopicFilter = {},
  now = Date.now(),
): Promise<Topic[]> {
  const { before, limit } = page;
  const conditions = conditionsOf(owner, page, filter, now);
  const parameters = [owner, ...conditions.flatMap(({ values }) => values), limit];
  const key = `list topics ${conditions.map(({ name }) => name).join()}`;
  const { rows } = await runCached<TopicRow>(db, key, parameters, () => {
    let query = selectTopics(db, owner);
    for (const { where } of conditions) query = query.where(where);
    const isPinned = filter.pinned && before === undefined;
    return isPinned
      ? query.orderBy('pinned_at', 'desc').orderBy('id', 'desc').limit(limit)
      : query.orderBy('updated_at', 'desc').orderBy('id', 'desc').limit(limit);
  });
  return readRows(db, 'topics', rows, toTopic, withoutSettings);
}

type Where = (eb: ExpressionBuilder<Tables, 'topics'>) => ReturnType<typeof sql<boolean>>;

/** A part of the statement, by its name, with its values in the order in which they stand in it. */
interface Condition {
  name: string;
  values: unknown[];
  where: Where;
}

function conditionsOf(
  owner: string,
  { before }: TopicPage,
  { archived = false, pinned, state, model, server }: TopicFilter,
  now: number,
): Condition[] {
  const conditions: Condition[] = [
    {
      name: `archived ${archived}`,
      values: [],
      where: () => sql`archived = ${sql.lit(Number(archived))}`,
    },
  ];
  if (pinned)
    conditions.push({ name: 'pinned', values: [], where: () => sql`pinned_at is not null` });
  if (state === 'running') conditions.push({ name: state, values: [], where: () => isRunning });
  if (state === 'waiting')
    conditions.push({ name: state, values: [owner, now], where: () => isWaiting(owner, now) });
  for (const [kind, name] of [['model', model] as const, ['server', server] as const])
    if (name !== undefined)
      conditions.push({ name: kind, values: [name], where: () => uses(kind, name) });
  if (before !== undefined)
    conditions.push({
      name: 'before',
      values: [before, owner],
      where: () => isBefore(before, owner),
    });
  return conditions;
}

/** Few answers run at a time, so these are looked at first. */
const isRunning = sql<boolean>`topics.id in (select topic_id from messages where running = 1)`;

function isWaiting(owner: string, now: number) {
  return sql<boolean>`topics.id in (
    select call.topic_id from tool_calls as call
    where call.owner = ${owner} and call.ended_at is null and (
      call.state = 'proposed' or exists (
        select 1 from inputs where inputs.call_id = call.id and inputs.closed_at is null
        and (inputs.expires_at is null or inputs.expires_at > ${now})
      )
    )
  )`;
}

function uses(kind: 'model' | 'server', name: string) {
  return sql<boolean>`exists (
    select 1 from topic_uses as used
    where used.topic_id = topics.id and used.kind = ${sql.lit(kind)} and used.name = ${name}
  )`;
}

function isBefore(before: string, owner: string) {
  return sql<boolean>`(updated_at, topics.id) < (
    select last.updated_at, last.id from topics as last
    where last.id = ${before} and last.owner = ${owner}
  )`;
}
