import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';

const busy = 5;

/**
 * Makes this process the only one on a data folder, or throws `data_in_use`. The lock is the operating
 * system's (through SQLite's file locks), so it ends with the process however that ends.
 */
export function lockDataFolder(home: string): { release(): void } {
  const pidFile = join(home, 'cerise.pid');
  const lock = new DatabaseSync(join(home, 'cerise.lock'), { timeout: 0 });
  try {
    lock.exec('pragma journal_mode = memory');
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw inUse(home, pidFile, error);
  }
  writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 });
  return {
    release() {
      rmSync(pidFile, { force: true });
      lock.close();
    },
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === busy;
}

function inUse(home: string, pidFile: string, cause: unknown): CeriseError {
  const pid = readPid(pidFile);
  const holder = pid ? say('holder-process')`process ${pid}` : say('holder-other')`another process`;
  return new CeriseError(
    'data_in_use',
    say('data-in-use')`The data folder ${home} is in use by ${holder}.`,
    {
      hint: pid
        ? say('data-in-use-kill')`Stop it (kill ${pid}), or set CERISE_HOME to another folder.`
        : say('data-in-use-hint')`Stop the other Cerise, or set CERISE_HOME to another folder.`,
      cause,
      ...(pid && { details: { pid } }),
    },
  );
}

/** The holder writes its pid just after it got the lock, so for a moment there may be none. */
function readPid(pidFile: string): number | undefined {
  try {
    const pid = Number(readFileSync(pidFile, 'utf8').trim());
    return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}
