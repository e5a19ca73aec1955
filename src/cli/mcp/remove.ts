import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { terminalLine } from '../terminal/terminal-text.ts';
import { readOptions } from '../usage/options.ts';
import { mcpCommands } from '../usage/mcp-commands.ts';
import { printJson, printLine } from '../printing/print.ts';
import { withServer } from '../client/with-server.ts';
import { say } from '#shared/errors/sentence.ts';
import { tell } from '../messages/tell.ts';

/** `cerise mcp remove NAME` */
export async function remove(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { words, values } = readOptions(argv, mcpCommands.remove);
  return withServer(settings, io, words[0] ?? '', async (client, server) => {
    await client.servers.remove(server.id);
    if (values.json) printJson(io, {});
    else printLine(io, tell(say('cli-removed')`Removed ${terminalLine(server.name)}.`));
    return 0;
  });
}
