import { monitorEventLoopDelay } from 'node:perf_hooks';
import '../models/end-with-parent.ts';

// Loaded into the process of Cerise before it starts: on SIGUSR2 it says how late its event loop was since
// the last time, in ms (half of the time, one time in a hundred, at most), and begins to count anew.

const resolution = 2;
const delay = monitorEventLoopDelay({ resolution });
delay.enable();
const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolution).toFixed(1);
process.on('SIGUSR2', () => {
  console.log(
    `delay ${late(delay.percentile(50))} ${late(delay.percentile(99))} ${late(delay.max)}`,
  );
  delay.reset();
});
