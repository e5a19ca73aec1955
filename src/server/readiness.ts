import { setTimeout } from 'node:timers/promises';

/** What is missing before requests can be taken. It names no address: everybody may read it. */
export interface NotReady {
  part: 'database';
  message: string;
}

/** Milliseconds the database may take, and for which an answer of it holds. */
const longestWait = 2_000;
const freshTime = 1_000;

/**
 * Looks whether the database answers. However many ask, it is asked once at a time and at most once a
 * second; one that has not answered is not asked again until it has.
 */
export function createReadiness(
  ping: () => Promise<void>,
  limits: { longestWait: number; freshTime: number } = { longestWait, freshTime },
  now: () => number = () => performance.now(),
): () => Promise<NotReady[]> {
  let asking: Promise<void> | undefined;
  let late = false;
  let known: { at: number; problems: NotReady[] } | undefined;

  const ask = (): Promise<void> =>
    ping()
      .then(
        () => [],
        () => [unavailable],
      )
      .then((problems) => {
        known = { at: now(), problems };
        asking = undefined;
        late = false;
      });

  return async () => {
    if (known && !asking && now() - known.at < limits.freshTime) return known.problems;
    asking ??= ask();
    if (late) return [silent];
    const timer = new AbortController();
    const gaveUp = setTimeout(limits.longestWait, 'late' as const, { signal: timer.signal });
    const outcome = await Promise.race([asking, gaveUp.catch(() => undefined)]);
    timer.abort();
    if (outcome !== 'late') return known?.problems ?? [];
    late = asking !== undefined;
    return [silent];
  };
}

const unavailable: NotReady = { part: 'database', message: 'The database cannot be used.' };
const silent: NotReady = { part: 'database', message: 'The database does not answer in time.' };
