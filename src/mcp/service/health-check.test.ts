import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CeriseError } from '#shared/errors/errors.ts';
import type { Connection } from '../connection/connection.ts';
import { HealthCheck } from './health-check.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const halfMinute = 30_000;

/** A watched connection whose pings end as the list says, the last one again and again. */
function watched(pings: boolean[], { busy = false, kind = 'stdio' } = {}) {
  const onDead = vi.fn();
  const ping = vi.fn(async () => {
    const answers = pings.length > 1 ? pings.shift() : pings[0];
    if (!answers) throw new CeriseError('timed_out', 'No answer.');
  });
  const check = new HealthCheck({ busy: () => busy, onDead });
  check.watch({ kind, ping } as unknown as Connection);
  return { check, ping, onDead };
}

it('gives up a server after two questions without an answer, once', async () => {
  const { onDead } = watched([true, false]);
  await vi.advanceTimersByTimeAsync(2 * halfMinute);
  expect(onDead).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(10 * halfMinute);
  expect(onDead).toHaveBeenCalledOnce();
  expect(onDead.mock.calls[0]?.[1]).toMatchObject({ code: 'connection_lost' });
});

it('forgives one miss', async () => {
  const { onDead } = watched([true, false, true, false, true]);
  await vi.advanceTimersByTimeAsync(10 * halfMinute);
  expect(onDead).not.toHaveBeenCalled();
});

it('leaves a server alone that never answered such a question', async () => {
  const { onDead } = watched([false]);
  await vi.advanceTimersByTimeAsync(10 * halfMinute);
  expect(onDead).not.toHaveBeenCalled();
});

it('does not ask a busy server, one in this process, or one it no longer watches', async () => {
  const idle = watched([true]);
  idle.check.stop();
  const all = [watched([true], { busy: true }), watched([true], { kind: 'inMemory' }), idle];
  await vi.advanceTimersByTimeAsync(10 * halfMinute);
  for (const { ping } of all) expect(ping).not.toHaveBeenCalled();
});
