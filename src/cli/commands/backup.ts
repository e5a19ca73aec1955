import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makeBackup, restoreBackup } from '#chat/data/backups.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { badArguments } from '../settings/bad-arguments.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { tell } from '../messages/tell.ts';

/** `cerise backup FILE`: 1 if the data folder has lost contents, which the backup then lacks too. */
export async function backup(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { file, isSet } = readArguments(argv, 'backup', 'without-key');
  const options = { withKey: !isSet, version: manifest.version };
  const { bytes, files, hasKey, missing } = await makeBackup(settings, file, options);
  const size = Math.ceil(bytes / 1024);
  const wrote = say(
    'cli-backed-up',
  )`Backed up the database to ${file} (files: ${files}, size: ${size} KiB).`;
  const key = hasKey
    ? say('cli-backup-key')`The backup contains the key to your secrets. Store it somewhere safe.`
    : say(
        'cli-backup-no-key',
      )`The backup doesn't contain the key to your secrets. Keep the key too: the backup can't be used without it.`;
  io.stdout.write(`${tell(wrote)}\n${tell(key)}\n`);
  if (missing.length === 0) return 0;
  const lost = say(
    'cli-backup-lacks',
  )`These files are missing from the data folder, so they aren't in the backup: ${missing.join(', ')}`;
  io.stderr.write(`cerise: ${tell(lost)}\n`);
  return 1;
}

/** `cerise restore FILE`. */
export async function restore(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { file, isSet } = readArguments(argv, 'restore', 'replace');
  const report = await restoreBackup(settings, file, { replace: isSet });
  const when = new Date(report.madeAt).toISOString();
  const { version, files, keptIn, hasKey } = report;
  const lines = [
    say('cli-restored')`Restored the backup of ${when} (Cerise ${version}, files: ${files}).`,
    keptIn && say('cli-restore-kept')`The previous data is in ${keptIn}`,
    !hasKey &&
      say('cli-restore-no-key')`The backup has no key. The key on this machine will be used.`,
  ];
  for (const line of lines) if (line) io.stdout.write(`${tell(line)}\n`);
  return 0;
}

function readArguments(argv: string[], command: string, option: string) {
  try {
    const { values, positionals } = parseArgs({
      args: argv,
      allowPositionals: true,
      options: { [option]: { type: 'boolean', default: false } },
    });
    const [file] = positionals;
    if (file === undefined || positionals.length > 1)
      throw new CeriseError(
        'invalid_request',
        say('cli-one-file')`Specify one file: cerise ${command} FILE`,
      );
    return { file: resolve(file), isSet: values[option] === true };
  } catch (cause) {
    throw badArguments(cause);
  }
}
