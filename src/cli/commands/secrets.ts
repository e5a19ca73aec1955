import { rotateSecrets } from '#chat/data/rotate-secrets.ts';
import { say, type Sentence } from '#shared/errors/sentence.ts';
import { armFault } from '#shared/errors/fault.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { tell } from '../messages/tell.ts';
import { commands } from '../usage/commands.ts';
import { readOptions } from '../usage/options.ts';

/** `cerise secrets rotate`: the new key is CERISE_NEW_SECRET_KEY, or a new key file. */
export async function rotate(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  readOptions(argv, commands['secrets rotate']);
  if (settings.fault) armFault(settings.fault, () => process.kill(process.pid, 'SIGKILL'));
  const newKey = settings.environment['CERISE_NEW_SECRET_KEY'] || undefined;
  const { records, keptIn, wasDone } = await rotateSecrets(settings, newKey);
  const done = wasDone
    ? say('cli-rotated-before')`The stored secrets already use the new key.`
    : say('cli-rotated')`Re-encrypted stored secrets with the new key (records: ${records}).`;
  io.stdout.write(`${tell(done)}\n${tell(nextStep(settings, keptIn))}\n`);
  return 0;
}

function nextStep({ home, secretKey }: CliSettings, keptIn: 'file' | 'setting'): Sentence {
  if (keptIn === 'setting')
    return say(
      'cli-rotated-setting',
    )`Set CERISE_SECRET_KEY to the new key from now on. Older backups still need the old key.`;
  if (secretKey === undefined)
    return say(
      'cli-rotated-file',
    )`The new key is in ${home}/secret.key. Older backups still need the old key.`;
  return say(
    'cli-rotated-unset',
  )`The new key is in ${home}/secret.key. Start Cerise without CERISE_SECRET_KEY from now on. Older backups still need the old key.`;
}
