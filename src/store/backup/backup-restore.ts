import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { syncFolder } from '../blobs/blob-disk.ts';
import { createBlobFiles } from '../blobs/blob-files.ts';
import { makeDataFolder } from '../database/data-folder.ts';
import { lockDataFolder } from '../database/data-lock.ts';
import { type BackupFacts, openCopy, readFacts, refusedByDisk, syncFile } from './backup-file.ts';

/** What is in a data folder and is replaced by a backup; the database last, it is what makes it one. */
const replaced = ['cerise.db-wal', 'cerise.db-shm', 'blobs', 'secret.key', 'cerise.db'];

/** What a restore did. */
export interface RestoreReport {
  madeAt: number;
  version: string;
  files: number;
  hasKey: boolean;
  /** Where the data that were there before are now: a whole data folder. */
  keptIn?: string;
}

/**
 * Puts a backup into the data folder that nobody uses. Everything is checked and written beside the
 * present data first; those are moved aside only at the end, and only with `replace`. Throws CeriseError
 * `conflict`, `data_in_use`, `data_unreadable` or `storage_unavailable`.
 */
export async function restoreSqlite(
  home: string,
  file: string,
  options: { replace: boolean },
): Promise<RestoreReport> {
  if (!existsSync(file))
    throw new CeriseError(
      'data_unreadable',
      say('backup-missing')`The file ${file} doesn't exist.`,
      {
        hint: say('backup-missing-hint')`Use a file made by "cerise backup".`,
      },
    );
  const lock = lockFolder(home);
  const draft = join(home, 'restore.draft');
  try {
    const hasData = existsSync(join(home, 'cerise.db'));
    if (hasData && !options.replace) throw holdsData(home);
    const { facts, files } = await unpack(file, draft);
    const keptIn = hasData ? await moveAside(home, facts) : undefined;
    await moveIn(draft, home);
    const { madeAt, version, secretKey } = facts;
    return { madeAt, version, files, hasKey: secretKey !== null, ...(keptIn && { keptIn }) };
  } catch (error) {
    throw error instanceof CeriseError
      ? error
      : refusedByDisk(
          error,
          say('backup-not-restored')`The backup couldn't be restored to ${home}.`,
        );
  } finally {
    await rm(draft, { recursive: true, force: true });
    lock.release();
  }
}

function lockFolder(home: string): { release(): void } {
  try {
    makeDataFolder(home);
    return lockDataFolder(home);
  } catch (error) {
    throw refusedByDisk(error, say('data-folder-unusable')`The data folder ${home} can't be used.`);
  }
}

/** Makes a whole data folder of the backup; it is on the disk when this resolves. */
async function unpack(file: string, draft: string): Promise<{ facts: BackupFacts; files: number }> {
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  const path = join(draft, 'cerise.db');
  await copyFile(file, path);
  const facts = readFacts(path, file);
  const copy = openCopy(path, file);
  let files: number;
  try {
    files = await unpackContents(copy, draft, file);
    copy.exec('update blobs set bytes = null; drop table backup; vacuum');
  } finally {
    copy.close();
  }
  await rm(join(draft, 'blobs/incoming'), { recursive: true, force: true });
  if (facts.secretKey !== null) {
    const key = join(draft, 'secret.key');
    await writeFile(key, `${facts.secretKey}\n`, { mode: 0o600 });
    await syncFile(key);
  }
  await syncFile(path);
  await syncFolder(draft);
  return { facts, files };
}

/** Content that the backup could not have is left out; asking for it gives an error. */
async function unpackContents(copy: DatabaseSync, draft: string, file: string): Promise<number> {
  const place = createBlobFiles(join(draft, 'blobs'));
  const hashes = copy.prepare('select hash from blobs where bytes is not null').all();
  const read = copy.prepare('select bytes from blobs where hash = ?');
  for (const { hash } of hashes) {
    const bytes = read.get(hash ?? null)?.['bytes'];
    if (!(bytes instanceof Uint8Array) || hashOf(bytes) !== hash) throw damaged(file);
    const received = await place.receive(bytes, Number.POSITIVE_INFINITY);
    await received.settle();
    await received.discard();
  }
  return hashes.length;
}

/** Without a key in the backup the one that is there stays in use. */
async function moveAside(home: string, facts: BackupFacts): Promise<string> {
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-');
  const aside = join(home, `before-restore-${stamp}`);
  await mkdir(aside, { mode: 0o700 });
  for (const name of replaced) {
    const path = join(home, name);
    if (!existsSync(path)) continue;
    if (name === 'secret.key' && facts.secretKey === null) await copyFile(path, join(aside, name));
    else await rename(path, join(aside, name));
  }
  await syncFolder(aside);
  return aside;
}

async function moveIn(draft: string, home: string): Promise<void> {
  for (const name of replaced) {
    const path = join(draft, name);
    if (!existsSync(path)) continue;
    // Without a database there may still be contents and a key of no use.
    await rm(join(home, name), { recursive: true, force: true });
    await rename(path, join(home, name));
  }
  await syncFolder(home);
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function holdsData(home: string): CeriseError {
  return new CeriseError(
    'conflict',
    say('data-folder-full')`The data folder ${home} already contains data.`,
    {
      hint: say(
        'data-folder-full-hint',
      )`Use --replace to move that data to a folder next to it, or set CERISE_HOME to another folder.`,
    },
  );
}

function damaged(file: string): CeriseError {
  return new CeriseError('data_unreadable', say('backup-damaged')`The backup ${file} is damaged.`, {
    hint: say('backup-damaged-hint')`Use another backup. Nothing was changed.`,
  });
}
