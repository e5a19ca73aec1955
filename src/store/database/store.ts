import type { Kysely } from 'kysely';
import type { Tables } from '../tables/tables.ts';

/** What query functions take: the store's own `db`, or the handle of a transaction. */
export type Db = Kysely<Tables>;

/** `full` survives a power cut once it resolves; `relaxed` survives `kill -9`. */
export type Durability = 'full' | 'relaxed';

/** One event on its way into the journal. */
export interface JournalRow {
  topicId: string;
  seq: number;
  /** What `encodeEvent` makes of the event. */
  body: string;
  /** The topic's, where it is leased: the row is written only if it still is the present one. */
  fence?: number;
}

/**
 * An open database. Inside `transaction` and `snapshot` only their own handle may be used: `db` there
 * would wait for itself, so it throws.
 */
export interface Store {
  dialect: 'sqlite' | 'postgres';
  /** For single statements; each write is durable when it resolves. */
  db: Db;
  /**
   * All or nothing; `full` unless told. `written` is called as soon as what was done survives `kill -9`, where that is
   * before it survives a power cut.
   */
  transaction<T>(
    work: (tx: Db) => Promise<T>,
    durability?: Durability,
    written?: () => void,
  ): Promise<T>;
  /** Reads only, all of one moment. */
  snapshot<T>(work: (tx: Db) => Promise<T>): Promise<T>;
  /**
   * The journal's hot path: its own transaction, `relaxed` unless told. The row ids, in order; undefined
   * for those whose lease is lost.
   */
  appendEvents(rows: JournalRow[], durability?: Durability): Promise<(number | undefined)[]>;
  /** Runs `work` while nobody else does under the same name, in this process or in another. */
  exclusive<T>(name: string, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
