import { expect, it } from 'vitest';
import { SharedWork } from './shared-work.ts';

it('starts again for anyone who comes while the work that everyone left still ends', async () => {
  const shared = new SharedWork();
  const slowEnd = Promise.withResolvers<void>();
  const leaving = new AbortController();
  const first = shared.join('one', leaving.signal, async (signal) => {
    await slowEnd.promise;
    signal.throwIfAborted();
  });
  leaving.abort();
  await expect(first).rejects.toMatchObject({ code: 'cancelled' });
  const running = Promise.withResolvers<void>();
  let runs = 0;
  const work = () => {
    runs += 1;
    return running.promise;
  };
  const stay = new AbortController().signal;
  const second = shared.join('one', stay, work);
  slowEnd.resolve();
  // Time for the first work to end, which must not forget the second.
  await new Promise((resolve) => setImmediate(resolve));
  const third = shared.join('one', stay, work);
  running.resolve();
  await Promise.all([second, third]);
  expect(runs).toBe(1);
});

it('starts nothing for a signal that is already aborted', async () => {
  const shared = new SharedWork();
  let runs = 0;
  const work = async () => void (runs += 1);
  await expect(shared.join('one', AbortSignal.abort(), work)).rejects.toMatchObject({
    code: 'cancelled',
  });
  expect(runs).toBe(0);
});
