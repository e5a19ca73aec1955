import type { ToolView } from '#shared/api.ts';
import { callApi } from '../call-api.ts';
import type { CliSettings } from '../settings.ts';
import { readOptions } from './options.ts';
import { printJson, printTable } from './print.ts';
import { withServer } from './with-server.ts';

/** `cerise mcp tools NAME` */
export async function tools(settings: CliSettings, argv: string[]): Promise<number> {
  const { words, values } = readOptions(argv, {
    usage: 'tools NAME [--json]',
    words: [1, 1],
    options: { json: { type: 'boolean', default: false } },
  });
  return withServer(settings, words[0] ?? '', async (client, _server, path) => {
    const answer = await callApi<{ tools: ToolView[] }>(client, 'GET', `${path}/tools`);
    if (values.json) printJson(answer);
    else
      printTable(
        ['TOOL', 'ON', 'WHAT IT DOES'],
        answer.tools.map(({ name, enabled, title, description }) => [
          name,
          enabled ? 'yes' : 'no',
          (description || title || '').split('\n')[0] ?? '',
        ]),
      );
    return 0;
  });
}
