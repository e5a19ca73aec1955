import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import { invalidBundle } from './bundle-error.ts';
import { foldedPath, pathProblem } from './entry-path.ts';
import { withoutSignature } from './signature.ts';

/** What an archive may hold. */
export type ArchiveLimits = Pick<
  Limits,
  'bundleSize' | 'bundleUnpacked' | 'bundleEntries' | 'bundleName' | 'bundleRatio'
>;

/** A file in an archive. Folders have no entry of their own. */
export interface ArchiveFile {
  path: string;
  size: number;
  executable: boolean;
  /** The bytes; fails where they are not what the archive says of them. */
  read(): AsyncGenerator<Buffer>;
}

/** Files smaller than this may be as compressible as they like. */
const freeRatioBytes = 1024 * 1024;
const headerBytes = 30;
const fileType = { mask: 0o170000, file: 0o100000, folder: 0o040000 };

/**
 * The files of a zip archive, judged by its directory before a byte is unpacked: how many, how large, where
 * they would be, and that none shares its bytes with another. Throws `invalid_bundle`.
 */
export async function readArchive(bytes: Buffer, limits: ArchiveLimits): Promise<ArchiveFile[]> {
  if (bytes.length > limits.bundleSize) throw tooLarge(limits.bundleSize);
  try {
    const zip = await fromBufferPromise(withoutSignature(bytes), {
      lazyEntries: true,
      // Names are decoded and judged here, so that a refusal says what is wrong with them.
      decodeStrings: false,
    });
    if (zip.entryCount > limits.bundleEntries)
      throw invalidBundle(
        say('bundle-many-files')`The bundle has more than ${limits.bundleEntries} files.`,
      );
    return await judged(zip, limits);
  } catch (error) {
    throw error instanceof CeriseError ? error : noArchive(error);
  }
}

async function judged(zip: ZipFile, limits: ArchiveLimits): Promise<ArchiveFile[]> {
  const entries: { path: string; entry: Entry }[] = [];
  let total = 0;
  for await (const entry of zip.eachEntry()) {
    const { generalPurposeBitFlag: flags, fileNameRaw, extraFields } = entry;
    const path = getFileNameLowLevel(flags, fileNameRaw, extraFields, true);
    assertEntry(path, entry, limits);
    total += entry.uncompressedSize;
    if (total > limits.bundleUnpacked) throw unpacksTooLarge(limits.bundleUnpacked);
    entries.push({ path, entry });
  }
  assertApart(
    entries.map(({ entry }) => entry),
    zip.fileSize,
  );
  assertDistinct(entries.map(({ path }) => path));
  return entries
    .filter(({ path }) => !path.endsWith('/'))
    .map(({ path, entry }) => ({
      path,
      size: entry.uncompressedSize,
      executable: ((entry.externalFileAttributes >>> 16) & 0o111) !== 0,
      read: () => contents(zip, entry),
    }));
}

function assertEntry(path: string, entry: Entry, limits: ArchiveLimits): void {
  const { uncompressedSize, compressedSize, externalFileAttributes } = entry;
  const name = path.slice(0, 200);
  const problem = pathProblem(path, limits.bundleName);
  if (problem) throw invalidBundle(say('bundle-path')`"${name}" can't be unpacked: ${problem}.`);
  const type = (externalFileAttributes >>> 16) & fileType.mask;
  const isFolder = path.endsWith('/');
  const allowed = [0, isFolder ? fileType.folder : fileType.file];
  if (!allowed.includes(type) || (isFolder && uncompressedSize > 0))
    throw invalidBundle(say('bundle-link')`"${name}" is a link or a device, not a file.`);
  if (entry.isEncrypted()) throw invalidBundle(say('bundle-encrypted')`"${name}" is encrypted.`);
  if (!entry.canDecodeFileData())
    throw invalidBundle(say('bundle-compression')`"${name}" is compressed in an unsupported way.`);
  const mostBytes = Math.max(freeRatioBytes, compressedSize * limits.bundleRatio);
  if (uncompressedSize > mostBytes)
    throw invalidBundle(say('bundle-bomb')`"${name}" unpacks to far more than its packed size.`);
}

/** Entries that share bytes unpack to many times the size of their archive. */
function assertApart(entries: readonly Entry[], fileSize: number): void {
  let end = 0;
  const inOrder = entries.toSorted(
    (a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader,
  );
  for (const entry of inOrder) {
    const { relativeOffsetOfLocalHeader: start } = entry;
    if (start < end) throw invalidBundle(say('bundle-overlap')`Files in the bundle overlap.`);
    end = start + headerBytes + entry.fileNameLength + entry.compressedSize;
  }
  if (end > fileSize) throw noArchive();
}

/** No two paths name one file on any system, and no file has the name of a folder. */
function assertDistinct(paths: readonly string[]): void {
  const files = new Set<string>();
  const folders = new Set<string>();
  const twice = (path: string) =>
    invalidBundle(say('bundle-twice')`The bundle contains "${path.slice(0, 200)}" twice.`);
  for (const path of paths) {
    const folded = foldedPath(path);
    if (path.endsWith('/')) folders.add(folded);
    else if (files.has(folded)) throw twice(path);
    else files.add(folded);
    for (let at = folded.indexOf('/'); at >= 0; at = folded.indexOf('/', at + 1))
      folders.add(folded.slice(0, at));
  }
  const both = [...folders].find((folder) => files.has(folder));
  if (both !== undefined) throw twice(both);
}

async function* contents(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  let sum = 0;
  try {
    const stream: Readable = await zip.openReadStreamPromise(entry);
    for await (const piece of stream as AsyncIterable<Buffer>) {
      sum = crc32(piece, sum);
      yield piece;
    }
  } catch (error) {
    throw error instanceof CeriseError ? error : noArchive(error);
  }
  if (sum !== entry.crc32) throw noArchive();
}

function noArchive(cause?: unknown): CeriseError {
  return invalidBundle(
    say('bundle-damaged')`This file isn't a bundle, or it is damaged.`,
    say(
      'bundle-damaged-hint',
    )`A bundle is a zip archive that ends in .mcpb or .dxt. Download it again.`,
    cause,
  );
}

function tooLarge(most: number): CeriseError {
  return invalidBundle(say('bundle-large')`The bundle is larger than ${inMiB(most)} MiB.`);
}

function unpacksTooLarge(most: number): CeriseError {
  return invalidBundle(
    say('bundle-unpacks-large')`The bundle unpacks to more than ${inMiB(most)} MiB.`,
  );
}

function inMiB(bytes: number): number {
  return Math.round(bytes / 1024 ** 2);
}
