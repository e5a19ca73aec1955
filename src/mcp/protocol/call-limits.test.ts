import { expect, it } from 'vitest';
import { usualLimits } from '#shared/vocabulary/limits.ts';
import { callLimits } from './call-limits.ts';

it('is a total, or a silence under a total for long-running servers', () => {
  expect(callLimits({}, usualLimits)).toEqual({ total: 60_000 });
  expect(callLimits({ timeout: 5 }, usualLimits)).toEqual({ total: 5000 });
  expect(callLimits({ longRunning: true }, usualLimits)).toEqual({ idle: 60_000, total: 600_000 });
  expect(callLimits({ timeout: 900, longRunning: true }, usualLimits)).toEqual({
    idle: 900_000,
    total: 900_000,
  });
  expect(callLimits({ timeout: 30, longRunning: true, totalTimeout: 7200 }, usualLimits)).toEqual({
    idle: 30_000,
    total: 7_200_000,
  });
});
