import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { describeEachDatabase } from '../../../test/databases.ts';
import { runCached } from './cached-query.ts';
import type { Db } from './store.ts';

describe('a cached statement', () => {
  describeEachDatabase((open) => {
    it('is built once and runs with the parameters of each call', async () => {
      const { db } = await open();
      let built = 0;
      const insert = (key: string, value: string) => {
        const row = { owner: 'local', key, value, updated_at: 1 };
        return runCached<{ key: string }>(db, 'kept-query test', Object.values(row), () => {
          built += 1;
          return db.insertInto('settings').values(row).returning('key');
        });
      };
      expect((await insert('a', '"first"')).rows).toEqual([{ key: 'a' }]);
      expect((await insert('b', '"second"')).rows).toEqual([{ key: 'b' }]);
      expect(await valuesOf(db)).toEqual(['"first"', '"second"']);
      expect(built).toBe(1);
    });

    it('is part of the transaction whose handle it is given', async () => {
      const store = await open();
      const row = { owner: 'local', key: 'a', value: '1', updated_at: 1 };
      const undone = store.transaction(async (tx) => {
        await runCached(tx, 'kept-query undone', Object.values(row), () =>
          tx.insertInto('settings').values(row),
        );
        throw new Error('no');
      });
      await expect(undone).rejects.toThrow('no');
      expect(await valuesOf(store.db)).toEqual([]);
    });

    it('is planned once by a connection, and goes on when a column is added meanwhile', async () => {
      const store = await open();
      await store.transaction(async (tx) => {
        const read = (key: string) =>
          runCached<{ key: string }>(tx, 'kept-query planned', [key], () =>
            tx.selectFrom('settings').select('key').where('key', '=', key),
          );
        const all = (key: string) =>
          runCached<{ key: string }>(tx, 'kept-query star', [key], () =>
            tx.selectFrom('settings').selectAll().where('key', '=', key),
          );
        const row = { owner: 'local', key: 'a', value: '1', updated_at: 1 };
        await tx.insertInto('settings').values(row).execute();
        for (let time = 0; time < 7; time += 1) {
          await read('a');
          await all('a');
        }
        await sql`alter table settings add column later text`.execute(tx);
        expect((await read('a')).rows).toEqual([{ key: 'a' }]);
        expect((await all('a')).rows).toMatchObject([{ key: 'a', later: null }]);
        if (store.dialect === 'postgres') expect(await plans(tx, 'settings')).toEqual([7 + 1]);
      });
    });

    it('refuses parameters in another order than its own', async () => {
      const { db } = await open();
      const row = { owner: 'local', key: 'a', value: '1', updated_at: 1 };
      const wrong = runCached(db, 'kept-query wrong', ['a', 'local', '1', 1], () =>
        db.insertInto('settings').values(row),
      );
      await expect(wrong).rejects.toThrow('The parameters are not those of');
      expect(await valuesOf(db)).toEqual([]);
    });
  });
});

/** How often this connection has run each plan that it keeps of statements about a table. */
async function plans(tx: Db, table: string): Promise<number[]> {
  const { rows } = await sql<{ runs: number }>`
    select generic_plans + custom_plans as runs from pg_prepared_statements
    where statement like ${`select%${table}%`}`.execute(tx);
  return rows.map(({ runs }) => runs);
}

async function valuesOf(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('settings')
    .select('value')
    .where('key', 'in', ['a', 'b'])
    .orderBy('key')
    .execute();
  return rows.map(({ value }) => value);
}
