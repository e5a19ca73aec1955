import process from 'node:process';
import { orExplain, setUp } from './setup.mjs';

// `npm start` is this one process: set-up and server in a row, without pre-scripts, which npm leaves
// out when ignore-scripts is set.

const watchTime = 500;

/** A signal to npm ends the shell between npm and us but does not reach us: notice that ourselves. */
function endWithParent() {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, watchTime);
  watch.unref();
}

if (process.env.npm_lifecycle_event && process.platform !== 'win32') endWithParent();
if (await orExplain(() => setUp('start'))) await import('../bin/built.mjs');
