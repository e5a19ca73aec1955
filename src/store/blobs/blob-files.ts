import { randomUUIDv7 } from 'node:crypto';
import { dirname, join } from 'node:path';
import {
  listFolder,
  makeFolders,
  moveFile,
  readPart,
  removeFile,
  sizeOf,
  syncFolder,
  writeDurably,
} from './blob-disk.ts';
import { type BlobPlace, unreadableBytes } from './blob-place.ts';
import { ByteCounter, inPieces } from './byte-counter.ts';

/**
 * Keeps the bytes as files `root/ab/<hash>`, readable by this user alone. A file has its name only
 * once it is whole and on the disk.
 */
export function createBlobFiles(root: string): BlobPlace {
  const fileOf = (hash: string): string => join(root, hash.slice(0, 2), hash);
  const makeFolder = folderMaker(root);
  const incoming = createIncoming(join(root, 'incoming'), makeFolder);

  const settle = async (hash: string, size: number, written: () => Promise<string>) => {
    const file = fileOf(hash);
    await makeFolder(dirname(file));
    if ((await sizeOf(file)) !== size) await moveFile(await written(), file);
    // Also for a file that was there: who put it there may have ended before this.
    await syncFolder(dirname(file));
  };

  return {
    async receive(source, largest) {
      const counter = new ByteCounter(largest);
      let path: string | undefined;
      if (source instanceof Uint8Array)
        for await (const piece of inPieces(source, largest)) counter.add(piece);
      else path = await incoming.write(counter.through(inPieces(source, largest)));
      const { hash, size, head } = counter.result();
      const written = async () => (path ??= await incoming.write(inPieces(source, largest)));
      return {
        hash,
        size,
        head,
        bytes: null,
        settle: () => settle(hash, size, written),
        discard: async () => (path === undefined ? undefined : await incoming.remove(path)),
      };
    },

    sizeOf: (hash) => sizeOf(fileOf(hash)),

    async read(hash, range) {
      const bytes = await readPart(fileOf(hash), range);
      if (!bytes) throw unreadableBytes(hash);
      return bytes;
    },

    remove: (hash) => removeFile(fileOf(hash)),
    clean: () => incoming.clean(),

    async *list() {
      for (const folder of await listFolder(root)) {
        if (!/^[0-9a-f]{2}$/.test(folder)) continue;
        const names = await listFolder(join(root, folder));
        yield names.filter((name) => /^[0-9a-f]{64}$/.test(name));
      }
    },
  };
}

/** Makes folders in `root`, and flushes their names to the disk once per process, even if another made them. */
function folderMaker(root: string): (path: string) => Promise<void> {
  const synced = new Set<string>();
  return async (path) => {
    const isNew = await makeFolders(path);
    if (!isNew && synced.has(path)) return;
    await syncFolder(root);
    await syncFolder(dirname(root));
    synced.add(path);
  };
}

/** Files that are being written. Those of no write of this process were left by an earlier one. */
function createIncoming(folder: string, makeFolder: (path: string) => Promise<void>) {
  const inUse = new Set<string>();
  const remove = async (path: string): Promise<void> => {
    await removeFile(path);
    inUse.delete(path);
  };
  return {
    remove,
    async write(pieces: AsyncIterable<Uint8Array>): Promise<string> {
      const path = join(folder, randomUUIDv7());
      inUse.add(path);
      try {
        await makeFolder(folder);
        await writeDurably(path, pieces);
        return path;
      } catch (error) {
        await remove(path);
        throw error;
      }
    },
    async clean(): Promise<void> {
      for (const name of await listFolder(folder)) {
        const path = join(folder, name);
        if (!inUse.has(path)) await remove(path);
      }
    },
  };
}
