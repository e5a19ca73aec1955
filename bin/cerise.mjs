#!/usr/bin/env node
import { runProgram } from './run-program.mjs';

// The entry of `npx cerise`: the program as its sources are right now.

await runProgram(import.meta.url, () => import('../src/cli/main.ts'));
