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
import type { Durability } from './store.ts';
import { storageError } from './storage-error.ts';

const statementCacheSize = 256;

/**
 * One SQLite connection that is lent to one borrower at a time, so that statements of others never fall
 * into an open transaction. Prepared statements are kept.
 */
export class SqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, { statement: StatementSync; returnsRows: boolean }>();
  readonly #waiting: (() => void)[] = [];
  #lent = false;
  #durability: Durability | undefined;
  /** What the next transaction that Kysely begins is to be. */
  nextTransaction: Durability = 'full';

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
      const { statement, returnsRows } = this.#prepare(sql);
      const values = parameters as SQLInputValue[];
      if (returnsRows) return { rows: statement.all(...values) };
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

  /** All or nothing, without giving up the thread. */
  transact<T>(durability: Durability, work: () => T): T {
    this.begin(durability);
    try {
      const result = work();
      this.run('commit');
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

  #prepare(sql: string): { statement: StatementSync; returnsRows: boolean } {
    const known = this.#statements.get(sql);
    if (known) {
      this.#statements.delete(sql);
      this.#statements.set(sql, known);
      return known;
    }
    const statement = this.#database.prepare(sql);
    // A row id of the search index may be larger than a number can hold.
    statement.setReadBigInts(statement.columns().length === 0);
    const entry = { statement, returnsRows: statement.columns().length > 0 };
    this.#statements.set(sql, entry);
    const oldest = this.#statements.keys().next().value;
    if (this.#statements.size > statementCacheSize && oldest !== undefined) {
      this.#statements.delete(oldest);
    }
    return entry;
  }
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
    beginTransaction: async () => {
      const durability = connection.nextTransaction;
      connection.nextTransaction = 'full';
      connection.begin(durability);
    },
    commitTransaction: async () => void connection.run('commit'),
    rollbackTransaction: async () => connection.rollback(),
    releaseConnection: async () => connection.release(),
    destroy: async () => {},
  };
}
