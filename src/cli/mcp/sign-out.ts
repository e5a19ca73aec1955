import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { terminalLine } from '../terminal/terminal-text.ts';
import { readOptions } from './options.ts';
import { printLine } from './print.ts';
import { withServer } from './with-server.ts';

/** `cerise mcp sign-out NAME` */
export async function signOut(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { words } = readOptions(argv, { usage: 'sign-out NAME', words: [1, 1], options: {} });
  return withServer(settings, io, words[0] ?? '', async (client, server) => {
    await client.servers.signOut(server.id);
    printLine(
      io,
      `Signed out of ${terminalLine(server.name)}: its tokens are revoked and forgotten.`,
    );
    return 0;
  });
}
