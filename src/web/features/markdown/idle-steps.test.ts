import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runWhenIdle } from './idle-steps.ts';

let asked: (() => void)[] = [];

/** What a browser does in one idle period: only what was asked for before it. */
function idle() {
  const due = asked;
  asked = [];
  for (const run of due) run();
}

beforeEach(() => {
  asked = [];
  vi.useFakeTimers();
  vi.stubGlobal('requestIdleCallback', (run: () => void) => asked.push(run));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('steps in idle time', () => {
  it('run once each, in order, in moments of their own within one idle period', async () => {
    const ran: number[] = [];
    const done = runWhenIdle({ count: 3, run: (index) => ran.push(index), isBusy: () => false });
    expect(ran).toEqual([]);
    asked[0]?.();
    expect(ran).toEqual([0]);
    asked.shift();
    idle();
    expect(ran).toEqual([0, 1, 2]);
    await done;
    expect(asked).toEqual([]);
  });

  it('wait while the page is needed, and go on where they were', async () => {
    const ran: number[] = [];
    let busy = false;
    const run = (index: number) => {
      ran.push(index);
      busy = index === 0;
    };
    const done = runWhenIdle({ count: 3, run, isBusy: () => busy });
    idle();
    vi.advanceTimersByTime(1000);
    idle();
    expect(ran).toEqual([0]);
    busy = false;
    vi.advanceTimersByTime(1000);
    idle();
    expect(ran).toEqual([0, 1, 2]);
    await done;
  });

  it('end with the first that fails', async () => {
    const ran: number[] = [];
    const run = (index: number) => {
      ran.push(index);
      throw new Error('no');
    };
    const done = runWhenIdle({ count: 3, run, isBusy: () => false });
    idle();
    await expect(done).rejects.toThrow('no');
    expect(ran).toEqual([0]);
  });
});
