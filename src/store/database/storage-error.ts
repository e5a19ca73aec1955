import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { CeriseError, type ErrorCode } from '#shared/errors/errors.ts';
import { isMachineFull, machineFull, outOfFiles } from '#shared/errors/machine-full.ts';
import { say, type Sentence } from '#shared/errors/sentence.ts';
import { systemCode } from '#shared/errors/system-code.ts';

const readOnlyWords = say('db-read-only')`Can't write to the database: it's read-only.`;

/** Primary result codes of SQLite: https://sqlite.org/rescode.html */
const sqliteSentences: Record<number, [ErrorCode, Sentence]> = {
  5: ['storage_unavailable', say('db-locked')`The database is locked by another program.`],
  8: ['storage_unavailable', readOnlyWords],
  10: [
    'storage_unavailable',
    say('db-disk')`The disk reported an error while the database was in use.`,
  ],
  11: [
    'data_unreadable',
    say('db-damaged')`The database file is damaged. Restore it from a backup.`,
  ],
  13: ['disk_full', say('db-full')`The disk is full. Free up some space. Nothing was lost.`],
  14: [
    'data_unreadable',
    say('db-unopenable')`The database file can't be opened. Check its permissions.`,
  ],
  26: [
    'data_unreadable',
    say('db-foreign')`This file isn't a Cerise database. Restore it from a backup.`,
  ],
};

/** Connection trouble as Node and PostgreSQL report it; class 08 and 53 are matched by prefix. */
const unreachable =
  /^(?:ECONN\w+|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENOENT|EACCES|ETIMEDOUT|57P0[1-5]|08...|53...|28...|3D000)$/;
const unreachableText =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/;

/** What a row refers to is not there: SQLite's extended code, and PostgreSQL's. */
const goneReference: ReadonlySet<unknown> = new Set([787, '23503']);

const cannotOpen = 14;
const postgresFull = '53100';
/** It is a standby, or was made to read only. */
const postgresReadOnly = '25006';

/** SQLite does not say why it cannot open a file: whether anything can be opened tells. */
function missingDescriptor(): string | undefined {
  try {
    closeSync(openSync(devNull, 'r'));
    return undefined;
  } catch (error) {
    return isMachineFull(error) ? systemCode(error) : undefined;
  }
}

/** For a database that answers and takes nothing. */
export function readOnly(cause?: unknown): CeriseError {
  return new CeriseError('storage_unavailable', readOnlyWords, { cause });
}

/** What a driver threw, as an error a person can act on; anything that is our own bug stays as it is. */
export function storageError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof CeriseError) return error;
  const { errcode, code } = error as { errcode?: unknown; code?: unknown };
  if (goneReference.has(errcode ?? code))
    return new CeriseError(
      'conflict',
      say('belongs-to-gone')`The item this belongs to was deleted in the meantime.`,
      { cause: error },
    );
  if (typeof errcode === 'number') {
    const limit = (errcode & 0xff) === cannotOpen ? missingDescriptor() : undefined;
    if (limit) return outOfFiles('storage_unavailable', limit, error);
    const known = sqliteSentences[errcode & 0xff];
    return known ? new CeriseError(known[0], known[1], { cause: error }) : error;
  }
  const full = machineFull(error, 'storage_unavailable');
  if (full) return full;
  if (code === postgresFull)
    return new CeriseError(
      'disk_full',
      say('postgres-full')`The PostgreSQL disk is full. Free up some space. Nothing was lost.`,
      { cause: error },
    );
  if (code === postgresReadOnly) return readOnly(error);
  if ((typeof code === 'string' && unreachable.test(code)) || unreachableText.test(error.message)) {
    const why = error.message || code;
    return new CeriseError(
      'storage_unavailable',
      say('postgres-unreachable')`Can't connect to PostgreSQL: ${String(why)}`,
      {
        hint: say(
          'postgres-unreachable-hint',
        )`Check that the server is running and that CERISE_DATABASE_URL is correct.`,
        cause: error,
      },
    );
  }
  return error;
}
