import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { callLimits, CallWatch } from './call-limits.ts';

describe('callLimits', () => {
  it('is a total, or a silence under a total for long-running servers', () => {
    expect(callLimits({})).toEqual({ total: 60_000 });
    expect(callLimits({ timeout: 5 })).toEqual({ total: 5000 });
    expect(callLimits({ longRunning: true })).toEqual({ idle: 60_000, total: 600_000 });
    expect(callLimits({ timeout: 900, longRunning: true })).toEqual({
      idle: 900_000,
      total: 900_000,
    });
  });
});

describe('CallWatch', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('starts the idle limit anew at every sign of life, up to the total', () => {
    using watch = new CallWatch({ idle: 100, total: 350 });
    for (let step = 0; step < 3; step++) {
      vi.advanceTimersByTime(90);
      watch.alive();
    }
    expect(watch.signal.aborted).toBe(false);
    vi.advanceTimersByTime(81);
    expect(watch.ending).toMatchObject({
      code: 'timed_out',
      message: expect.stringContaining('0.35'),
    });
    expect(watch.signal.aborted).toBe(true);
  });

  it('ends at the first silence that is too long', () => {
    using watch = new CallWatch({ idle: 100, total: 350 });
    vi.advanceTimersByTime(100);
    expect(watch.ending).toMatchObject({
      code: 'timed_out',
      message: expect.stringContaining('0.1'),
    });
  });

  it('keeps the first reason when the caller aborts and time runs out', () => {
    const caller = new AbortController();
    using watch = new CallWatch({ total: 100 }, caller.signal);
    caller.abort();
    vi.advanceTimersByTime(200);
    expect(watch.ending?.code).toBe('cancelled');
  });

  it('leaves no timer behind', () => {
    const watch = new CallWatch({ idle: 100, total: 350 });
    watch[Symbol.dispose]();
    expect(vi.getTimerCount()).toBe(0);
  });
});
