import type { Limits } from '#shared/vocabulary/limits.ts';
import type { ServerConfig } from '#shared/vocabulary/server.ts';

/** How long a call may take. `idle` counts from the last sign of progress. */
export interface CallLimits {
  idle?: number;
  total: number;
}

/**
 * A server's own `timeout` is the total of a call; `longRunning` makes it the longest silence, under
 * `totalTimeout` or ten minutes (or the timeout, where that is longer).
 */
export function callLimits(
  config: Pick<ServerConfig, 'timeout' | 'longRunning' | 'totalTimeout'>,
  usual: Pick<Limits, 'callIdleTime' | 'callTotalTime'>,
): CallLimits {
  const time = config.timeout === undefined ? usual.callIdleTime : config.timeout * 1000;
  if (!config.longRunning) return { total: time };
  const { totalTimeout } = config;
  const total = totalTimeout === undefined ? usual.callTotalTime : totalTimeout * 1000;
  return { idle: time, total: Math.max(total, time) };
}
