import { randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { afterEach, describe, inject } from 'vitest';
import { type Store } from '#store/database/store.ts';
import { openStore, type StoreOptions } from '#store/open-store.ts';

/** Opens a store: on an empty place, or on one that `fresh` gave. Closed and removed after the test. */
export type Open = (place?: StoreOptions) => Promise<Store>;
/** An empty place to open several times. */
export type Fresh = () => Promise<StoreOptions>;

type Cleanup = () => Promise<unknown>;

type MakePlace = (cleanups: Cleanup[]) => Promise<StoreOptions>;

/**
 * Runs the same tests on SQLite and on the real PostgreSQL of this run. A `fresh` place has its tables and no rows; a
 * `bare` one has not even tables.
 */
export function describeEachDatabase(
  tests: (open: Open, fresh: Fresh, dialect: Store['dialect'], bare: Fresh) => void,
): void {
  describeOnSqlite(tests);
  const url = inject('postgresUrl');
  describe.skipIf(url === null)('on PostgreSQL', () =>
    runOn(
      'postgres',
      (cleanups) => temporaryDatabase(url ?? '', cleanups),
      (cleanups) => temporarySchema(url ?? '', cleanups),
      tests,
    ),
  );
}

/** The same tests on SQLite alone: of what no query, lease or lock decides. */
export function describeOnSqlite(tests: Parameters<typeof describeEachDatabase>[0]): void {
  describe('on SQLite', () => runOn('sqlite', temporaryHome, temporaryFolder, tests));
}

function runOn(
  dialect: Store['dialect'],
  makePlace: MakePlace,
  makeBare: MakePlace,
  tests: Parameters<typeof describeEachDatabase>[0],
): void {
  const cleanups: Cleanup[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  });
  const fresh: Fresh = () => makePlace(cleanups);
  const open: Open = async (place) => {
    const store = closeOnce(await openStore(place ?? (await fresh())));
    cleanups.push(() => store.close());
    return store;
  };
  tests(open, fresh, dialect, () => makeBare(cleanups));
}

/** A test may close its store itself. */
function closeOnce(store: Store): Store {
  let closed: Promise<void> | undefined;
  return { ...store, close: () => (closed ??= store.close()) };
}

/** An empty data folder, removed by the cleanups. */
export async function temporaryFolder(cleanups: Cleanup[]): Promise<StoreOptions> {
  const home = await mkdtemp(join(tmpdir(), 'cerise-test-'));
  cleanups.push(() => rm(home, { recursive: true, force: true, maxRetries: 10 }));
  return { home };
}

/** A data folder with a SQLite of its own: a copy of the one that was brought up to date when the run began. */
export async function temporaryHome(cleanups: Cleanup[]): Promise<StoreOptions> {
  const place = await temporaryFolder(cleanups);
  await copyFile(join(inject('sqliteTemplate'), 'cerise.db'), join(place.home, 'cerise.db'));
  return place;
}

/** A PostgreSQL database of its own: a copy of the one that was brought up to date when the run began. */
export async function temporaryDatabase(url: string, cleanups: Cleanup[]): Promise<StoreOptions> {
  const { home } = await temporaryFolder(cleanups);
  const name = `test_${randomBytes(8).toString('hex')}`;
  const template = inject('postgresTemplate');
  await execute(url, `create database ${name} template ${template} strategy file_copy`);
  cleanups.push(() => execute(url, `drop database ${name} with (force)`));
  const own = new URL(url);
  own.pathname = `/${name}`;
  return { home, databaseUrl: own.href };
}

/** An empty schema of its own in the shared database, chosen by the connection's `search_path`. */
export async function temporarySchema(url: string, cleanups: Cleanup[]): Promise<StoreOptions> {
  const { home } = await temporaryFolder(cleanups);
  const schema = `test_${randomBytes(8).toString('hex')}`;
  await execute(url, `create schema ${schema}`);
  cleanups.push(() => execute(url, `drop schema ${schema} cascade`));
  const own = new URL(url);
  own.searchParams.set('options', `-csearch_path=${schema}`);
  return { home, databaseUrl: own.href };
}

const pools = new Map<string, Pool>();

/** On connections that stay for the next test and keep no process alive. */
async function execute(url: string, statement: string): Promise<void> {
  const pool = pools.get(url) ?? openPool(url);
  await pool.query(statement);
}

function openPool(url: string): Pool {
  const pool = new Pool({ connectionString: url, idleTimeoutMillis: 0, allowExitOnIdle: true });
  // A test may stop a server of its own.
  pool.on('error', () => undefined);
  pools.set(url, pool);
  return pool;
}
