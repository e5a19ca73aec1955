import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CeriseError } from '#shared/errors/errors.ts';
import { Cached } from './cached.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function counting(ttlMs?: number) {
  let loads = 0;
  const cached = new Cached(60_000, async () => ({
    value: ++loads,
    ...(ttlMs !== undefined && { ttlMs }),
  }));
  return { cached, loads: () => loads };
}

describe('a value', () => {
  it('is asked for once by all who want it at the same time, and kept for its time', async () => {
    const { cached, loads } = counting();
    expect(await Promise.all([cached.get(), cached.get()])).toEqual([1, 1]);
    vi.advanceTimersByTime(59_999);
    expect(await cached.get()).toBe(1);
    vi.advanceTimersByTime(1);
    expect(await cached.get()).toBe(2);
    expect(loads()).toBe(2);
  });

  it.each([
    [0, 2],
    [500, 1],
    [-5, 2],
  ])('is kept as long as the server says: %i ms', async (ttlMs, second) => {
    const { cached } = counting(ttlMs);
    await cached.get();
    vi.advanceTimersByTime(499);
    expect(await cached.get()).toBe(second);
  });

  it('is asked for again at once when it changed', async () => {
    const { cached } = counting();
    await cached.get();
    cached.invalidate();
    expect(await cached.get()).toBe(2);
    expect(cached.peek()).toBe(2);
  });

  it('is not kept when it changed while it was on its way', async () => {
    const { cached } = counting();
    const first = cached.get();
    cached.invalidate();
    expect(await first).toBe(1);
    expect(await cached.get()).toBe(2);
  });
});

it('takes a flood of changes together (T49)', async () => {
  const { cached, loads } = counting();
  for (let at = 0; at < 3000; at++) {
    cached.invalidate();
    await cached.get();
    vi.advanceTimersByTime(1);
  }
  expect(loads()).toBeLessThan(30);
  vi.advanceTimersByTime(1000);
  const before = loads();
  await cached.get();
  expect(loads()).toBe(before + 1);
});

describe('those who cannot wait', () => {
  it('are told at once that the server failed just now, and later try again', async () => {
    let fails = true;
    const cached = new Cached(60_000, async () => {
      if (fails) throw new CeriseError('connection_refused', 'Nobody there.');
      return { value: 'here' };
    });
    await expect(cached.getUnlessStuck(3000)).rejects.toMatchObject({ code: 'connection_refused' });
    fails = false;
    await expect(cached.getUnlessStuck(3000)).rejects.toMatchObject({ code: 'connection_refused' });
    vi.advanceTimersByTime(30_000);
    expect(await cached.getUnlessStuck(3000)).toBe('here');
  });

  it('do not wait for a server that was asked long ago and still hangs', async () => {
    const cached = new Cached<string>(60_000, () => new Promise(() => undefined));
    void cached.getUnlessStuck(3000);
    vi.advanceTimersByTime(3001);
    await expect(cached.getUnlessStuck(3000)).rejects.toMatchObject({ code: 'timed_out' });
  });
});
