import { type FileHandle, open, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '#shared/errors/system-code.ts';

/** What is wrong with a folder of the data. It names no path: everybody may read it. */
export interface DiskProblem {
  part: 'data_folder' | 'files' | 'workspace' | 'database';
  message: string;
}

/** Bytes that are written to see whether there is room, and that have to be free beyond. */
const probeBytes = 16 * 1024;
const minFreeBytes = 1024 * 1024;

const folders = [
  { part: 'data_folder', name: '', words: 'The data folder' },
  { part: 'files', name: 'blobs', words: 'The "blobs" folder' },
  { part: 'workspace', name: 'workspace', words: 'The "workspace" folder' },
  { part: 'workspace', name: 'workspaces', words: 'The "workspaces" folder' },
] as const;

/**
 * Looks whether the folders of the data can be written, by writing a little; one that is not there yet, or
 * on the same disk as the data folder, is not tried for itself. Nothing of it blocks the event loop.
 */
export async function probeDisks(home: string): Promise<DiskProblem[]> {
  const device = (await stat(home).catch(() => undefined))?.dev;
  const problems: DiskProblem[] = [];
  for (const { part, name, words } of folders) {
    const folder = join(home, name);
    if (name !== '') {
      const stats = await stat(folder).catch(() => undefined);
      if (!stats || stats.dev === device) continue;
    }
    const trouble = await probeFolder(folder);
    if (trouble) problems.push({ part, message: `${words} ${trouble}` });
  }
  return problems;
}

async function probeFolder(folder: string): Promise<string | undefined> {
  const path = join(folder, `.probe-${process.pid}.tmp`);
  try {
    await writeAndSync(await open(path, 'w', 0o600));
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize < minFreeBytes ? sentences['ENOSPC'] : undefined;
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    return sentences[code] ?? `isn't writable (${code}).`;
  } finally {
    await rm(path, { force: true }).catch(() => undefined);
  }
}

async function writeAndSync(handle: FileHandle): Promise<void> {
  try {
    await handle.writeFile(Buffer.alloc(probeBytes, 1));
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const sentences: Record<string, string | undefined> = {
  ENOSPC: 'is on a full disk. Free up some space.',
  EDQUOT: 'has reached its disk quota. Free up some space.',
  EROFS: 'is on a read-only disk.',
  ENOENT: 'is missing.',
  ENOTDIR: "isn't a folder.",
  EACCES: "isn't writable: permission denied.",
  EPERM: "isn't writable: permission denied.",
};
