import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  isRunning,
  markerOf,
  markerVariable,
  nextProcesses,
  parseStat,
  readProcess,
  readProcesses,
  readPs,
  residentKb,
} from './process-table.ts';

const isLinux = process.platform === 'linux';

describe('parseStat', () => {
  it('reads a process whatever name it has given itself', () => {
    const numbers = Array.from({ length: 40 }, (_, index) => 100 + index).join(' ');
    expect(parseStat(`7 (a) Z 1 (x) S 2 3 4 ${numbers}\n`)).toEqual({
      pid: 7,
      command: 'a) Z 1 (x',
      state: 'S',
      parent: 2,
      group: 3,
      session: 4,
      startTime: 115,
      ticks: 107 + 108 + 109 + 110,
    });
  });

  it('gives nothing for what is no such line', () => {
    expect(parseStat('')).toBeUndefined();
    expect(parseStat('7 (a) S 1 2')).toBeUndefined();
  });
});

describe.skipIf(!isLinux)('the processes of this machine', () => {
  it('include ourselves, with our parent', () => {
    const own = readProcesses().find(({ pid }) => pid === process.pid);
    expect(own).toMatchObject({ parent: process.ppid, state: expect.stringMatching(/[RS]/) });
    expect(residentKb(process.pid)).toBeGreaterThan(1000);
    expect(residentKb(2 ** 22 + 1)).toBeUndefined();
  });

  it('are told from later ones with the same pid by their start', () => {
    const { pid, startTime } = readProcess(process.pid)!;
    expect(isRunning({ pid, startTime })).toBe(true);
    expect(isRunning({ pid, startTime: startTime - 1 })).toBe(false);
    expect(isRunning({ pid: 2 ** 22 + 1, startTime })).toBe(false);
  });

  it('show the marker they were started with', async () => {
    const env = { XCERISE_SERVER: 'wrong', [markerVariable]: 'abc', PATH: '/usr/bin:/bin' };
    const child = spawn('cat', { env });
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child, 'spawn');
    expect(markerOf({ pid: child.pid! })).toBe('abc');
    expect(markerOf({ pid: process.pid })).toBeUndefined();
    expect(markerOf({ pid: 2 ** 22 + 1 })).toBeUndefined();
  });

  it('are listed once for all who ask at the same time, and anew for the next', async () => {
    const [first, second] = await Promise.all([nextProcesses(), nextProcesses()]);
    expect(first).toBe(second);
    expect(await nextProcesses()).not.toBe(first);
  });

  it('are the same to ps, which other systems have', () => {
    const [own] = readPs(['-p', String(process.pid)]);
    const { pid, parent, group } = readProcess(process.pid)!;
    expect(own).toMatchObject({ pid, parent, group, state: expect.stringMatching(/[RS]/) });
    expect(own!.startTime * 1000).toBeLessThan(Date.now());
    expect(own!.startTime * 1000).toBeGreaterThan(Date.now() - 3_600_000);
    expect(readPs(['-p', String(2 ** 22 + 1)])).toEqual([]);
    expect(readPs(['-ax']).length).toBeGreaterThan(2);
  });
});
