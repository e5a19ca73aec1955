import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessTree } from './process-tree.ts';

const pollIntervalMs = 25;
const killPasses = 40;

/** Times in milliseconds since the beginning of the end. */
export interface Graces {
  /** How long the end of input may be enough. */
  input: number;
  /** When it is killed, having got SIGTERM in between. */
  kill: number;
}

/**
 * Ends a whole tree: end of input, SIGTERM, SIGKILL. Resolves when nothing of it runs, or about a
 * second after the kill if something belongs to another user or cannot be killed.
 */
export async function endTree(
  tree: ProcessTree,
  endInput: () => void,
  graces: Graces,
): Promise<void> {
  // Seen before its leader ends: afterwards a descendant may have lost every sign of its origin.
  await tree.look();
  endInput();
  const started = performance.now();
  if (await ends(tree, started + graces.input)) return;
  if (process.platform !== 'win32') {
    // A stopped process gets the first only when it goes on.
    tree.signal('SIGTERM', 'SIGCONT');
    if (await ends(tree, started + graces.kill)) return;
  }
  for (let pass = 0; pass < killPasses; pass++) {
    killTree(tree);
    if (await ends(tree, performance.now() + pollIntervalMs)) return;
  }
}

/** Kills at once and without waiting: for the moment in which the host itself exits. */
export function killTree(tree: ProcessTree): void {
  if (process.platform === 'win32') taskkill(tree.leader?.pid);
  else tree.signal('SIGKILL');
}

async function ends(tree: ProcessTree, deadline: number): Promise<boolean> {
  while (!(await tree.hasEnded())) {
    const left = deadline - performance.now();
    if (left <= 0) return false;
    await delay(Math.min(pollIntervalMs, left));
  }
  return true;
}

/** Windows has no groups; its own tool follows the parents. */
function taskkill(pid: number | undefined): void {
  if (pid === undefined) return;
  const tool = join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'taskkill.exe');
  spawnSync(tool, ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', timeout: 5000 });
}
