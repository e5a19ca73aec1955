import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely';
import { Pool, types } from 'pg';
import { CeriseError } from '#shared/errors.ts';
import type { Logger } from '#shared/ports.ts';
import { claimDatabase } from './database-claim.ts';
import { migrate } from './migrate.ts';
import { storageError } from './storage-error.ts';
import type { JournalRow, Store } from './store.ts';
import type { Tables } from './tables.ts';
import { createTransactionScope } from './transaction-scope.ts';

const connectTime = 10_000;

/** Connects to PostgreSQL and brings the database up to date. */
export async function openPostgres(options: {
  databaseUrl: string;
  logger?: Logger;
  alone?: boolean;
}): Promise<Store> {
  const { databaseUrl, logger, alone } = options;
  const pool = createPool(databaseUrl, logger);
  let claim: Awaited<ReturnType<typeof claimDatabase>> | undefined;
  const store = createStore(pool, async () => {
    await pool.end();
    await claim?.release();
  });
  try {
    if (alone) claim = await claimDatabase(databaseUrl, logger);
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
      'CERISE_DATABASE_URL is not a PostgreSQL address.',
      {
        hint: 'It looks like postgres://user:password@host:5432/database.',
      },
    );
  }
  const pool = new Pool({
    connectionString: databaseUrl,
    connectionTimeoutMillis: connectTime,
    max: 10,
    application_name: 'cerise',
    types: { getTypeParser },
  });
  const report = (error: Error): void =>
    logger?.warn({ error: error.message }, 'A connection to PostgreSQL was lost.');
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

function createStore(pool: Pool, close: () => Promise<void>): Store {
  const scope = createTransactionScope();
  const guarded = guardPool(pool, () => scope.refuseInside());
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: guarded }) });
  return {
    dialect: 'postgres',
    db,
    transaction: (work, durability = 'full') =>
      db.transaction().execute(async (tx) => {
        if (durability === 'relaxed') await sql`set local synchronous_commit = off`.execute(tx);
        return await scope.run(() => work(tx));
      }),
    snapshot: (work) =>
      db
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute((tx) => scope.run(() => work(tx))),
    appendEvents: (rows, durability = 'relaxed') =>
      appendEvents(guarded, rows, durability === 'relaxed' ? 'off' : 'on'),
    close,
  };
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
        query: (...args: Parameters<PostgresPoolClient['query']>) =>
          (client.query as (...args: unknown[]) => Promise<unknown>)
            .apply(client, args)
            .catch(rethrow),
        release: (destroy?: boolean) => client.release(destroy),
      } as unknown as PostgresPoolClient;
    },
  };
}

function rethrow(error: unknown): never {
  throw storageError(error);
}

/** One statement is one transaction, and `set_config(…, true)` lasts as long as that. */
const insertEvents = `
  insert into events (topic_id, seq, body)
  select t.topic_id, t.seq, t.body
  from (select set_config('synchronous_commit', $4, true)) as durability,
    unnest($1::text[], $2::bigint[], $3::text[]) with ordinality as t (topic_id, seq, body, n)
  order by t.n
  returning id`;

async function appendEvents(
  pool: PostgresPool,
  rows: JournalRow[],
  synchronousCommit: 'on' | 'off',
): Promise<number[]> {
  const client = await pool.connect();
  try {
    const result = await client.query<{ id: number }>(insertEvents, [
      rows.map(({ topicId }) => topicId),
      rows.map(({ seq }) => seq),
      rows.map(({ body }) => body),
      synchronousCommit,
    ]);
    return result.rows.map(({ id }) => id).toSorted((a, b) => a - b);
  } finally {
    client.release();
  }
}
