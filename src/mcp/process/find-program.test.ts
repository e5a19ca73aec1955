import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findProgram, type Machine, namesFile } from './find-program.ts';

function machine(platform: NodeJS.Platform, files: Record<string, 'program' | 'not-executable'>) {
  const look: Machine['look'] = (file) => files[file] ?? 'none';
  return { platform, look, read: () => '' };
}

describe('findProgram', () => {
  it('takes the first program on the PATH, past a file that may not be run', () => {
    const linux = machine('linux', { '/a/uvx': 'not-executable', '/c/uvx': 'program' });
    expect(findProgram('uvx', { PATH: '/a:/b:/c' }, linux)).toEqual({ file: '/c/uvx' });
    expect(findProgram('uvx', { PATH: '/a:/b' }, linux)).toEqual({ forbidden: '/a/uvx' });
    expect(findProgram('uvx', { PATH: '/b' }, linux)).toBeUndefined();
    expect(findProgram('uvx', {}, linux)).toBeUndefined();
  });

  it('does not look into folders relative to wherever one stands', () => {
    const linux = machine('linux', { 'bin/uvx': 'program', uvx: 'program', './uvx': 'program' });
    expect(findProgram('uvx', { PATH: 'bin::.' }, linux)).toBeUndefined();
  });

  it('tries the endings of Windows, and only where the name has none', () => {
    const files = { 'C:\\n\\npx': 'program', 'C:\\n\\npx.CMD': 'program' } as const;
    const windows = machine('win32', files);
    const environment = { Path: 'C:\\m;C:\\n', PATHEXT: '.EXE;.CMD' };
    expect(findProgram('npx', environment, windows)).toEqual({ file: 'C:\\n\\npx.CMD' });
    expect(findProgram('npx.CMD', environment, windows)).toEqual({ file: 'C:\\n\\npx.CMD' });
    expect(findProgram('npx.exe', environment, windows)).toBeUndefined();
  });
});

describe('thisMachine', () => {
  it('goes past what on the PATH cannot be looked into', () => {
    const folder = mkdtempSync(join(tmpdir(), 'cerise-path-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const loop = join(folder, 'loop');
    symlinkSync(loop, loop);
    writeFileSync(join(folder, 'tool'), '#!/bin/sh', { mode: 0o755 });
    const found = findProgram('tool', { PATH: [loop, folder].join(delimiter) });
    expect(found).toEqual({ file: join(folder, 'tool') });
  });
});

describe('namesFile', () => {
  it('tells a path from a name', () => {
    expect(namesFile('./run', machine('linux', {}))).toBe(true);
    expect(namesFile('a\\b', machine('linux', {}))).toBe(false);
    expect(namesFile('a\\b', machine('win32', {}))).toBe(true);
    expect(namesFile('npx', machine('win32', {}))).toBe(false);
  });
});
