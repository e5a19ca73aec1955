// Starts processes.
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loginShellPath } from './login-shell.ts';

const folder = mkdtempSync(join(tmpdir(), 'cerise-shell-'));
const base = { PATH: '/usr/bin:/bin', HOME: folder };

/** A login shell whose start-up file is the given text. */
function shell(name: string, startUp: string): string {
  const file = join(folder, name);
  const text = `#!/bin/sh\n[ "$1" = -lc ] || exit 3\n${startUp}\neval "$2"\n`;
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return file;
}

describe.skipIf(process.platform === 'win32')('loginShellPath', () => {
  it('is what the start-up files make of it, whatever else they print', async () => {
    const SHELL = shell('talks', 'echo "PATH=/wrong"; echo welcome\nexport PATH="/mine:$PATH"');
    expect(await loginShellPath({ ...base, SHELL })).toBe('/mine:/usr/bin:/bin');
  });

  it('is asked for once', async () => {
    const SHELL = shell('counts', `echo x >> ${folder}/count`);
    await Promise.all([loginShellPath({ ...base, SHELL }), loginShellPath({ ...base, SHELL })]);
    await loginShellPath({ ...base, SHELL });
    expect(readFileSync(join(folder, 'count'), 'utf8')).toBe('x\n');
  });

  it('is unknown when the shell fails, floods or is none', async () => {
    const ask = (SHELL: string) => loginShellPath({ ...base, SHELL });
    expect(await ask(shell('fails', 'exit 1'))).toBeUndefined();
    expect(await ask(shell('floods', 'while :; do echo flood; done'))).toBeUndefined();
    expect(await ask('/no/such/shell')).toBeUndefined();
    expect(await ask('sh')).toBeUndefined();
    expect(await loginShellPath(base)).toBeUndefined();
  });

  it('is given up after three seconds, and the shell is ended', async () => {
    const SHELL = shell('hangs', `echo $$ > ${folder}/pid; exec sleep 60`);
    const started = performance.now();
    expect(await loginShellPath({ ...base, SHELL })).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(20_000);
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
    await expect.poll(() => isThere(pid)).toBe(false);
  });
});

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
