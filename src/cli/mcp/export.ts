import type { ExportFormat } from '#shared/api/import-api.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { readOptions } from '../usage/options.ts';
import { mcpCommands } from '../usage/mcp-commands.ts';
import { printJson } from '../printing/print.ts';
import { withClient } from '../client/with-server.ts';

/** `cerise mcp export`: the servers as JSON, for this or another host. */
export async function exportAll(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { values } = readOptions(argv, mcpCommands.export);
  return withClient(settings, io, async (client) => {
    // The host refuses a format that it does not know.
    printJson(io, await client.servers.exportAll(values.format as ExportFormat));
    return 0;
  });
}
