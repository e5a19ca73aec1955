import module from 'node:module';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { isNodeNewEnough, oldNodeMessage, runOnPinnedNode } from './pinned-node.mjs';

/** Runs the program that `load` brings. It is called on any Node, and leaves the rest to a new one. */
export async function runProgram(script, load) {
  if (isNodeNewEnough()) {
    module.enableCompileCache(fileURLToPath(new URL('../.cache/compile', import.meta.url)));
    const { main } = await load();
    process.exitCode = await main(process.argv.slice(2));
  } else if (!(await runOnPinnedNode(script, process.argv.slice(2)))) {
    console.error(oldNodeMessage());
    process.exitCode = 1;
  }
}
