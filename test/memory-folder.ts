import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

const memory = '/dev/shm';
const prefix = 'cerise-tests-';
const neededBytes = 4 * 1024 ** 3;

/**
 * Puts the temporary folder of this process and its children into memory where the machine has enough of it: no
 * test cuts the power, so nothing has to wait for a disk. Resolves with what removes the folder.
 */
export async function useMemoryFolder(env = process.env): Promise<() => Promise<void>> {
  if (env['TMPDIR'] || !canHold()) return async () => {};
  await removeLeftovers();
  const folder = join(memory, `${prefix}${process.pid}`);
  await mkdir(folder, { mode: 0o755, recursive: true });
  env['TMPDIR'] = folder;
  return async () => {
    delete env['TMPDIR'];
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  };
}

/** Programs run from there too: PostgreSQL's, if they come from the package. */
function canHold(): boolean {
  if (!existsSync(memory) || !existsSync('/proc/mounts')) return false;
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .find(([, place]) => place === memory);
  const { bavail, bsize } = statfsSync(memory);
  return (
    mount?.[2] === 'tmpfs' &&
    !mount[3]?.split(',').includes('noexec') &&
    Math.min(bavail * bsize, process.availableMemory()) >= neededBytes
  );
}

/** Of runs that were killed. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(memory)) {
    if (!name.startsWith(prefix) || existsSync(join('/proc', name.slice(prefix.length)))) continue;
    await rm(join(memory, name), { recursive: true, force: true });
  }
}
