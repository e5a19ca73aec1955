import { peakMemoryOf, resetPeakMemory } from '../processes.ts';

/** Milliseconds of work that are thrown away, and that are measured. */
const warmUp = 300;
const measured = 1000;
const most = 2000;

/** Times one piece of work often enough: the median in µs, and how much memory it needed besides. */
export async function measure(work: () => unknown): Promise<void> {
  await repeat(work, warmUp);
  const before = process.memoryUsage.rss();
  resetPeakMemory(process.pid);
  const times = (await repeat(work, measured)).toSorted((a, b) => a - b);
  const grown = peakMemoryOf(process.pid) - before / 2 ** 20;
  const middle = times[Math.floor(times.length / 2)] ?? NaN;
  console.log(JSON.stringify({ us: middle * 1000, grownMb: Math.max(0, grown) }));
}

async function repeat(work: () => unknown, time: number): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + time;
  while (performance.now() < end && times.length < most) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return times;
}
