import { type Compilable, CompiledQuery, type QueryResult } from 'kysely';
import type { Db } from './store.ts';

/** By what tells the databases apart, then by key. */
const kept = new WeakMap<object, Map<string, string>>();

/**
 * Runs a statement that is built once for each key and database: building one of many columns costs far
 * more than running it. Statements of one key differ in their parameters only, which are given in order.
 */
export async function runKept<Row>(
  db: Db,
  key: string,
  parameters: unknown[],
  build: () => Compilable,
): Promise<QueryResult<Row>> {
  const { adapter } = db.getExecutor();
  const known = kept.get(adapter) ?? new Map<string, string>();
  kept.set(adapter, known);
  const sql = known.get(key) ?? compile(build(), parameters);
  known.set(key, sql);
  return db.executeQuery<Row>(CompiledQuery.raw(sql, parameters));
}

function compile(query: Compilable, parameters: unknown[]): string {
  const compiled = query.compile();
  const same = compiled.parameters.every((value, index) => Object.is(value, parameters[index]));
  if (!same || compiled.parameters.length !== parameters.length) {
    throw new Error(`The parameters are not those of: ${compiled.sql}`);
  }
  return compiled.sql;
}
