import { type CeriseError, isUnreadable } from '#shared/errors/errors.ts';
import type { Db } from './store.ts';

/** A row that cannot be read; it stays as it is. */
export interface UnreadableRow {
  table: string;
  id: string;
  error: CeriseError;
}

type Listener = (row: UnreadableRow) => void;

/** By what the handles of one database, those of its transactions too, have in common. */
const listeners = new WeakMap<object, Listener>();

/** Tells of every row that a list leaves out because it cannot be read. */
export function onUnreadableRow(db: Db, listener: Listener): void {
  listeners.set(db.getExecutor().adapter, listener);
}

/**
 * Reads the rows of a list; one that cannot be read is told, and left out or shown as `instead` says: it
 * keeps nobody from the rest.
 */
export function readRows<Row extends { id: string | null }, T>(
  db: Db,
  table: string,
  rows: readonly Row[],
  read: (row: Row) => T,
  instead: (row: Row) => T[] = () => [],
): T[] {
  return rows.flatMap((row) => {
    try {
      return [read(row)];
    } catch (error) {
      const listener = listeners.get(db.getExecutor().adapter);
      if (!isUnreadable(error) || !listener) throw error;
      listener({ table, id: row.id ?? '', error });
      return instead(row);
    }
  });
}
