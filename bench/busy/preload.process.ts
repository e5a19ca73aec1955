import { monitorEventLoopDelay } from 'node:perf_hooks';
import '../models/end-with-parent.ts';

// Loaded into the process of Cerise before it starts: on SIGUSR2 it says how late its event loop was since
// the last time, in ms (half of the time, one time in a hundred, at most), and for how long it was busy itself at
// most (CPU time between two of its turns), and begins to count anew.

const resolution = 2;
const delay = monitorEventLoopDelay({ resolution });
delay.enable();
const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolution).toFixed(1);

let longest = 0;
let before = process.threadCpuUsage();
setInterval(() => {
  const now = process.threadCpuUsage();
  longest = Math.max(longest, now.user + now.system - before.user - before.system);
  before = now;
}, resolution).unref();

process.on('SIGUSR2', () => {
  const delays = [delay.percentile(50), delay.percentile(99), delay.max].map(late);
  console.log(`delay ${delays.join(' ')} ${(longest / 1000).toFixed(1)}`);
  delay.reset();
  longest = 0;
});
