import { stat } from 'node:fs/promises';
import { basename, isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Root } from '#shared/vocabulary/server-request.ts';

/** The folders a person offers to a server, as far as they exist. What is no absolute path is none. */
export async function listRoots(folders: readonly string[] = []): Promise<Root[]> {
  const found = await Promise.all(
    folders.map(async (folder) => ((await isFolder(folder)) ? [toRoot(folder)] : [])),
  );
  return found.flat();
}

async function isFolder(path: string): Promise<boolean> {
  if (!isAbsolute(path)) return false;
  try {
    return (await stat(path)).isDirectory();
  } catch {
    // Gone, or not ours to see: either way it cannot be offered.
    return false;
  }
}

function toRoot(folder: string): Root {
  return { uri: pathToFileURL(folder).href, name: basename(folder) || folder };
}
