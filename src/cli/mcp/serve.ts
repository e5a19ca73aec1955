import { openHost } from '../client/open-host.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { mcpCommands } from '../usage/mcp-commands.ts';
import { readOptions } from '../usage/options.ts';
import { StdioBridge } from './stdio-bridge.ts';

/** `cerise mcp serve [NAME]`: what `/mcp` is over HTTP, for programs that start their servers. */
export async function serve(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { words, values } = readOptions(argv, mcpCommands.serve);
  const [name] = words;
  const path = name === undefined ? '/mcp' : `/mcp/${encodeURIComponent(name)}`;
  const client = await openHost(settings, io);
  const ended = new AbortController();
  const off = (['SIGINT', 'SIGTERM'] as const).map((signal) =>
    io.onSignal(signal, () => ended.abort()),
  );
  try {
    const bridge = new StdioBridge(
      client.connection,
      values.search ? `${path}?tools=search` : path,
      io,
    );
    await bridge.run(ended.signal);
    return 0;
  } finally {
    for (const end of off) end();
    await client.close();
  }
}
