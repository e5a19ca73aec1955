import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Rounds } from './round-trip.ts';
import { followTask } from './tasks.ts';

const hour = 3_600_000;
const year = 365 * 24 * hour;
const goesOn = Promise.resolve('goes on');

/** A server whose task never ends, and what it was sent. */
function endless() {
  const sent: string[] = [];
  const rounds: Rounds = {
    send: async (method) => {
      sent.push(method);
      return { status: 'working', pollIntervalMs: 60_000 };
    },
    answer: async () => ({}),
    limits: { total: 1000 },
  };
  const follow = (since: number) =>
    followTask({ kind: 'task', taskId: 't', since, legacy: false }, rounds).catch(
      ({ code }: { code: string }) => code,
    );
  return { follow, sent };
}

describe('T90: the time of a task', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is not extended by a clock that was set back before or after it was taken up', async () => {
    const { follow, sent } = endless();
    const ended = follow(Date.now() + year);
    await vi.advanceTimersByTimeAsync(hour);
    vi.setSystemTime(Date.now() - year);
    await vi.advanceTimersByTimeAsync(24 * hour);
    expect(await Promise.race([ended, goesOn])).toBe('timed_out');
    expect(sent.at(-1)).toBe('tasks/cancel');
  });

  it('is not over because the clock was set forth', async () => {
    const { follow, sent } = endless();
    const ended = follow(Date.now());
    vi.setSystemTime(Date.now() + year);
    await vi.advanceTimersByTimeAsync(hour);
    expect(await Promise.race([ended, goesOn])).toBe('goes on');
    expect(sent).not.toContain('tasks/cancel');
    await vi.advanceTimersByTimeAsync(24 * hour);
    await ended;
  });
});
