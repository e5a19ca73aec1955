import { open, rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { CeriseError } from '#shared/errors/errors.ts';
import { say, type Words } from '#shared/errors/sentence.ts';
import { diskError } from '../database/disk-error.ts';
import { migrations } from '../database/migrate.ts';
import { storageError } from '../database/storage-error.ts';

/** What a backup says of itself; it is one row in the table `backup` of the file. */
export interface BackupFacts {
  madeAt: number;
  /** Of the program that made it. */
  version: string;
  /** What the key file held; null if it was left out. */
  secretKey: string | null;
}

/** Marks a copy of the database as a backup. */
export function writeFacts(copy: DatabaseSync, facts: BackupFacts): void {
  copy.exec('create table backup (made_at bigint not null, version text not null, key text)');
  copy
    .prepare('insert into backup values (?, ?, ?)')
    .run(facts.madeAt, facts.version, facts.secretKey);
}

/**
 * Reads what a backup says of itself, after a look at every page of it. Throws CeriseError
 * `data_unreadable` if it is none, is damaged, or is of a newer program.
 */
export function readFacts(path: string, shownAs: string): BackupFacts {
  const database = openCopy(path, shownAs);
  try {
    checkWhole(database, shownAs);
    const row = database.prepare('select made_at, version, key from backup').get();
    if (!row) throw notABackup(shownAs);
    checkMigrations(database, shownAs);
    const key = row['key'];
    return {
      madeAt: Number(row['made_at']),
      version: String(row['version']),
      secretKey: typeof key === 'string' ? key : null,
    };
  } catch (error) {
    throw error instanceof CeriseError ? error : notABackup(shownAs, error);
  } finally {
    database.close();
  }
}

/** Opens a copy of a database that nobody else uses; it stays one file. */
export function openCopy(path: string, shownAs: string): DatabaseSync {
  const database = new DatabaseSync(path);
  try {
    database.exec('pragma journal_mode = delete; pragma synchronous = off');
    return database;
  } catch (error) {
    database.close();
    throw notABackup(shownAs, error);
  }
}

/** Sees a file to the disk. */
export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Removes a database that was not finished, with its log. */
export async function removeDraft(path: string): Promise<void> {
  for (const name of [path, `${path}-journal`, `${path}-wal`, `${path}-shm`])
    await rm(name, { force: true });
}

/** What the disk or SQLite refused, as an error a person can act on. */
export function refusedByDisk(error: unknown, sentence: Words): CeriseError {
  const known = storageError(error);
  if (known instanceof CeriseError) return known;
  const atDisk = diskError(error, sentence);
  if (atDisk.code === 'disk_full') return atDisk;
  const why = error instanceof Error ? error.message : String(error);
  return new CeriseError('storage_unavailable', say('with-reason')`${sentence} (${why})`, {
    hint: say(
      'backup-disk-hint',
    )`Check that the folder exists, that you can write to it, and that the disk has enough space.`,
    cause: error,
  });
}

function checkWhole(database: DatabaseSync, shownAs: string): void {
  const [first] = database.prepare('pragma integrity_check(1)').all();
  if (first?.['integrity_check'] === 'ok') return;
  throw new CeriseError(
    'data_unreadable',
    say('backup-damaged')`The backup ${shownAs} is damaged.`,
    {
      hint: say('backup-damaged-hint')`Use another backup. Nothing was changed.`,
      cause: first,
    },
  );
}

function checkMigrations(database: DatabaseSync, shownAs: string): void {
  const known = new Set(migrations.map(({ name }) => name));
  const applied = database.prepare('select name from migrations').all();
  const unknown = applied.find(({ name }) => !known.has(String(name)));
  if (!unknown) return;
  throw new CeriseError(
    'data_unreadable',
    say(
      'backup-newer',
    )`The backup ${shownAs} was made by a newer version of Cerise (it contains ${String(unknown['name'])}).`,
    { hint: say('backup-newer-hint')`Update Cerise first. Nothing was changed.` },
  );
}

function notABackup(shownAs: string, cause?: unknown): CeriseError {
  return new CeriseError(
    'data_unreadable',
    say('not-a-backup')`${shownAs} isn't a Cerise backup.`,
    {
      hint: say('not-a-backup-hint')`Use a file made by "cerise backup". Nothing was changed.`,
      ...(cause !== undefined && { cause }),
    },
  );
}
