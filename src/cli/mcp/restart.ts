import type { CliSettings } from '../settings/settings.ts';
import { readOptions } from './options.ts';
import { printJson, printState } from './print.ts';
import { withServer } from './with-server.ts';

/** `cerise mcp restart NAME` */
export async function restart(settings: CliSettings, argv: string[]): Promise<number> {
  return act(settings, argv, 'restart');
}

/** `cerise mcp stop NAME` */
export async function stop(settings: CliSettings, argv: string[]): Promise<number> {
  return act(settings, argv, 'stop');
}

async function act(
  settings: CliSettings,
  argv: string[],
  action: 'restart' | 'stop',
): Promise<number> {
  const { words, values } = readOptions(argv, {
    usage: `${action} NAME [--json]`,
    words: [1, 1],
    options: { json: { type: 'boolean', default: false } },
  });
  return withServer(settings, words[0] ?? '', async (client, { id }) => {
    const server = await client.servers.act(id, action);
    if (values.json) printJson(server);
    else printState(server);
    return 0;
  });
}
