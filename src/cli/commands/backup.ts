import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makeBackup, restoreBackup } from '#chat/data/backups.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import manifest from '../../../package.json' with { type: 'json' };

/** `cerise backup FILE`: 1 if the data folder has lost contents, which the backup then lacks too. */
export async function backup(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { file, isSet } = readArguments(argv, 'backup', 'without-key');
  const options = { withKey: !isSet, version: manifest.version };
  const { bytes, files, hasKey, missing } = await makeBackup(settings, file, options);
  const what = `the database and ${count(files, 'file')}${hasKey ? ', with the key of its secrets' : ''}`;
  io.stdout.write(`Wrote ${file}: ${what} (${Math.ceil(bytes / 1024)} KiB).\n`);
  if (hasKey) io.stdout.write('Keep it as you would keep the keys themselves.\n');
  else io.stdout.write('Keep the key too; without it the backup cannot be used.\n');
  if (missing.length === 0) return 0;
  const lost = `${count(missing.length, 'content')} that the data folder has lost`;
  io.stderr.write(`cerise: The backup lacks ${lost}: ${missing.join(', ')}\n`);
  return 1;
}

/** `cerise restore FILE`. */
export async function restore(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { file, isSet } = readArguments(argv, 'restore', 'replace');
  const report = await restoreBackup(settings, file, { replace: isSet });
  const when = new Date(report.madeAt).toISOString();
  io.stdout.write(
    `Restored the backup of ${when} (Cerise ${report.version}) with ${count(report.files, 'file')}.\n`,
  );
  if (report.keptIn) io.stdout.write(`What was there before is in ${report.keptIn}\n`);
  if (!report.hasKey) io.stdout.write('It holds no key: the one of this place is used.\n');
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
      throw new Error(`Name one file: cerise ${command} FILE`);
    return { file: resolve(file), isSet: values[option] === true };
  } catch (cause) {
    throw new CeriseError('invalid_request', cause instanceof Error ? cause.message : '', {
      cause,
    });
  }
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}
