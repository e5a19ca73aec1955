import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { describeTarget } from './describe-server.ts';
import { readOptions } from '../usage/options.ts';
import { mcpCommands } from '../usage/mcp-commands.ts';
import { heads, printJson, printTable, reasonText, stateWords } from './print.ts';
import { withClient } from './with-server.ts';

/** `cerise mcp list` */
export async function list(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { values } = readOptions(argv, mcpCommands.list);
  return withClient(settings, io, async (client) => {
    const { servers } = await client.servers.list();
    if (values.json) printJson(io, { servers });
    else
      printTable(
        io,
        [heads.name, heads.state, heads.type, heads.target, heads.reason],
        servers.map((server) => [
          server.name,
          stateWords(server.state),
          server.type,
          describeTarget(server),
          reasonText(server),
        ]),
      );
    return 0;
  });
}
