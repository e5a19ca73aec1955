import { readFileSync } from 'node:fs';
import { systemCode } from '#shared/errors/system-code.ts';

/** Descriptors that everything besides connections needs: files, the database, a few servers. */
const ownFiles = 64;
const fewestConnections = 8;

/** How many descriptors this process may have; undefined where the system does not tell. */
export function openFileLimit(): number | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const [, soft] =
      /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

/** How many connections there may be so that descriptors are left for the work of the people on them. */
export function affordableConnections(wanted: number, files: number | undefined): number {
  if (files === undefined) return wanted;
  const affordable = Math.max(fewestConnections, Math.floor((files - ownFiles) * 0.75));
  return Math.min(wanted, affordable);
}
