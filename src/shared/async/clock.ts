/**
 * Clocks are set back and forth, and those of hosts on one database differ. What is compared with a stored
 * time asks here, so that a clock that was set back neither extends anything nor keeps anybody out.
 */

/** Milliseconds that clocks of hosts may differ by. */
export const clockSkewMs = 60_000;

/** Whether a stored time lies ahead: the clock was set back since. */
export function isAhead(at: number, now: number): boolean {
  return at > now + clockSkewMs;
}

/** Whether something happened less than `time` milliseconds ago. What lies ahead is not known to. */
export function isWithin(at: number, time: number, now: number): boolean {
  return now - at < time && !isAhead(at, now);
}
