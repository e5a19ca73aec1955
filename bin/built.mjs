#!/usr/bin/env node
import { runProgram } from './run-program.mjs';

// The entry of `npm start` and of the tests: the program as it was built, which starts in half the time.

await runProgram(import.meta.url, () => import('../dist/host/cerise.mjs'));
