import { readResourceEvents } from '#client/stream/read-events.ts';
import { withServer } from '../client/with-server.ts';
import { printLine } from '../printing/print.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { mcpCommands } from '../usage/mcp-commands.ts';
import { readOptions } from '../usage/options.ts';
import { contentsText } from './read.ts';

/** `cerise mcp watch NAME URI`: until Ctrl-C. */
export async function watch(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { words, values } = readOptions(argv, mcpCommands.watch);
  const [name = '', uri = ''] = words;
  return withServer(settings, io, name, async (client, { id }) => {
    const stop = new AbortController();
    io.onSignal('SIGINT', () => stop.abort());
    for await (const _ of readResourceEvents(client.connection, id, uri, stop.signal)) {
      const { contents } = await client.servers.readResource(id, uri, stop.signal);
      if (values.json) printLine(io, JSON.stringify({ contents }));
      else for (const each of contents) printLine(io, contentsText(each));
    }
    return 0;
  });
}
