import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, describe, inject } from 'vitest';
import { type Store } from '#store/database/store.ts';
import { openStore, type StoreOptions } from '#store/open-store.ts';

/** Opens a store: on an empty place, or on one that `fresh` gave. Closed and removed after the test. */
export type Open = (place?: StoreOptions) => Promise<Store>;
/** An empty place to open several times. */
export type Fresh = () => Promise<StoreOptions>;

type Cleanup = () => Promise<unknown>;

/** Runs the same tests on SQLite and on the real PostgreSQL of this run. */
export function describeEachDatabase(
  tests: (open: Open, fresh: Fresh, dialect: Store['dialect']) => void,
): void {
  describe('on SQLite', () => runOn('sqlite', temporaryFolder, tests));
  const url = inject('postgresUrl');
  describe.skipIf(url === null)('on PostgreSQL', () =>
    runOn('postgres', (cleanups) => temporarySchema(url ?? '', cleanups), tests),
  );
}

function runOn(
  dialect: Store['dialect'],
  makePlace: (cleanups: Cleanup[]) => Promise<StoreOptions>,
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
  tests(open, fresh, dialect);
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

/** A schema of its own in the shared database, chosen by the connection's `search_path`. */
export async function temporarySchema(url: string, cleanups: Cleanup[]): Promise<StoreOptions> {
  const { home } = await temporaryFolder(cleanups);
  const schema = `test_${randomBytes(8).toString('hex')}`;
  await execute(url, `create schema ${schema}`);
  cleanups.push(() => execute(url, `drop schema ${schema} cascade`));
  const own = new URL(url);
  own.searchParams.set('options', `-csearch_path=${schema}`);
  return { home, databaseUrl: own.href };
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
