import { createHash } from 'node:crypto';
import type { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { type ArchiveFile, type ArchiveLimits, readArchive } from './archive.ts';
import { invalidBundle } from './bundle-error.ts';
import { type BundleManifest, readManifest } from './manifest.ts';

const manifestName = 'manifest.json';
const maxManifestBytes = 1024 * 1024;

/** A file of a bundle and the hash of what is in it. */
export interface BundleFile {
  path: string;
  size: number;
  hash: string;
}

/** A bundle that was read to its last byte. */
export interface Bundle {
  manifest: BundleManifest;
  files: BundleFile[];
}

/** Reads a bundle and writes nothing. Throws `invalid_bundle` where any of it could not be unpacked. */
export async function readBundle(bytes: Buffer, limits: ArchiveLimits): Promise<Bundle> {
  const archive = await readArchive(bytes, limits);
  const manifest = await manifestOf(archive);
  const files: BundleFile[] = [];
  for (const file of archive) files.push(await hashed(file));
  const entry = manifest.server.entry_point.replace(/^(?:\.\/|\$\{__dirname\}\/)+/, '');
  if (!files.some(({ path }) => path === entry))
    throw invalidBundle(
      say('bundle-no-entry')`The bundle doesn't contain its entry point, ${entry.slice(0, 200)}.`,
    );
  return { manifest, files };
}

async function manifestOf(archive: readonly ArchiveFile[]): Promise<BundleManifest> {
  const file = archive.find(({ path }) => path === manifestName);
  if (!file) throw noManifest(archive);
  if (file.size > maxManifestBytes)
    throw invalidBundle(say('manifest-large')`The bundle's manifest.json is too large.`);
  return readManifest(Buffer.concat(await Array.fromAsync(file.read())));
}

/** Whoever zips a folder instead of what is in it has everything one level too deep. */
function noManifest(archive: readonly ArchiveFile[]): CeriseError {
  const inside = archive.find(({ path }) => /^[^/]+\/manifest\.json$/.test(path));
  return invalidBundle(
    say('bundle-no-manifest')`The bundle has no manifest.json.`,
    inside &&
      say(
        'bundle-no-manifest-hint',
      )`It has ${inside.path.slice(0, 200)}. Zip what is in that folder, not the folder itself.`,
  );
}

async function hashed(file: ArchiveFile): Promise<BundleFile> {
  const hash = createHash('sha256');
  for await (const piece of file.read()) hash.update(piece);
  return { path: file.path, size: file.size, hash: hash.digest('hex') };
}
