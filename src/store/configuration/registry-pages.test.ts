import { expect, it } from 'vitest';
import { describeEachDatabase } from '../../../test/databases.ts';
import { readPage, replacePages } from './registry-pages.ts';

describeEachDatabase((open) => {
  it('keeps the pages of a registry until others take their place, and those of another', async () => {
    const store = await open();
    const replace = (registry: string, pages: unknown[][]) =>
      store.transaction((tx) => replacePages(tx, registry, pages));
    await replace('a', [[{ name: 'one' }], [{ name: 'two' }]]);
    await replace('b', [['b']]);
    expect(await readPage(store.db, 'a', 1)).toEqual([{ name: 'two' }]);
    await replace('a', [['new']]);
    expect(await readPage(store.db, 'a', 0)).toEqual(['new']);
    expect(await readPage(store.db, 'a', 1)).toBeUndefined();
    expect(await readPage(store.db, 'b', 0)).toEqual(['b']);
  });

  it('keeps the copy before where a replacement fails', async () => {
    const store = await open();
    await store.transaction((tx) => replacePages(tx, 'a', [['old']]));
    const failing = store.transaction(async (tx) => {
      await replacePages(tx, 'a', [['new']]);
      throw new Error('lost');
    });
    await expect(failing).rejects.toThrow('lost');
    expect(await readPage(store.db, 'a', 0)).toEqual(['old']);
  });
});
