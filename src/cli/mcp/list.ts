import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { describeTarget } from './describe-server.ts';
import { readOptions } from './options.ts';
import { printJson, printTable } from './print.ts';
import { withClient } from './with-server.ts';

/** `cerise mcp list` */
export async function list(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { values } = readOptions(argv, {
    usage: 'list [--json]',
    words: [0, 0],
    options: { json: { type: 'boolean', default: false } },
  });
  return withClient(settings, io, async (client) => {
    const { servers } = await client.servers.list();
    if (values.json) printJson(io, { servers });
    else
      printTable(
        io,
        ['NAME', 'STATE', 'TYPE', 'WHAT', 'REASON'],
        servers.map((server) => [
          server.name,
          server.state,
          server.type,
          describeTarget(server),
          server.reason ?? '',
        ]),
      );
    return 0;
  });
}
