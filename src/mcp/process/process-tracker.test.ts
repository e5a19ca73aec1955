import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readProcess } from './process-table.ts';
import { McpProcessTracker } from './process-tracker.ts';

const stubborn = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up')";

const isWindows = process.platform === 'win32';
if (isWindows) process.stderr.write('Not tried: process groups. Windows has none.\n');

describe.skipIf(isWindows)('McpProcessTracker', () => {
  it('ends a polite process at the end of its input, without a signal', async () => {
    const tracker = new McpProcessTracker();
    const child = spawn('cat', { detached: true });
    tracker.track('a', child);
    const ended = once(child, 'exit');
    await Promise.all([tracker.closeConnection('a'), tracker.closeConnection('a')]);
    expect(await ended).toEqual([0, null]);
    expect(tracker.tracked()).toEqual([]);
    await tracker.closeConnection('a');
    await tracker.closeConnection('never tracked');
  });

  it('ends everything, the stubborn by force after three seconds', async () => {
    const tracker = new McpProcessTracker();
    const child = spawn(process.execPath, ['-e', stubborn], { detached: true });
    const polite = spawn('cat', { detached: true });
    tracker.track('stubborn', child);
    tracker.track('polite', polite);
    await once(child.stdout, 'data');
    const ended = once(child, 'exit');
    const started = performance.now();
    await tracker.closeAll();
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect(performance.now() - started).toBeGreaterThan(2900);
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it('tells what runs in a tree, as long as it is tracked', async () => {
    const tracker = new McpProcessTracker();
    const child = spawn('sh', ['-c', 'sleep 60 & echo up; cat; true'], { detached: true });
    tracker.track('a', child);
    await once(child.stdout, 'data');
    const commands = () => tracker.processTree('a').map(({ command }) => command);
    await expect.poll(() => commands().toSorted()).toEqual(['cat', 'sh', 'sleep']);
    expect(tracker.processTree('a')).toContainEqual(
      expect.objectContaining({ pid: child.pid, command: 'sh', state: 'S' }),
    );
    await tracker.closeAll();
    expect(tracker.processTree('a')).toEqual([]);
  });

  it('ends what a process left behind that ended by itself', async () => {
    const tracker = new McpProcessTracker();
    const child = spawn('sh', ['-c', 'sleep 60 >/dev/null & echo $!'], { detached: true });
    tracker.track('a', child);
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    await tracker.closeConnection('a');
    expect(readProcess(Number(line))?.state ?? 'Z').toBe('Z');
  });

  it('refuses an id that is in use', async () => {
    const tracker = new McpProcessTracker();
    tracker.announce('a', 'x');
    expect(() => tracker.announce('a', 'y')).toThrowError(
      expect.objectContaining({ code: 'conflict' }),
    );
    await tracker.closeAll();
    expect(tracker.tracked()).toEqual([]);
  });

  it('goes on without a ledger that cannot be written, and says so', async () => {
    const warnings: string[] = [];
    const logger = { warn: (_fields: object, text: string) => void warnings.push(text) };
    const tracker = new McpProcessTracker({ ledgerFolder: '/dev/null/processes', logger });
    const child = spawn('cat', { detached: true });
    tracker.track('a', child);
    await tracker.closeAll();
    expect(warnings[0]).toMatch(/could not record/);
    expect(child.exitCode).toBe(0);
  });

  it('kills what is left when the host exits', async () => {
    const file = JSON.stringify(join(import.meta.dirname, 'process-tracker.ts'));
    const host = `
      import { spawn } from 'node:child_process';
      import { McpProcessTracker } from ${file};
      const child = spawn(process.execPath, ['-e', ${JSON.stringify(stubborn)}], {
        detached: true,
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      new McpProcessTracker().track('a', child);
      child.stdout.once('data', () => process.exit(0));
    `;
    const running = spawn(process.execPath, ['--input-type=module', '-e', host]);
    // The child holds our stderr pipe: it closes only when the child is gone too.
    const [code] = (await once(running, 'close')) as [number];
    expect(code).toBe(0);
  });
});
