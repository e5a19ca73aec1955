import { CeriseError } from '#shared/errors/errors.ts';
import { connectToRunning } from '../client/connect.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';

/** `cerise sign-in`: prints a link that signs one browser in to the running Cerise of this data folder. */
export async function signIn(
  settings: CliSettings,
  rest: string[],
  { stdout }: Io,
): Promise<number> {
  if (rest.length > 0)
    throw new CeriseError(
      'invalid_request',
      `sign-in takes no options, but got "${rest.join(' ')}".`,
    );
  const client = await connectToRunning(settings.home);
  if (!client)
    throw new CeriseError(
      'not_found',
      `No Cerise is running on the data folder ${settings.home}.`,
      {
        hint: 'Start it with: cerise serve. If it uses another folder, set CERISE_HOME.',
      },
    );
  const { url } = await client.people.signInLink();
  stdout.write(`${linkNote}\n  ${url}\n`);
  return 0;
}

/** What is said above a link. */
export const linkNote = 'Open this link to sign in. It works once, within 10 minutes:';
