import { createHash, randomUUID } from 'node:crypto';
import { closeSync, existsSync, openSync } from 'node:fs';
import { readFile, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { backup as copyDatabase, DatabaseSync } from 'node:sqlite';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { syncFolder } from '../blobs/blob-disk.ts';
import { openCopy, refusedByDisk, removeDraft, syncFile, writeFacts } from './backup-file.ts';

/** How often the copy is begun again because contents it names were deleted in the meantime. */
const maxTries = 5;
const allPages = 0x7fff_ffff;

/** What was put into a backup. */
export interface BackupReport {
  bytes: number;
  files: number;
  hasKey: boolean;
  /** Hashes of contents that the database names and the data folder does not have. */
  missing: string[];
}

/**
 * Copies the SQLite database of `home` with all stored contents (and the key file, if wanted) into one
 * new file, as of one moment, while a host may be running. The file is there whole or not at all.
 * Throws CeriseError `conflict`, `data_unreadable` or `storage_unavailable`.
 */
export async function backUpSqlite(
  home: string,
  file: string,
  options: { withKey: boolean; version: string },
): Promise<BackupReport> {
  if (existsSync(file)) throw fileExists(file);
  const source = openSource(home);
  const draft = `${file}.${randomUUID()}.draft`;
  try {
    const { files, missing } = await copyWhole(source, home, draft);
    const secretKey = options.withKey ? await readKeyFile(home) : null;
    const copy = openCopy(draft, file);
    try {
      writeFacts(copy, { madeAt: Date.now(), version: options.version, secretKey });
    } finally {
      copy.close();
    }
    await syncFile(draft);
    await rename(draft, file);
    await syncFolder(dirname(file));
    return { bytes: (await stat(file)).size, files, hasKey: secretKey !== null, missing };
  } catch (error) {
    throw error instanceof CeriseError
      ? error
      : refusedByDisk(error, say('backup-not-written')`The backup ${file} couldn't be written.`);
  } finally {
    source.close();
    await removeDraft(draft);
  }
}

/**
 * Contents are files that never change, but one may be deleted between the copy of the database and its
 * turn. A newer copy does not name it any more, and has what was already read. One that is still named
 * is lost.
 */
async function copyWhole(source: DatabaseSync, home: string, draft: string) {
  const before = `${draft}.before`;
  const isNamed = source.prepare('select 1 from blobs where hash = ?');
  try {
    for (let tries = 1; ; tries += 1) {
      await copyRows(source, draft);
      const filled = await fillContents(draft, join(home, 'blobs'), tries > 1 ? before : undefined);
      if (tries === maxTries || filled.missing.every((hash) => isNamed.get(hash))) return filled;
      await rename(draft, before);
    }
  } finally {
    await removeDraft(before);
  }
}

/** One step, so that it is one moment and needs no second begin, however much is written in the meantime. */
async function copyRows(source: DatabaseSync, draft: string): Promise<void> {
  closeSync(openSync(draft, 'wx', 0o600));
  await copyDatabase(source, draft, { rate: allPages });
}

async function fillContents(draft: string, blobs: string, before: string | undefined) {
  const copy = openCopy(draft, draft);
  try {
    if (before !== undefined) takeOver(copy, before);
    const missing: string[] = [];
    const fill = copy.prepare('update blobs set bytes = ? where hash = ?');
    for (const { hash } of copy.prepare('select hash from blobs where bytes is null').all()) {
      const bytes = await readContent(blobs, String(hash));
      if (bytes) fill.run(bytes, hash ?? null);
      else missing.push(String(hash));
    }
    const { files } = copy.prepare('select count(bytes) as files from blobs').get() ?? {};
    return { files: Number(files), missing };
  } finally {
    copy.close();
  }
}

function takeOver(copy: DatabaseSync, before: string): void {
  copy.prepare('attach ? as before').run(before);
  copy.exec(`
    update blobs set bytes = (select bytes from before.blobs as known where known.hash = blobs.hash);
    detach before;
  `);
}

/** Undefined if the file is gone, or does not hold what its name says. */
async function readContent(blobs: string, hash: string): Promise<Buffer | undefined> {
  const bytes = await readIfThere(join(blobs, hash.slice(0, 2), hash));
  return bytes && createHash('sha256').update(bytes).digest('hex') === hash ? bytes : undefined;
}

async function readKeyFile(home: string): Promise<string | null> {
  const bytes = await readIfThere(join(home, 'secret.key'));
  return bytes ? bytes.toString('utf8').trim() : null;
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

function openSource(home: string): DatabaseSync {
  const path = join(home, 'cerise.db');
  if (!existsSync(path))
    throw new CeriseError(
      'data_unreadable',
      say('no-database')`There is no database in the data folder ${home}.`,
      {
        hint: say('no-database-hint')`Set CERISE_HOME to the folder Cerise uses.`,
      },
    );
  try {
    const source = new DatabaseSync(path, { timeout: 5000 });
    source.prepare('select count(*) from migrations').get();
    return source;
  } catch (error) {
    throw refusedByDisk(
      error,
      say('database-unreadable')`The database in ${home} couldn't be read.`,
    );
  }
}

function fileExists(file: string): CeriseError {
  return new CeriseError('conflict', say('backup-exists')`${file} already exists.`, {
    hint: say('backup-exists-hint')`Use a new name for each backup, such as one with the date.`,
  });
}
