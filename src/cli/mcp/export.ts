import type { ExportFormat } from '#shared/api/import-api.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { readOptions } from './options.ts';
import { printJson } from './print.ts';
import { withClient } from './with-server.ts';

/** `cerise mcp export`: the servers as JSON, for this or another host. */
export async function exportAll(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { values } = readOptions(argv, {
    usage: 'export [--format cerise|claude|vscode]',
    words: [0, 0],
    options: {
      format: { type: 'string', default: 'cerise' },
      json: { type: 'boolean', default: false },
    },
  });
  return withClient(settings, io, async (client) => {
    // The host refuses a format that it does not know.
    printJson(io, await client.servers.exportAll(values.format as ExportFormat));
    return 0;
  });
}
