import { resolve } from 'node:path';
import { makeBackup, restoreBackup } from '#chat/data/backups.ts';
import { say } from '#shared/errors/sentence.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { tell } from '../messages/tell.ts';
import { commands } from '../usage/commands.ts';
import { readOptions } from '../usage/options.ts';

/** `cerise backup FILE`: 1 if the data folder has lost contents, which the backup then lacks too. */
export async function backup(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { words, values } = readOptions(argv, commands.backup);
  const file = resolve(words[0] ?? '');
  const options = { withKey: !values['without-key'], version: manifest.version };
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
  const { words, values } = readOptions(argv, commands.restore);
  const file = resolve(words[0] ?? '');
  const report = await restoreBackup(settings, file, { replace: values.replace });
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
