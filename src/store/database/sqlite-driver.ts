import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { fault } from '#shared/errors/fault.ts';
import { storageError } from './storage-error.ts';

const statementCacheSize = 256;

/**
 * One SQLite connection that is lent to one borrower at a time, so that statements of others never fall
 * into an open transaction. Prepared statements are kept.
 */
export class SqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, Prepared>();
  readonly #waiting: (() => void)[] = [];
  #lent = false;
  /** True if who has borrowed it now has written something outside of a transaction of the store. */
  #hasWritten = false;
  readonly #onAcquire: () => void;

  /** `onAcquire` may throw to refuse a borrower. */
  constructor(database: DatabaseSync, onAcquire: () => void) {
    this.#database = database;
    this.#onAcquire = onAcquire;
  }

  /** Resolves when nobody else holds the connection; `release` must follow. */
  async acquire(): Promise<void> {
    this.#onAcquire();
    if (this.#lent) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#lent = true;
  }

  /** Whether the borrower has written by single statements: they are durable once the log is flushed. */
  release(): boolean {
    const hasWritten = this.#hasWritten;
    this.#hasWritten = false;
    const next = this.#waiting.shift();
    if (next) next();
    else this.#lent = false;
    return hasWritten;
  }

  /** Runs one statement now; what it has written survives `kill -9`, and a power cut once it is flushed. */
  run(sql: string, parameters: readonly unknown[] = []): QueryResult<unknown> {
    try {
      const prepared = this.#prepare(sql);
      const { statement } = prepared;
      const values = parameters as SQLInputValue[];
      if (prepared.columns.length > 0) return { rows: readRows(prepared, values) };
      const { changes, lastInsertRowid } = statement.run(...values);
      return {
        rows: [],
        numAffectedRows: BigInt(changes),
        insertId: BigInt(lastInsertRowid),
      };
    } catch (error) {
      throw storageError(error);
    }
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const isAlone = !this.#database.isTransaction;
    const result = this.run(query.sql, query.parameters) as QueryResult<R>;
    if (isAlone && writes(query.sql)) this.#hasWritten = true;
    return result;
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query);
  }

  /** All or nothing, for the holder of the connection. */
  async transact<T>(work: () => T | Promise<T>): Promise<T> {
    this.run('begin immediate');
    try {
      const result = await work();
      await fault('before-commit');
      this.run('commit');
      await fault('after-commit');
      return result;
    } catch (error) {
      this.rollback();
      throw error;
    }
  }

  /** SQLite ends a transaction by itself on some errors (disk full); then there is nothing to do. */
  rollback(): void {
    if (this.#database.isTransaction) this.run('rollback');
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql);
    if (known) {
      this.#statements.delete(sql);
      this.#statements.set(sql, known);
      return known;
    }
    // Some versions of Node 24 and 26 read no more columns than a statement had when it was prepared.
    if (/^\s*(?:alter|create|drop)\b/i.test(sql)) this.#statements.clear();
    const statement = this.#database.prepare(sql);
    const columns = columnsOf(statement);
    // A row id of the search index may be larger than a number can hold.
    statement.setReadBigInts(columns.length === 0);
    statement.setReturnArrays(true);
    const entry = { statement, columns };
    this.#statements.set(sql, entry);
    const oldest = this.#statements.keys().next().value;
    if (this.#statements.size > statementCacheSize && oldest !== undefined) {
      this.#statements.delete(oldest);
    }
    return entry;
  }
}

interface Prepared {
  statement: StatementSync;
  /** The names of what it returns; none if it returns no rows. */
  columns: string[];
}

function columnsOf(statement: StatementSync): string[] {
  return statement.columns().map(({ name }) => name);
}

/**
 * The rows as objects of one shape. The driver's own are dictionaries: to make and read those takes twice
 * as long. A changed schema may give `select *` other columns.
 */
function readRows(prepared: Prepared, values: SQLInputValue[]): Record<string, unknown>[] {
  const rows = prepared.statement.all(...values) as unknown as unknown[][];
  const [first] = rows;
  if (first && first.length !== prepared.columns.length)
    prepared.columns = columnsOf(prepared.statement);
  const { columns } = prepared;
  return rows.map((cells) => {
    const row: Record<string, unknown> = {};
    for (let at = 0; at < columns.length; at += 1) row[columns[at] ?? ''] = cells[at];
    return row;
  });
}

/** Whatever does not only read; `with` begins both. */
function writes(sql: string): boolean {
  if (/^\s*with\b/i.test(sql)) return /\b(insert|update|delete|replace)\b/i.test(sql);
  return !/^\s*select\b/i.test(sql);
}

/** Lets Kysely speak to the one connection. Closing the database is its opener's business. */
export function sqliteDialect(connection: SqliteConnection, flush: () => Promise<void>): Dialect {
  return {
    createDriver: () => createDriver(connection, flush),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new QueueingAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

/** Borrowers queue at the connection, where the journal queues too; Kysely need not do it again. */
class QueueingAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

function createDriver(connection: SqliteConnection, flush: () => Promise<void>): Driver {
  return {
    init: async () => {},
    acquireConnection: async () => {
      await connection.acquire();
      return connection;
    },
    beginTransaction: refuseTransaction,
    commitTransaction: refuseTransaction,
    rollbackTransaction: refuseTransaction,
    releaseConnection: async () => {
      if (connection.release()) await flush();
    },
    destroy: async () => {},
  };
}

/** Transactions are the store's: it knows how durable they are to be. */
async function refuseTransaction(): Promise<never> {
  throw new Error('Use the transaction of the store.');
}
