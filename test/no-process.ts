import { ChildProcess } from 'node:child_process';
import { afterAll, afterEach } from 'vitest';

// Runs before each test file of `npm run test:quick`: whatever starts a process there is in the wrong place.
type Spawn = (this: unknown, options: { file?: string }) => unknown;
const own = ChildProcess.prototype as unknown as { spawn: Spawn };
const { spawn } = own;
const started: string[] = [];

own.spawn = function (options) {
  started.push(options.file ?? 'a process');
  return spawn.call(this, options);
};

function refuse(): void {
  const files = started.splice(0);
  if (files.length === 0) return;
  throw new Error(`This started ${files.join(', ')}. Write at its top: // Starts processes.`);
}

afterEach(refuse);
afterAll(() => {
  own.spawn = spawn;
  refuse();
});
