import type { Client } from '#client/client.ts';
import type { ServerView } from '#shared/api/api.ts';
import { say } from '#shared/errors/sentence.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { describeTarget } from './describe-server.ts';
import { readOptions } from '../usage/options.ts';
import { mcpCommands } from '../usage/mcp-commands.ts';
import { heads, printJson, printTable, reasonText, stateWords } from '../printing/print.ts';
import { tell } from '../messages/tell.ts';
import { withClient } from '../client/with-server.ts';

/** `cerise mcp list` */
export async function list(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { values } = readOptions(argv, mcpCommands.list);
  return withClient(settings, io, async (client) => {
    const { servers } = await client.servers.list();
    if (values.json) printJson(io, { servers });
    else {
      const placeOf = await readPlaces(client, servers);
      printTable(
        io,
        [
          heads.name,
          heads.state,
          heads.type,
          ...(placeOf ? [heads.place] : []),
          heads.target,
          heads.reason,
        ],
        servers.map((server) => [
          server.name,
          stateWords(server.state),
          server.type,
          ...(placeOf ? [placeOf(server)] : []),
          describeTarget(server),
          reasonText(server),
        ]),
      );
    }
    return 0;
  });
}

/** Says where a server can be used; undefined where all of them can be used everywhere. */
async function readPlaces(
  client: Client,
  servers: ServerView[],
): Promise<((server: ServerView) => string) | undefined> {
  if (servers.every(({ attachedTo }) => !attachedTo)) return undefined;
  const { assistants } = await client.assistants.list();
  return ({ attachedTo }) => {
    if (!attachedTo) return tell(say('cli-everywhere')`all chats`);
    if ('topic' in attachedTo) return tell(say('cli-in-chat')`chat ${attachedTo.topic}`);
    const { assistant } = attachedTo;
    const name = assistants.find(({ id }) => id === assistant)?.name ?? assistant;
    return tell(say('cli-in-assistant')`assistant ${name}`);
  };
}
