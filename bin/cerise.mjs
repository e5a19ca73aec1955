#!/usr/bin/env node
import module from 'node:module';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { isNodeNewEnough, oldNodeMessage, runOnPinnedNode } from './pinned-node.mjs';

// The entry of `npx cerise` and of `npm start`. It runs on any Node and leaves the rest to a new one.

if (isNodeNewEnough()) {
  module.enableCompileCache(fileURLToPath(new URL('../.cache/compile', import.meta.url)));
  const { main } = await import('../src/cli/main.ts');
  process.exitCode = await main(process.argv.slice(2));
} else if (!(await runOnPinnedNode(import.meta.url, process.argv.slice(2)))) {
  console.error(oldNodeMessage());
  process.exitCode = 1;
}
