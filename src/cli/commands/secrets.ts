import { rotateSecrets } from '#chat/data/rotate-secrets.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { armFault } from '#shared/errors/fault.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';

/** `cerise secrets rotate`: the new key is CERISE_NEW_SECRET_KEY, or a new key file. */
export async function secrets(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  if (argv.length !== 1 || argv[0] !== 'rotate')
    throw new CeriseError('invalid_request', 'There is one such command: cerise secrets rotate');
  if (settings.fault) armFault(settings.fault, () => process.kill(process.pid, 'SIGKILL'));
  const newKey = settings.environment['CERISE_NEW_SECRET_KEY'] || undefined;
  const { records, keptIn, wasDone } = await rotateSecrets(settings, newKey);
  const done = wasDone
    ? 'The stored secrets were sealed with the new key before.'
    : `Sealed the secrets of ${records} record${records === 1 ? '' : 's'} with the new key.`;
  io.stdout.write(`${done}\n${nextStep(settings, keptIn)}\n`);
  return 0;
}

function nextStep({ home, secretKey }: CliSettings, keptIn: 'file' | 'setting'): string {
  if (keptIn === 'setting')
    return 'From now on set CERISE_SECRET_KEY to the new key. Old backups need the old one.';
  const unset = secretKey === undefined ? '' : ' Start without CERISE_SECRET_KEY from now on.';
  return `It is in ${home}/secret.key.${unset} Old backups need the old one.`;
}
