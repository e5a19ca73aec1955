import { spawn } from 'node:child_process';

/** What stops the set-up, as the one line a person reads. */
export class SetupError extends Error {}

/**
 * Runs a command and shows nothing of it. If it fails, throws a SetupError that begins with `failure`
 * and ends with the last lines of its output, stack traces left out.
 */
export function runQuietly(command, args, { failure, ...options }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (piece) => {
      output = (output + piece).slice(-4_000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', (error) => reject(new SetupError(`${failure}: ${error.message}`)));
    child.once('close', (code) => {
      if (code === 0) return resolve();
      const lines = output.trim().split('\n');
      const tail = lines
        .filter((line) => !/^\s+at /.test(line))
        .slice(-12)
        .join('\n');
      return reject(new SetupError(`${failure} (exit code ${code}):\n${tail}`));
    });
  });
}
