import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';

const leash = JSON.stringify(new URL('end-with-parent.ts', import.meta.url).href);
// It would run for ever, and tells its process id on the stdout it got.
const child = `await import(${leash}); console.log(process.pid); setInterval(() => {}, 1000);`;
const parent = `const { spawn } = await import('node:child_process');
  spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: ['pipe', 'inherit', 'inherit'] });
  setInterval(() => {}, 1000);`;

describe('a process of the benchmark', () => {
  it('ends when the one that started it was killed', async () => {
    const started = spawn(process.execPath, ['-e', parent], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(started.stdout, 'data')) as [Buffer];
    const pid = Number(line);
    expect(pid).toBeGreaterThan(0);
    let ended = false;
    onTestFinished(() => void (ended || process.kill(pid)));
    started.kill('SIGKILL');
    // The child holds the same pipe: it closes when both are gone.
    await once(started.stdout, 'close');
    ended = true;
  });
});
