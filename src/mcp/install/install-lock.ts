import { randomUUID } from 'node:crypto';
import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { systemCode } from '#shared/errors/system-code.ts';
import { isRunning, readProcess } from '../process/process-table.ts';
import { pause } from '../protocol/pause.ts';

const pollMs = 200;
const touchMs = 5000;
/** A holder elsewhere (another container on the same disk) that has not touched it for so long is gone. */
const staleMs = 60_000;

/**
 * Runs `work` while nobody else on this machine does who names the same file. Waits for a living holder
 * (`onWait` is called once) and takes over from one that died. An abort ends the wait, not the work.
 */
export async function withInstallLock<T>(
  file: string,
  work: () => Promise<T>,
  { signal, onWait }: { signal: AbortSignal; onWait: () => void },
): Promise<T> {
  mkdirSync(dirname(file), { recursive: true });
  const mine = JSON.stringify({ ...self(), token: randomUUID() });
  for (let waited = false; !acquire(file, mine); waited = true) {
    if (removeIfStale(file)) continue;
    if (!waited) onWait();
    await pause(pollMs, signal);
    signal.throwIfAborted();
  }
  const touch = setInterval(() => touchFile(file), touchMs);
  touch.unref();
  try {
    return await work();
  } finally {
    clearInterval(touch);
    if (read(file) === mine) rmSync(file, { force: true });
  }
}

interface Holder {
  host: string;
  pid: number;
  startTime: number;
}

function self(): Holder {
  const { startTime = 0 } = readProcess(process.pid) ?? {};
  return { host: hostname(), pid: process.pid, startTime };
}

/** Of any number of processes exactly one can create the file. */
function acquire(file: string, holder: string): boolean {
  try {
    writeFileSync(file, holder, { flag: 'wx' });
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Moves the lock of a dead holder aside, and back if it turns out to be a new holder's by now. */
function removeIfStale(file: string): boolean {
  const text = read(file);
  if (text === undefined) return true;
  if (!isStale(file, text)) return false;
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return true;
    throw error;
  }
  if (read(aside) === text) rmSync(aside, { force: true });
  else renameSync(aside, file);
  return true;
}

function isStale(file: string, text: string): boolean {
  const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? {};
  if (mtimeMs === undefined) return false;
  if (Date.now() - mtimeMs > staleMs) return true;
  const holder = parse(text);
  return holder?.host === hostname() && !lives(holder);
}

function lives({ pid, startTime }: Holder): boolean {
  if (process.platform === 'linux') return isRunning({ pid, startTime });
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}

/** Undefined for a holder that has only just created the file. */
function parse(text: string): Holder | undefined {
  try {
    return JSON.parse(text) as Holder;
  } catch {
    return undefined;
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function touchFile(file: string): void {
  const now = new Date();
  if (statSync(file, { throwIfNoEntry: false })) utimesSync(file, now, now);
}
