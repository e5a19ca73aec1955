import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { settleSoon } from './settle-soon.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const patience = { least: 3000, quiet: 2000, most: 10_000 };
const after = (time: number) =>
  new Promise<number>((resolve) => void setTimeout(() => resolve(time), time));
const never = new Promise<number>(() => undefined);

async function timed(times: (number | undefined)[]) {
  const startedAt = Date.now();
  const settled = settleSoon(
    times.map((time) => (time === undefined ? never : after(time))),
    patience,
  ).then((found) => ({ found, time: Date.now() - startedAt }));
  await vi.advanceTimersByTimeAsync(20_000);
  return settled;
}

it('waits for all when all come', async () => {
  expect(await timed([200, 2900, 10])).toEqual({ found: [200, 2900, 10], time: 2900 });
  expect(await timed([])).toEqual({ found: [], time: 0 });
});

it('does not wait long for one that never comes', async () => {
  expect(await timed([200, undefined, 10])).toEqual({ found: [200, undefined, 10], time: 3000 });
});

it('goes on waiting as long as somebody comes', async () => {
  expect(await timed([2500, 4400, undefined, 6000])).toEqual({
    found: [2500, 4400, undefined, 6000],
    time: 8000,
  });
});

it('has an end', async () => {
  const { found, time } = await timed([2000, 3900, 5800, 7700, 9600, 11_500, 13_400]);
  expect(time).toBe(10_000);
  expect(found).toEqual([2000, 3900, 5800, 7700, 9600, undefined, undefined]);
});
