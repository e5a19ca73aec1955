import { callApi } from '../client/call-api.ts';
import type { CliSettings } from '../settings/settings.ts';
import { readOptions } from './options.ts';
import { printJson } from './print.ts';
import { withClient } from './with-server.ts';

/** `cerise mcp export`: the servers as JSON, for this or another host. */
export async function exportAll(settings: CliSettings, argv: string[]): Promise<number> {
  const { values } = readOptions(argv, {
    usage: 'export [--format cerise|claude|vscode]',
    words: [0, 0],
    options: {
      format: { type: 'string', default: 'cerise' },
      json: { type: 'boolean', default: false },
    },
  });
  return withClient(settings, async (client) => {
    const query = new URLSearchParams({ format: values.format });
    printJson(await callApi(client, 'GET', `/api/servers/export?${query.toString()}`));
    return 0;
  });
}
