import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import '../models/end-with-parent.ts';

// Loaded into the process of Cerise before it starts: on SIGUSR2 it collects garbage and says how much
// memory is left in use, in bytes.

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
process.on('SIGUSR2', () => {
  collect();
  collect();
  const { heapUsed, external, rss } = process.memoryUsage();
  console.log(`memory ${heapUsed + external} ${rss}`);
});
