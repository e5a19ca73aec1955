import { type Compilable, CompiledQuery, type Insertable, type QueryResult } from 'kysely';
import type { Db } from './store.ts';
import type { Tables } from '../tables/tables.ts';

/** By what tells the databases apart, then by key. */
const statements = new WeakMap<object, Map<string, string>>();
/** By statement. */
const names = new Map<string, string>();
/** Every connection has a plan for each that has a name, so long lists of values get none. */
const maxNamedParameters = 64;

/**
 * Runs a statement that is built once for each key and database: building one of many columns costs far
 * more than running it. Statements of one key differ in their parameters only, which are given in order.
 */
export async function runCached<Row>(
  db: Db,
  key: string,
  parameters: unknown[],
  build: () => Compilable,
): Promise<QueryResult<Row>> {
  const { adapter } = db.getExecutor();
  const byKey = statements.get(adapter) ?? new Map<string, string>();
  statements.set(adapter, byKey);
  const sql = byKey.get(key) ?? compile(build(), parameters);
  byKey.set(key, sql);
  if (parameters.length <= maxNamedParameters) keepPlan(sql);
  return db.executeQuery<Row>(CompiledQuery.raw(sql, parameters));
}

/** Numbers of rows that are written at once; each is a statement of its own, which is cached. */
const rowsAtOnce = [50, 10, 1];

/** Inserts rows that all have the same columns in the same order. */
export async function insertRows<T extends keyof Tables>(
  tx: Db,
  table: T,
  rows: Insertable<Tables[T]>[],
): Promise<void> {
  for (let start = 0; start < rows.length;) {
    const count = rowsAtOnce.find((size) => size <= rows.length - start) ?? 1;
    const piece = rows.slice(start, start + count);
    const parameters = piece.flatMap((row) => Object.values(row));
    await runCached(tx, `insert ${table} ${count}`, parameters, () =>
      tx.insertInto(table).values(piece),
    );
    start += count;
  }
}

/**
 * Lets connections to PostgreSQL keep the plan of a statement. Of one that returns `*` they do not: a
 * column that is added in the meantime would make it fail.
 */
export function keepPlan(sql: string): string {
  if (!names.has(sql) && !sql.includes('*')) names.set(sql, `kept ${names.size}`);
  return sql;
}

/** The name under which a connection keeps the plan of a statement, if it does. */
export function planName(sql: string): string | undefined {
  return names.get(sql);
}

function compile(query: Compilable, parameters: unknown[]): string {
  const compiled = query.compile();
  const same = compiled.parameters.every((value, index) => Object.is(value, parameters[index]));
  if (!same || compiled.parameters.length !== parameters.length) {
    throw new Error(`The parameters are not those of: ${compiled.sql}`);
  }
  return compiled.sql;
}
