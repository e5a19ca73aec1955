import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { readOptions } from './options.ts';
import { printJson, printState } from './print.ts';
import { awaitInstalled, withServer } from './with-server.ts';

/** `cerise mcp restart NAME` */
export async function restart(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  return act(settings, argv, io, 'restart');
}

/** `cerise mcp stop NAME` */
export async function stop(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  return act(settings, argv, io, 'stop');
}

async function act(
  settings: CliSettings,
  argv: string[],
  io: Io,
  action: 'restart' | 'stop',
): Promise<number> {
  const { words, values } = readOptions(argv, {
    usage: `${action} NAME [--json]`,
    words: [1, 1],
    options: { json: { type: 'boolean', default: false } },
  });
  return withServer(settings, io, words[0] ?? '', async (client, { id }) => {
    const place = { client, io, quiet: values.json };
    const server = await awaitInstalled(place, await client.servers.act(id, action));
    if (values.json) printJson(io, server);
    else printState(io, server);
    return 0;
  });
}
