import { sql } from 'kysely';
import type { Db } from '../database/store.ts';

/** Milliseconds a lease lives without being renewed. */
export const leaseMs = 15_000;

/** Milliseconds without a sign of life after which a host is looked at more closely. */
const silenceMs = 3_000;

/** The database's clock in milliseconds: the clocks of hosts may differ. */
const now = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** Somebody else writes this topic now: nothing of what was to be written is. */
export class LeaseLost extends Error {
  constructor(topicId: string) {
    super(`the lease of topic ${topicId} is lost`);
    this.name = 'LeaseLost';
  }
}

/** Makes a topic ours if nobody alive holds it. Undefined if somebody does, or there is none. */
export async function claimTopic(
  db: Db,
  topicId: string,
  instance: string,
): Promise<number | undefined> {
  const row = await db
    .updateTable('topics')
    .set({ lease_owner: instance, fence: sql`fence + 1`, lease_until: sql`${now} + ${leaseMs}` })
    .where('id', '=', topicId)
    .where((eb) =>
      eb.or([
        eb('lease_owner', 'is', null),
        eb('lease_owner', '=', instance),
        eb('lease_until', '<', now),
      ]),
    )
    .returning('fence')
    .executeTakeFirst();
  return row?.fence;
}

/**
 * Frees what hosts held that are gone: they give no sign of life, and the connection that proves it is
 * closed. A host that loses the database only for a moment keeps its leases until they expire.
 */
export async function freeLeasesOfTheDead(db: Db): Promise<void> {
  await sql`
    with holders as (
      select distinct lease_owner as id from topics where lease_owner is not null
    ), silent as materialized (
      select holders.id from holders left join instances on instances.id = holders.id
      where instances.seen_at is null or instances.seen_at < ${now} - ${silenceMs}
    )
    update topics set lease_owner = null, lease_until = null
    where lease_owner in (
      select id from silent where pg_try_advisory_xact_lock(hashtextextended('cerise ' || id, 0))
    )`.execute(db);
}

/**
 * Those of some hosts that are gone, by the same proof: a host that never was, or whose sign of life is
 * old and whose connection is closed.
 */
export async function findDead(db: Db, instances: readonly string[]): Promise<Set<string>> {
  if (instances.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    with silent as materialized (
      select asked.id from unnest(${[...new Set(instances)]}::text[]) as asked (id)
      left join instances on instances.id = asked.id
      where instances.seen_at is null or instances.seen_at < ${now} - ${silenceMs}
    )
    select id from silent
    where pg_try_advisory_xact_lock(hashtextextended('cerise ' || id, 0))`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Topics that nobody holds although something in them is to be done; never those of a neighbour. */
export async function listAbandoned(
  db: Db,
  limit: number,
): Promise<{ id: string; owner: string }[]> {
  return await db
    .selectFrom('topics')
    .select(['id', 'owner'])
    .where((eb) => eb.or([eb('lease_owner', 'is', null), eb('lease_until', '<', now)]))
    .where((eb) =>
      eb.or([
        eb.exists(
          eb
            .selectFrom('messages')
            .select('messages.id')
            .whereRef('messages.topic_id', '=', 'topics.id')
            .where('messages.running', '=', sql.lit(1))
            .where('messages.parked', '=', sql.lit(0)),
        ),
        eb.exists(
          eb
            .selectFrom('inbox')
            .select('inbox.id')
            .whereRef('inbox.topic_id', '=', 'topics.id')
            .where('inbox.taken_at', 'is', null),
        ),
      ]),
    )
    .orderBy('lease_until')
    .limit(limit)
    .execute();
}

/** Renews leases; those that are still ours. */
export async function renewLeases(
  db: Db,
  leases: { topicId: string; fence: number }[],
): Promise<Set<string>> {
  if (leases.length === 0) return new Set();
  const ids = leases.map(({ topicId }) => topicId);
  const fences = leases.map(({ fence }) => fence);
  const { rows } = await sql<{ id: string }>`
    update topics set lease_until = ${now} + ${leaseMs}
    from unnest(${ids}::text[], ${fences}::bigint[]) as held (id, fence)
    where topics.id = held.id and topics.fence = held.fence and topics.lease_owner is not null
    returning topics.id`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Gives a topic free at once. */
export async function releaseLease(db: Db, topicId: string, fence: number): Promise<void> {
  await db
    .updateTable('topics')
    .set({ lease_owner: null, lease_until: null })
    .where('id', '=', topicId)
    .where('fence', '=', fence)
    .execute();
}

/** Part of every write to a topic: throws LeaseLost, and nobody can claim it until the end of `tx`. */
export async function requireFence(tx: Db, topicId: string, fence: number): Promise<void> {
  const row = await tx
    .selectFrom('topics')
    .select('id')
    .where('id', '=', topicId)
    .where('fence', '=', fence)
    .forShare()
    .executeTakeFirst();
  if (!row) throw new LeaseLost(topicId);
}

/** Marks the answers of a topic that only a person can move on, so that nobody takes it over for them. */
export async function parkAnswers(tx: Db, topicId: string): Promise<void> {
  await tx
    .updateTable('messages')
    .set({ parked: 1 })
    .where('topic_id', '=', topicId)
    .where('running', '=', 1)
    .execute();
}

/** Somebody holds the topic again and goes on with its answers. */
export async function unparkAnswers(db: Db, topicId: string): Promise<void> {
  await db
    .updateTable('messages')
    .set({ parked: 0 })
    .where('topic_id', '=', topicId)
    .where('parked', '=', 1)
    .execute();
}

/** Says that an instance lives. */
export async function beat(db: Db, instance: string): Promise<void> {
  await db
    .insertInto('instances')
    .values({ id: instance, seen_at: now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: now }))
    .execute();
}

/** The instances that lived a moment ago; those long gone are forgotten. */
export async function listInstances(db: Db): Promise<Set<string>> {
  await db
    .deleteFrom('instances')
    .where('seen_at', '<', sql<number>`${now} - 3600000`)
    .execute();
  const rows = await db
    .selectFrom('instances')
    .select('id')
    .where('seen_at', '>', sql<number>`${now} - ${leaseMs}`)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** An instance that ends by itself. */
export async function removeInstance(db: Db, instance: string): Promise<void> {
  await db.deleteFrom('instances').where('id', '=', instance).execute();
}
