import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { runOnPinnedNode } from '../bin/pinned-node.mjs';
import { orExplain, setUp } from './setup.mjs';

// `node scripts/after-setup.mjs FILE …`: sets up, then runs a script on the Node that the set-up brought. The shell
// of an npm script goes on with the Node that it found first, which before the first set-up is the machine's.

const [file, ...args] = process.argv.slice(2);
if (await orExplain(() => setUp('start'))) {
  const script = pathToFileURL(file);
  process.argv.splice(1, 2, file);
  if (!(await runOnPinnedNode(script, args))) await import(script.href);
}
