import { say } from '#shared/errors/sentence.ts';
import { requireRunning } from '../client/connect.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { tell } from '../messages/tell.ts';
import { commands } from '../usage/commands.ts';
import { readOptions } from '../usage/options.ts';

/** `cerise sign-in`: prints a link that signs one browser in to the running Cerise of this data folder. */
export async function signIn(
  settings: CliSettings,
  argv: string[],
  { stdout }: Io,
): Promise<number> {
  readOptions(argv, commands['sign-in']);
  const client = await requireRunning(settings);
  const { url } = await client.people.signInLink();
  stdout.write(`${tell(linkNote)}\n  ${url}\n`);
  return 0;
}

/** What is said above a link. */
export const linkNote = say(
  'cli-link',
)`Open this link to sign in. It works once and expires in 10 minutes:`;
