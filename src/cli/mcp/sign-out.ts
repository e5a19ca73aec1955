import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { terminalLine } from '../terminal/terminal-text.ts';
import { readOptions } from '../usage/options.ts';
import { mcpCommands } from '../usage/mcp-commands.ts';
import { printLine } from '../printing/print.ts';
import { withServer } from '../client/with-server.ts';
import { say } from '#shared/errors/sentence.ts';
import { tell } from '../messages/tell.ts';

/** `cerise mcp sign-out NAME` */
export async function signOut(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { words } = readOptions(argv, mcpCommands['sign-out']);
  return withServer(settings, io, words[0] ?? '', async (client, server) => {
    await client.servers.signOut(server.id);
    printLine(
      io,
      tell(
        say(
          'cli-signed-out',
        )`Signed out of ${terminalLine(server.name)}. Its tokens were revoked and deleted.`,
      ),
    );
    return 0;
  });
}
