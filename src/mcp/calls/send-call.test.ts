import { expect, it, onTestFinished, vi } from 'vitest';
import { callLimits } from '../protocol/call-limits.ts';
import { Stop } from '../protocol/stop.ts';
import { usualLimits } from '#shared/vocabulary/limits.ts';
import { listInTime } from './send-call.ts';

it('leaves no timer behind that would keep a program alive', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const limits = callLimits({}, usualLimits);
  const catalog = { tools: { get: async () => [] } };
  const deps = { catalog, stop: new Stop() } as unknown as Parameters<typeof listInTime>[0];
  expect(await listInTime(deps, limits)).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});
