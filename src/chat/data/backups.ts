import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { type RestoreReport, restoreSqlite } from '#store/backup/backup-restore.ts';
import { backUpSqlite, type BackupReport } from '#store/backup/backup.ts';

/** Whose data a backup is of. */
export interface BackupPlace {
  home: string;
  databaseUrl?: string | undefined;
  /** Set: there is no key file to keep. */
  secretKey?: string | undefined;
}

/** Copies everything into one new file, while a host may be running. Throws CeriseError. */
export async function makeBackup(
  place: BackupPlace,
  file: string,
  options: { withKey: boolean; version: string },
): Promise<BackupReport> {
  refusePostgres(place, 'pg_dump --format=custom --file=cerise.dump "$CERISE_DATABASE_URL"');
  if (place.secretKey === undefined && existsSync(join(place.home, 'secret.key.next')))
    throw new CeriseError(
      'conflict',
      say('rotation-unfinished')`A secret key rotation was interrupted and isn't finished.`,
      {
        hint: say(
          'rotation-unfinished-hint',
        )`Start Cerise once or run "cerise secrets rotate" again, then back up.`,
      },
    );
  const withKey = options.withKey && place.secretKey === undefined;
  return backUpSqlite(place.home, file, { ...options, withKey });
}

/** Puts a backup in place of the data, which no host may use in the meantime. Throws CeriseError. */
export async function restoreBackup(
  place: BackupPlace,
  file: string,
  options: { replace: boolean },
): Promise<RestoreReport> {
  refusePostgres(place, 'pg_restore --dbname="$CERISE_DATABASE_URL" cerise.dump');
  return restoreSqlite(place.home, file, options);
}

/** PostgreSQL has better means of its own, and the contents are rows there. */
function refusePostgres({ databaseUrl }: BackupPlace, command: string): void {
  if (databaseUrl === undefined) return;
  throw new CeriseError(
    'invalid_request',
    say('backup-only-sqlite')`This command only works with SQLite, but the data is in PostgreSQL.`,
    {
      hint: say(
        'backup-postgres',
      )`Use PostgreSQL's own tools instead: ${command} (see docs/operating.md).`,
    },
  );
}
