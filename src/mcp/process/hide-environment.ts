import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { isInherited } from './environment.ts';

/**
 * Blanks the secrets in the copy of our environment that Linux shows to every process of the same
 * user (/proc/PID/environ); `process.env` stays as it is. To be called once, at the start of the
 * program. False if there is no such copy or it cannot be written.
 */
export function hideEnvironment(): boolean {
  if (process.platform !== 'linux' || !isMainThread) return false;
  try {
    const shown = readFileSync('/proc/self/environ');
    const start = environmentStart(readFileSync('/proc/self/stat', 'latin1'), shown.length);
    if (start === undefined) return false;
    const memory = openSync('/proc/self/mem', 'r+');
    try {
      for (const { offset, length } of secretsIn(shown)) {
        writeSync(memory, Buffer.alloc(length), 0, length, start + offset);
      }
    } finally {
      closeSync(memory);
    }
    return true;
  } catch (error) {
    // A hardened system may refuse; the host works without it.
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    return false;
  }
}

/** Fields 50 and 51: where the initial environment lies in memory. */
function environmentStart(stat: string, length: number): number | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const start = Number(fields[47]);
  const end = Number(fields[48]);
  return start > 0 && end - start === length ? start : undefined;
}

/** Where the variables outside the allow-list are, each moved to memory of its own before. */
function secretsIn(shown: Buffer): { offset: number; length: number }[] {
  const found: { offset: number; length: number }[] = [];
  for (let offset = 0; offset < shown.length;) {
    const end = shown.indexOf(0, offset);
    const length = (end < 0 ? shown.length : end) - offset;
    if (moveVariable(shown.subarray(offset, offset + length))) found.push({ offset, length });
    offset += length + 1;
  }
  return found;
}

/** Setting a variable gives it a new place; what cannot be set to the same bytes stays where it is. */
function moveVariable(raw: Buffer): boolean {
  const text = raw.toString();
  const separator = text.indexOf('=');
  const name = text.slice(0, separator);
  const value = text.slice(separator + 1);
  if (separator < 1 || isInherited(name)) return false;
  if (process.env[name] !== value || !Buffer.from(text).equals(raw)) return false;
  process.env[name] = value;
  return true;
}
