import { expect, it } from 'vitest';
import { LatestWish } from './latest-wish.ts';

it('writes one wish at a time, the newest last, and skips those in between', async () => {
  const written: number[] = [];
  const doors = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const wishes = new LatestWish(0, async (wanted) => {
    written.push(wanted);
    await doors[written.length - 1]?.promise;
  });
  const done = [wishes.wish(1), wishes.wish(2), wishes.wish(3)];
  expect(written).toEqual([1]);
  doors[0]?.resolve();
  await expect.poll(() => written).toEqual([1, 3]);
  doors[1]?.resolve();
  await Promise.all(done);
  expect([written, wishes.wanted]).toEqual([[1, 3], 3]);
});

it('says that a wish failed, and writes the next one', async () => {
  let fails = true;
  const wishes = new LatestWish('a', async () => {
    if (fails) throw new Error('no');
  });
  await expect(wishes.wish('b')).rejects.toThrow('no');
  fails = false;
  await expect(wishes.wish('c')).resolves.toBeUndefined();
});
