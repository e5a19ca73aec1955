import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { say } from '#shared/errors/sentence.ts';
import { systemCode } from '#shared/errors/system-code.ts';
import { diskError } from '../database/disk-error.ts';
import type { ByteRange } from './blob-place.ts';

/** Writes a new file, for this user alone; it is on the disk when this resolves. */
export async function writeDurably(path: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const handle = await open(path, 'wx', 0o600).catch(rethrow);
  try {
    for await (const piece of pieces) await writeAll(handle, piece);
    await handle.sync().catch(rethrow);
  } finally {
    await handle.close();
  }
}

/** One `write` may take a part only. */
async function writeAll(handle: FileHandle, piece: Uint8Array): Promise<void> {
  for (let at = 0; at < piece.length;)
    at += (await handle.write(piece, at).catch(rethrow)).bytesWritten;
}

/** All bytes of a range; undefined where there are fewer, or no such file. */
export async function readPart(
  path: string,
  { start, end }: ByteRange,
): Promise<Buffer<ArrayBuffer> | undefined> {
  const handle = await open(path, 'r').catch(absent);
  if (!handle) return undefined;
  try {
    const buffer = Buffer.allocUnsafe(end - start);
    for (let at = 0; at < buffer.length;) {
      const { bytesRead } = await handle
        .read(buffer, at, buffer.length - at, start + at)
        .catch(rethrow);
      if (bytesRead === 0) return undefined;
      at += bytesRead;
    }
    return buffer;
  } finally {
    await handle.close();
  }
}

/** Undefined if there is no such file. */
export async function sizeOf(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(absent);
  return found?.size;
}

/** The names in a folder; none if it is not there. */
export async function listFolder(path: string): Promise<string[]> {
  return (await readdir(path).catch(absent)) ?? [];
}

/** Sees the names in a folder to the disk. Windows has no such thing: they are there by themselves. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r').catch(rethrow);
  try {
    await handle.sync().catch(rethrow);
  } finally {
    await handle.close();
  }
}

/** Makes a folder with those above it, for this user alone. True if it is new. */
export async function makeFolders(path: string): Promise<boolean> {
  return (await mkdir(path, { recursive: true, mode: 0o700 }).catch(rethrow)) !== undefined;
}

/** Gives a file its name, in place of whatever had it. */
export async function moveFile(from: string, to: string): Promise<void> {
  await rename(from, to).catch(rethrow);
}

/** Also if it is not there. */
export async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true }).catch(rethrow);
}

function absent(error: unknown): undefined {
  if (systemCode(error) === 'ENOENT') return undefined;
  rethrow(error);
}

/** What the disk refused, as an error a person can act on. */
function rethrow(error: unknown): never {
  throw diskError(error, say('blobs-folder')`The "blobs" folder in the data folder`);
}
