import { describe, expect, it } from 'vitest';
import { describeEachDatabase } from '../../test/databases.ts';
import { runKept } from './kept-query.ts';
import type { Db } from './store.ts';

describe('a statement that is kept', () => {
  describeEachDatabase((open) => {
    it('is built once and runs with the parameters of each call', async () => {
      const { db } = await open();
      let built = 0;
      const insert = (key: string, value: string) => {
        const row = { owner: 'local', key, value, updated_at: 1 };
        return runKept<{ key: string }>(db, 'kept-query test', Object.values(row), () => {
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
        await runKept(tx, 'kept-query undone', Object.values(row), () =>
          tx.insertInto('settings').values(row),
        );
        throw new Error('no');
      });
      await expect(undone).rejects.toThrow('no');
      expect(await valuesOf(store.db)).toEqual([]);
    });

    it('refuses parameters in another order than its own', async () => {
      const { db } = await open();
      const row = { owner: 'local', key: 'a', value: '1', updated_at: 1 };
      const wrong = runKept(db, 'kept-query wrong', ['a', 'local', '1', 1], () =>
        db.insertInto('settings').values(row),
      );
      await expect(wrong).rejects.toThrow('The parameters are not those of');
      expect(await valuesOf(db)).toEqual([]);
    });
  });
});

async function valuesOf(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('settings')
    .select('value')
    .where('key', 'in', ['a', 'b'])
    .orderBy('key')
    .execute();
  return rows.map(({ value }) => value);
}
