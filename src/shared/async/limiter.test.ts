import { describe, expect, it } from 'vitest';
import { Limiter } from './limiter.ts';

describe('a limiter', () => {
  it('lets at most so many in at once, in the order they asked', async () => {
    const limiter = new Limiter(2);
    const { signal } = new AbortController();
    const order: number[] = [];
    const enter = (n: number) => limiter.acquire('a', signal).then(() => order.push(n));
    await Promise.all([enter(1), enter(2)]);
    const third = enter(3);
    const fourth = enter(4);
    expect(limiter.tryAcquire('a')).toBe(false);
    expect(limiter.tryAcquire('b')).toBe(true);
    limiter.release('a');
    await third;
    limiter.release('a');
    await fourth;
    expect(order).toEqual([1, 2, 3, 4]);
  });

  it('gives up a place in the queue when the wait is aborted', async () => {
    const limiter = new Limiter(1);
    const controller = new AbortController();
    await limiter.acquire('a', controller.signal);
    const waiting = limiter.acquire('a', controller.signal);
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    limiter.release('a');
    expect(limiter.tryAcquire('a')).toBe(true);
  });
});
