import { setTimeout } from 'node:timers/promises';

/** What is missing before requests can be taken. It names no address: everybody may read it. */
export interface NotReady {
  part: 'database' | 'data_folder' | 'files' | 'workspace';
  message: string;
}

/** Milliseconds the database may take, and for which an answer of it holds. */
const maxWaitMs = 2_000;
const freshMs = 1_000;
const diskFreshMs = 5_000;

interface CheckLimits {
  maxWaitMs: number;
  freshMs: number;
}

/** Everything that keeps a host from taking requests; asking often costs little. */
export function createChecks(host: {
  ping(): Promise<void>;
  diskProblems(): Promise<NotReady[]>;
}): () => Promise<NotReady[]> {
  const database = createReadiness(() => host.ping());
  const disks = createDiskCheck(() => host.diskProblems());
  return async () => (await Promise.all([database(), disks()])).flat();
}

/** Looks whether the database answers, at most once a second. */
export function createReadiness(
  ping: () => Promise<void>,
  limits: CheckLimits = { maxWaitMs, freshMs },
  now?: () => number,
): () => Promise<NotReady[]> {
  const look = () =>
    ping().then(
      () => [],
      () => [unavailable],
    );
  return createCheck(look, silent, limits, now);
}

/** Looks whether the disks take what is written, at most every five seconds. */
function createDiskCheck(
  probe: () => Promise<NotReady[]>,
  limits: CheckLimits = { maxWaitMs, freshMs: diskFreshMs },
): () => Promise<NotReady[]> {
  const look = () => probe().catch(() => [unwritable]);
  return createCheck(look, silentDisk, limits);
}

/**
 * However many ask, a look is taken once at a time and holds for a while; one that has not come to an end
 * is not taken again until it has.
 */
function createCheck(
  look: () => Promise<NotReady[]>,
  silent: NotReady,
  limits: CheckLimits,
  now: () => number = () => performance.now(),
): () => Promise<NotReady[]> {
  let asking: Promise<void> | undefined;
  let late = false;
  let cached: { at: number; problems: NotReady[] } | undefined;

  const ask = (): Promise<void> =>
    look().then((problems) => {
      cached = { at: now(), problems };
      asking = undefined;
      late = false;
    });

  return async () => {
    if (cached && !asking && now() - cached.at < limits.freshMs) return cached.problems;
    asking ??= ask();
    if (late) return [silent];
    const timer = new AbortController();
    const gaveUp = setTimeout(limits.maxWaitMs, 'late' as const, { signal: timer.signal });
    const outcome = await Promise.race([asking, gaveUp.catch(() => undefined)]);
    timer.abort();
    if (outcome !== 'late') return cached?.problems ?? [];
    late = asking !== undefined;
    return [silent];
  };
}

const unavailable: NotReady = { part: 'database', message: 'The database is not available.' };
const silent: NotReady = { part: 'database', message: 'The database did not respond in time.' };
const unwritable: NotReady = { part: 'data_folder', message: 'Cannot write to the data folder.' };
const silentDisk: NotReady = {
  part: 'data_folder',
  message: "The data folder's disk did not respond in time.",
};
