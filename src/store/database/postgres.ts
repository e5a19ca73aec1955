import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import { Client, Pool, types } from 'pg';
import { KeyedQueue } from '#shared/async/keyed-queue.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { sanitiseText } from '#shared/text/text.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import { keepPlan, planName } from './cached-query.ts';
import { migrate } from './migrate.ts';
import { transact } from './postgres-transaction.ts';
import { storageError } from './storage-error.ts';
import type { JournalRow, Store } from './store.ts';
import type { Tables } from '../tables/tables.ts';
import { createTransactionScope } from './transaction-scope.ts';

const connectTimeoutMs = 10_000;

/** Connects to PostgreSQL and brings the database up to date. */
export async function openPostgres(options: {
  databaseUrl: string;
  logger?: Logger;
}): Promise<Store> {
  const { databaseUrl, logger } = options;
  const pool = createPool(databaseUrl, logger);
  const store = createStore(pool, databaseUrl);
  try {
    await migrate(store);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

function createPool(databaseUrl: string, logger?: Logger): Pool {
  // The text is kept out of the error: it holds the password.
  if (!/^postgres(?:ql)?:\/\//.test(databaseUrl) || !URL.canParse(databaseUrl)) {
    throw new CeriseError(
      'storage_unavailable',
      say('database-url')`CERISE_DATABASE_URL isn't a PostgreSQL URL.`,
      {
        hint: say('database-url-hint')`Use the form postgres://user:password@host:5432/database.`,
      },
    );
  }
  const pool = new Pool({
    connectionString: databaseUrl,
    connectionTimeoutMillis: connectTimeoutMs,
    max: 10,
    application_name: 'cerise',
    types: { getTypeParser },
  });
  const report = (error: Error): void =>
    logger?.warn({ error: error.message }, 'Lost a connection to PostgreSQL');
  pool.on('error', report);
  // A lent client reports its loss only here; without a listener that would end the process.
  pool.on('connect', (client) => client.on('error', report));
  return pool;
}

/** 64-bit integers as numbers, for this pool only: ours are times and counters. */
const getTypeParser = ((...args: Parameters<typeof types.getTypeParser>) =>
  args[0] === types.builtins.INT8
    ? Number
    : types.getTypeParser(...args)) as typeof types.getTypeParser;

function createStore(pool: Pool, databaseUrl: string): Store {
  const scope = createTransactionScope();
  const queue = new KeyedQueue();
  const guarded = guardPool(pool, () => scope.refuseInside());
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: guarded }) });
  return {
    dialect: 'postgres',
    db,
    transaction: (work, durability = 'full') =>
      transact(db, (tx) => scope.run(() => work(tx)), durability),
    snapshot: (work) =>
      db
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute((tx) => scope.run(() => work(tx))),
    appendEvents: (rows, durability = 'relaxed') =>
      appendEvents(guarded, rows, durability === 'relaxed' ? 'off' : 'on'),
    exclusive: (name, work) => queue.run(name, () => withLock(databaseUrl, name, work)),
    close: () => pool.end(),
  };
}

/** On a connection of its own: one of the pool's would be missing for the work itself. */
async function withLock<T>(databaseUrl: string, name: string, work: () => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'cerise lock' });
  // A lost connection is a lost lock; what it kept apart is checked again where it is written.
  client.on('error', () => undefined);
  try {
    await client.connect().catch(rethrow);
    const key = `select pg_advisory_lock(hashtextextended(current_schema() || ' ' || $1, 0))`;
    await client.query(key, [name]).catch(rethrow);
    return await work();
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The pool as Kysely uses it, with errors a person can act on. */
function guardPool(pool: Pool, onConnect: () => void): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      onConnect();
      const client = await pool.connect().catch(rethrow);
      return {
        query: (text: string, values: unknown[]) =>
          client
            .query({ name: planName(text), text, values: values?.map(storable) })
            .catch(rethrow),
        release: (destroy?: boolean) => client.release(destroy),
      } as unknown as PostgresPoolClient;
    },
  };
}

/** PostgreSQL refuses NUL in whatever it is asked: an id with one is then one that is not there. */
function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('\0') ? sanitiseText(value) : value;
  return Array.isArray(value) && value.some(hasNul) ? value.map(storable) : value;
}

function hasNul(value: unknown): boolean {
  return typeof value === 'string' && value.includes('\0');
}

function rethrow(error: unknown): never {
  throw storageError(error);
}

/**
 * One statement is one transaction, and `set_config(…, true)` lasts as long as that. A host that was
 * away for too long writes nothing: its fence is old or, should it be quicker than the one that took
 * over, the other finds its numbers taken, writes nothing itself and reads the topic again. What an
 * earlier try has written, although its connection was lost before it said so, counts as written.
 */
const insertEvents = keepPlan(`
  insert into events (topic_id, seq, body)
  select t.topic_id, t.seq, t.body
  from (select set_config('synchronous_commit', $4, true)) as durability,
    unnest($1::text[], $2::bigint[], $3::text[], $5::bigint[])
      with ordinality as t (topic_id, seq, body, fence, n)
  where t.fence is null
    or exists (select from topics where topics.id = t.topic_id and topics.fence = t.fence)
  order by t.n
  on conflict (topic_id, seq) do update set body = events.body where events.body = excluded.body
  returning id, topic_id, seq`);

async function appendEvents(
  pool: PostgresPool,
  rows: JournalRow[],
  synchronousCommit: 'on' | 'off',
): Promise<(number | undefined)[]> {
  const client = await pool.connect();
  try {
    const result = await client.query<{ id: number; topic_id: string; seq: number }>(insertEvents, [
      rows.map(({ topicId }) => topicId),
      rows.map(({ seq }) => seq),
      rows.map(({ body }) => body),
      synchronousCommit,
      rows.map(({ fence }) => fence ?? null),
    ]);
    const ids = new Map(result.rows.map((row) => [`${row.topic_id} ${row.seq}`, row.id]));
    return rows.map(({ topicId, seq }) => ids.get(`${topicId} ${seq}`));
  } finally {
    client.release();
  }
}
