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
import { fault } from '#shared/fault.ts';
import type { Durability } from './store.ts';
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
  #durability: Durability | undefined;
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

  release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#lent = false;
  }

  /** Begins a transaction that is as durable as asked once it is committed. */
  begin(durability: Durability): void {
    this.#setDurability(durability);
    this.run('begin immediate');
  }

  /** Runs one statement now; outside a transaction it is durable when this returns. */
  run(sql: string, parameters: readonly unknown[] = []): QueryResult<unknown> {
    try {
      if (!this.#database.isTransaction && sql !== 'begin immediate') this.#setDurability('full');
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
    return this.run(query.sql, query.parameters) as QueryResult<R>;
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query);
  }

  /** All or nothing, for whoever holds the connection. */
  async transact<T>(durability: Durability, work: () => T | Promise<T>): Promise<T> {
    this.begin(durability);
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

  /** SQLite ignores the setting inside a transaction. */
  #setDurability(durability: Durability): void {
    if (this.#durability === durability) return;
    this.#database.exec(`pragma synchronous = ${durability === 'full' ? 'full' : 'normal'}`);
    this.#durability = durability;
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql);
    if (known) {
      this.#statements.delete(sql);
      this.#statements.set(sql, known);
      return known;
    }
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

/** Lets Kysely speak to the one connection. Closing the database is its opener's business. */
export function sqliteDialect(connection: SqliteConnection): Dialect {
  return {
    createDriver: () => createDriver(connection),
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

function createDriver(connection: SqliteConnection): Driver {
  return {
    init: async () => {},
    acquireConnection: async () => {
      await connection.acquire();
      return connection;
    },
    beginTransaction: async () => connection.begin('full'),
    commitTransaction: async () => void connection.run('commit'),
    rollbackTransaction: async () => connection.rollback(),
    releaseConnection: async () => connection.release(),
    destroy: async () => {},
  };
}
