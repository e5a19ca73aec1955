/**
 * How many of something took how long: a count by bucket. Up to 128 ms each millisecond is a bucket of its
 * own; above that 64 buckets double the time, so that what is read from them is at most 1/64 too low.
 */
export type Durations = Map<number, number>;

const exact = 128;
const steps = 64;

/** The bucket of a duration (ms), which is named by the shortest duration in it. */
export function bucketOf(ms: number): number {
  const whole = Math.max(0, Math.floor(ms));
  if (whole < exact) return whole;
  const width = 2 ** Math.floor(Math.log2(whole)) / steps;
  return Math.floor(whole / width) * width;
}

/** Adds counts, which may be negative; a bucket without any is left out. */
export function addDurations(to: Durations, from: Iterable<[number, number]>): void {
  for (const [bucket, count] of from) {
    const sum = (to.get(bucket) ?? 0) + count;
    if (sum === 0) to.delete(bucket);
    else to.set(bucket, sum);
  }
}

/** The duration that so many of all (0 to 1) took at most, but for what a bucket hides. */
export function percentileOf(durations: Durations, share: number): number | undefined {
  const sorted = [...durations].filter(([, count]) => count > 0).toSorted(([a], [b]) => a - b);
  const place = Math.ceil(sorted.reduce((sum, [, count]) => sum + count, 0) * share);
  let seen = 0;
  return sorted.find(([, count]) => (seen += count) >= place)?.[0];
}

/** As it is stored: `bucket:count` with blanks between. */
export function formatDurations(durations: Durations): string {
  return [...durations].map(([bucket, count]) => `${bucket}:${count}`).join(' ');
}

export function parseDurations(text: string): Durations {
  if (text === '') return new Map();
  return new Map(text.split(' ').map((part) => part.split(':').map(Number) as [number, number]));
}
