import { fstatSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// Imported by every process of this benchmark: when whoever started it is gone, it ends, too. Started by
// hand, with a terminal or nothing as stdin, it stays.

const input = fstatSync(0);
if (isMainThread && (input.isSocket() || input.isFIFO())) {
  process.stdin.once('close', () => process.exit(1));
  process.stdin.resume();
  process.stdin.unref();
}
