import { expect, it } from 'vitest';
import { describeEachDatabase } from '../../../test/databases.ts';
import { lastUses } from './last-uses.ts';

const day = 24 * 3600_000;
const quarter = 900_000;

describeEachDatabase((open) => {
  it('is the latest quarter of an hour of each server, summed up or not', async () => {
    const { db } = await open();
    const numbers = { failed: 0, input: 0, cached: 0, output: 0, reasoning: 0 };
    const rest = { ...numbers, cost: 0, estimated: 0, name: '' };
    const sum = (grain: 'day' | 'quarter', at: number, subject: string, n = 1) => ({
      owner: 'a',
      grain,
      kind: 'call' as const,
      at,
      subject,
      tool: 't',
      n,
      times: '',
      ...rest,
    });
    await db
      .insertInto('usage_sums')
      .values([
        sum('day', day, 'one'),
        sum('day', 3 * day, 'one'),
        sum('quarter', day + quarter, 'one'),
        sum('quarter', 3 * day + 2 * quarter, 'one'),
        sum('day', 2 * day, 'two'),
        // Taken back since.
        sum('day', 5 * day, 'two', 0),
        { ...sum('day', 9 * day, 'one'), owner: 'b' },
      ])
      .execute();
    const change = { owner: 'a', kind: 'call' as const, tool: 't', ms: 1, ...rest };
    await db
      .insertInto('usage_changes')
      .values([
        { ...change, id: 1, at: 4 * day, subject: 'three', sign: 1 },
        { ...change, id: 2, at: 6 * day, subject: 'two', sign: -1 },
      ])
      .execute();
    expect(await lastUses(db, 'a')).toEqual(
      new Map([
        ['one', 3 * day + 2 * quarter],
        ['two', 2 * day],
        ['three', 4 * day],
      ]),
    );
  });
});
