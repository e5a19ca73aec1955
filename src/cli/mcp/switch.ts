import type { Client } from '#client/client.ts';
import type { ServerView } from '#shared/api/api.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { readOptions } from '../usage/options.ts';
import { mcpCommands } from '../usage/mcp-commands.ts';
import { printJson, printState } from '../printing/print.ts';
import { awaitInstalled, withServer } from '../client/with-server.ts';

type Change = (client: Client, id: string) => Promise<ServerView>;

/** `cerise mcp enable NAME` */
export const enable = command('enable', ({ servers }, id) =>
  servers.update(id, { disabled: false }),
);
/** `cerise mcp disable NAME` */
export const disable = command('disable', ({ servers }, id) =>
  servers.update(id, { disabled: true }),
);
/** `cerise mcp restart NAME` */
export const restart = command('restart', ({ servers }, id) => servers.act(id, 'restart'));
/** `cerise mcp stop NAME` */
export const stop = command('stop', ({ servers }, id) => servers.act(id, 'stop'));

/** Changes the state of a server and shows what came of it. */
function command(name: 'enable' | 'disable' | 'restart' | 'stop', change: Change) {
  return async (settings: CliSettings, argv: string[], io: Io): Promise<number> => {
    const { words, values } = readOptions(argv, mcpCommands[name]);
    return withServer(settings, io, words[0] ?? '', async (client, { id }) => {
      const place = { client, io, quiet: values.json };
      const server = await awaitInstalled(place, await change(client, id));
      if (values.json) printJson(io, server);
      else printState(io, server);
      return 0;
    });
  };
}
