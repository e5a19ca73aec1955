import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { systemCode } from '#shared/errors/system-code.ts';

/**
 * Refuses a data folder whose database is empty or gone although it had one: a start would make a new one,
 * drop what its log still holds, and remove all files as belonging to nobody. Throws `data_unreadable`.
 */
export function refuseLostDatabase(home: string): void {
  const size = sizeOf(join(home, 'cerise.db'));
  if (size !== undefined && size > 0) return;
  const sign = signOfData(home, size === 0);
  if (sign === undefined) return;
  const what =
    size === 0 ? say('database-is-empty')`is empty` : say('database-is-missing')`is missing`;
  throw new CeriseError(
    'data_unreadable',
    say(
      'database-lost',
    )`The database ${join(home, 'cerise.db')} ${what}, but there was data before: ${join(home, sign)} still exists.`,
    {
      hint: say(
        'database-lost-hint',
      )`Restore a backup with "cerise restore FILE --replace", or move the data folder away to start fresh.`,
    },
  );
}

/**
 * What only a host with data leaves behind. A key alone counts where the database was made and is empty:
 * the key comes after it, but may be brought to a new folder by a person.
 */
function signOfData(home: string, wasMade: boolean): string | undefined {
  if ((sizeOf(join(home, 'cerise.db-wal')) ?? 0) > 0) return 'cerise.db-wal';
  if (list(join(home, 'blobs')).some((name) => /^[0-9a-f]{2}$/.test(name))) return 'blobs';
  return wasMade && sizeOf(join(home, 'secret.key')) !== undefined ? 'secret.key' : undefined;
}

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}
