import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { KeyedQueue } from '#shared/async/keyed-queue.ts';
import { CeriseError, hintOf, wordsOf } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { machineFull } from '#shared/errors/machine-full.ts';
import { CommitInDoubt } from './commit-in-doubt.ts';
import { makeDataFolder } from './data-folder.ts';
import { lockDataFolder } from './data-lock.ts';
import { LogFlush } from './log-flush.ts';
import { migrate } from './migrate.ts';
import { packRows } from './pack-rows.ts';
import { SqliteConnection, sqliteDialect } from './sqlite-driver.ts';
import { refuseLostDatabase } from './sqlite-lost-data.ts';
import { storageError } from './storage-error.ts';
import type { Durability, JournalRow, Store } from './store.ts';
import type { Tables } from '../tables/tables.ts';
import { createTransactionScope } from './transaction-scope.ts';

/** Small pages: a tick of the journal touches few bytes, and a commit writes whole pages. */
const pageBytes = 2048;
/** Pages the log may hold before they are copied into the database file. */
const checkpointPages = 8192;

/** Opens `cerise.db` in `home` for this process alone and brings it up to date. */
export async function openSqlite(home: string): Promise<Store> {
  const lock = usableFolder(home, () => {
    makeDataFolder(home);
    return lockDataFolder(home);
  });
  let database: DatabaseSync | undefined;
  try {
    refuseLostDatabase(home);
    const opened = usableFolder(home, () => openDatabase(join(home, 'cerise.db')));
    database = opened;
    const log = new LogFlush(join(home, 'cerise.db-wal'));
    const store = createStore(opened, log, () => {
      opened.close();
      lock.release();
    });
    await migrate(store);
    return store;
  } catch (error) {
    database?.close();
    lock.release();
    throw error;
  }
}

/** An empty database in memory with all tables: the first one, for the next ones to copy instead of each migration. */
let emptyMemory: Uint8Array | undefined;

/** A database in memory: what is done in it leaves no trace. */
export async function openMemory(): Promise<Store> {
  const database = new DatabaseSync(':memory:');
  if (emptyMemory) database.deserialize(emptyMemory);
  const log = { flush: async () => undefined, close: async () => undefined };
  const store = createStore(database, log, () => database.close());
  if (emptyMemory) return store;
  await migrate(store);
  // Node 24 has no copies.
  if ('serialize' in database) emptyMemory = database.serialize();
  return store;
}

/** Milliseconds to wait for a lock of another program: nothing else runs in the meantime. */
const lockWaitMs = 100;

function openDatabase(file: string): DatabaseSync {
  // SQLite gives its log files the mode of the database file.
  closeSync(openSync(file, 'a', 0o600));
  const database = new DatabaseSync(file, { timeout: 5000 });
  try {
    database.exec(`
      pragma page_size = ${pageBytes};
      pragma journal_mode = wal;
      pragma synchronous = normal;
      pragma wal_autocheckpoint = ${checkpointPages};
      pragma foreign_keys = on;
      pragma temp_store = memory;
      pragma busy_timeout = ${lockWaitMs};
    `);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** What brings the log onto the disk. */
type Log = Pick<LogFlush, 'flush' | 'close'>;

function createStore(database: DatabaseSync, log: Log, onClose: () => void): Store {
  const scope = createTransactionScope();
  const queue = new KeyedQueue();
  const connection = new SqliteConnection(database, () => scope.refuseInside());
  const { db, tx } = createHandles(connection, log, () => scope.requireInside());
  const transact = async <T>(
    durability: Durability,
    work: () => T | Promise<T>,
    written?: () => void,
  ): Promise<T> => {
    const result = await borrow(connection, () => connection.transact(work));
    written?.();
    if (durability === 'full') await surely(log, result);
    return result;
  };
  const transaction: Store['transaction'] = (work, durability = 'full', written) =>
    transact(durability, () => scope.run(() => work(tx)), written);
  return {
    dialect: 'sqlite',
    db,
    transaction,
    snapshot: (work) => transaction(work, 'relaxed'),
    appendEvents: async (rows, durability = 'relaxed') =>
      rows.length === 0 ? [] : transact(durability, () => appendEvents(connection, rows)),
    exclusive: (name, work) => queue.run(name, work),
    async close() {
      await connection.acquire();
      await log.close();
      onClose();
    },
  };
}

/**
 * `db` borrows the connection for each statement; `tx`, the handle of every transaction, uses the one
 * that its transaction has borrowed. Kysely would make four new objects for each transaction.
 */
function createHandles(connection: SqliteConnection, log: Log, requireInside: () => void) {
  const dialect = sqliteDialect(connection, () => log.flush());
  const db = new Kysely<Tables>({ dialect });
  const executor = db.getExecutor().withConnectionProvider({
    async provideConnection(consumer) {
      requireInside();
      return consumer(connection);
    },
  });
  const driver = dialect.createDriver();
  return { db, tx: new Kysely<Tables>({ config: { dialect }, dialect, driver, executor }) };
}

const insertEvent = 'insert into events (topic_id, seq, body) values (?, ?, ?)';

function appendEvents(connection: SqliteConnection, rows: JournalRow[]): number[] {
  const { topicId, seq, body } = packRows(rows);
  const id = Number(connection.run(insertEvent, [topicId, seq, body]).insertId);
  return rows.map(() => id);
}

async function borrow<T>(connection: SqliteConnection, work: () => Promise<T>): Promise<T> {
  await connection.acquire();
  try {
    return await work();
  } finally {
    connection.release();
  }
}

/** What is committed is there, whether the disk takes it or not: it must not be done a second time. */
async function surely(log: Log, result: unknown): Promise<void> {
  const flushed = () => log.flush().then(() => true);
  await flushed().catch((cause: unknown) => {
    throw new CommitInDoubt(cause, result, flushed);
  });
}

/** KeyedQueue every failure to get at the data folder into a sentence that names it. */
export function usableFolder<T>(home: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    const isOfSystem = error instanceof Error && 'syscall' in error;
    const known =
      machineFull(error, 'storage_unavailable') ?? (isOfSystem ? error : storageError(error));
    if (known instanceof CeriseError && known.code === 'data_in_use') throw known;
    const why = wordsOf(known);
    throw new CeriseError(
      'data_unreadable',
      say('data-folder-unusable-why')`The data folder ${home} can't be used: ${why}`,
      {
        hint:
          known instanceof CeriseError && known.hint
            ? hintOf(known)
            : say(
                'data-folder-hint',
              )`Check that it's a folder you can read and write, or set CERISE_HOME to another folder.`,
        cause: error,
      },
    );
  }
}
