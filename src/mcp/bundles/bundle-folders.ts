import { createHash, randomUUIDv7 } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { KeyedQueue } from '#shared/async/keyed-queue.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { systemCode } from '#shared/errors/system-code.ts';
import type { ArchiveFile, ArchiveLimits } from './archive.ts';

const listSchema = z.array(z.object({ path: z.string(), hash: z.string() }));
type FileList = z.infer<typeof listSchema>;

/** Another host may be unpacking into the same folder; after so long it is not. */
const staleMs = 3_600_000;
const stagingName = /^staging-/;
const hashName = /^[0-9a-f]{64}$/;

interface FoldersDeps {
  /** Where the folders are. */
  root: string;
  /** The bytes of a bundle. */
  read: (hash: string) => Promise<Buffer>;
  /** Whether a server runs from this bundle. */
  isUsed: (hash: string) => Promise<boolean>;
  limits: ArchiveLimits;
  /** No other host uses the same data folder. */
  isAlone: boolean;
}

/**
 * Bundles unpacked on this machine, each in `root/<hash>`: its files in `files`, and beside them, written last, the
 * list of what they contain. A folder has its name only once it is whole. Before its first use in this process
 * every file is compared with the list; where one differs, all are unpacked again.
 */
export class BundleFolders {
  readonly #deps: FoldersDeps;
  readonly #queue = new KeyedQueue();
  readonly #checked = new Set<string>();
  /** What is being unpacked here. */
  readonly #staging = new Set<string>();

  constructor(deps: FoldersDeps) {
    this.#deps = deps;
  }

  /** The folder with the files of a bundle, unpacked if need be. Throws CeriseError. */
  async ensure(hash: string): Promise<string> {
    if (!hashName.test(hash)) throw otherBytes();
    const folder = join(this.#deps.root, hash);
    await this.#queue.run(hash, async () => {
      const isWhole = this.#checked.has(hash)
        ? (await stat(folder).catch(() => undefined))?.isDirectory() === true
        : await isIntact(folder);
      if (!isWhole) await this.#unpack(hash, folder).catch(rethrow);
      this.#checked.add(hash);
    });
    return join(folder, 'files');
  }

  /** Removes what no server runs from, and what an earlier process left half done. */
  async tidy(): Promise<void> {
    const { root, isUsed, isAlone } = this.#deps;
    for (const name of await readdir(root).catch(() => [])) {
      const path = join(root, name);
      if (hashName.test(name))
        await this.#queue.run(name, async () => {
          if (await isUsed(name)) return;
          this.#checked.delete(name);
          await remove(path);
        });
      else if (stagingName.test(name) && !this.#staging.has(name)) {
        const age = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? 0);
        if (isAlone || age > staleMs) await remove(path);
      }
    }
  }

  async #unpack(hash: string, folder: string): Promise<void> {
    const { root, read, limits } = this.#deps;
    const name = `staging-${randomUUIDv7()}`;
    const staging = join(root, name);
    this.#staging.add(name);
    try {
      const bytes = await read(hash);
      if (createHash('sha256').update(bytes).digest('hex') !== hash) throw otherBytes();
      const { readArchive } = await import('./archive.ts');
      const list = await writeFiles(await readArchive(bytes, limits), join(staging, 'files'));
      await writeFile(join(staging, 'files.json'), JSON.stringify(list), { mode: 0o600 });
      await remove(folder);
      await rename(staging, folder);
    } finally {
      await remove(staging);
      this.#staging.delete(name);
    }
  }
}

async function writeFiles(files: readonly ArchiveFile[], folder: string): Promise<FileList> {
  const list: FileList = [];
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const file of files) {
    const path = join(folder, file.path);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const hash = createHash('sha256');
    const handle = await open(path, 'wx', 0o600);
    let head: Buffer | undefined;
    try {
      for await (const piece of file.read()) {
        head ??= piece.subarray(0, 4);
        hash.update(piece);
        await handle.writeFile(piece);
      }
      if (file.executable || isProgram(head)) await handle.chmod(0o700);
    } finally {
      await handle.close();
    }
    list.push({ path: file.path, hash: hash.digest('hex') });
  }
  return list;
}

/** Archives made on Windows do not say which files can be run: scripts, ELF and Mach-O programs. */
function isProgram(head: Buffer | undefined): boolean {
  const start = head?.toString('latin1') ?? '';
  return (
    start.startsWith('#!') ||
    start === '\u007fELF' ||
    /^[\xca-\xcf]\xfa\xed\xfe|^\xca\xfe\xba\xbe/.test(start)
  );
}

/** Whether every file is what was unpacked. */
async function isIntact(folder: string): Promise<boolean> {
  try {
    const list = listSchema.parse(JSON.parse(await readFile(join(folder, 'files.json'), 'utf8')));
    for (const { path, hash } of list) {
      const handle = await open(join(folder, 'files', path), 'r');
      const digest = createHash('sha256');
      for await (const piece of handle.createReadStream()) digest.update(piece as Buffer);
      if (digest.digest('hex') !== hash) return false;
    }
    return true;
  } catch {
    // What cannot be read is unpacked again.
    return false;
  }
}

async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}

function otherBytes(): CeriseError {
  return new CeriseError(
    'data_unreadable',
    say('bundle-other-bytes')`The stored bundle isn't the one that was approved.`,
    { hint: say('bundle-other-bytes-hint')`Install it again.` },
  );
}

function rethrow(error: unknown): never {
  if (error instanceof CeriseError) throw error;
  throw new CeriseError(
    'storage_unavailable',
    say('bundle-not-unpacked')`The bundle couldn't be unpacked (${systemCode(error) ?? 'error'}).`,
    {
      hint: say(
        'bundle-not-unpacked-hint',
      )`Check the free space and permissions of the data folder.`,
      cause: error,
    },
  );
}
