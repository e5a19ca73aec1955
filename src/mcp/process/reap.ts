/**
 * Run in place of the watching shell once the host is gone: ends the trees named by its arguments,
 * which are `marker:pid:startTime` or, for what was just being started, `marker`.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { endTree } from './end-tree.ts';
import { ProcessTree } from './process-tree.ts';
import { parseTreeWord } from './tree-word.ts';

/** The servers' input ended together with the host; polite ones are about to end by themselves. */
const graces = { input: 500, kill: 1500 };
/** A process in the middle of its start shows its marker only a moment later. */
const startMs = 250;

const trees = process.argv.slice(2).map((word) => {
  const { marker, leader } = parseTreeWord(word);
  return new ProcessTree(marker, leader);
});
await Promise.all(trees.map((tree) => tree.keepSession()));
await delay(startMs);
await Promise.all(trees.map((tree) => endTree(tree, () => undefined, graces)));
