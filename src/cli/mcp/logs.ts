import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { terminalText } from '../terminal/terminal-text.ts';
import { readOptions } from '../usage/options.ts';
import { mcpCommands } from '../usage/mcp-commands.ts';
import { printJson, printLine } from '../printing/print.ts';
import { withServer } from '../client/with-server.ts';

/** `cerise mcp logs NAME` */
export async function logs(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { words, values } = readOptions(argv, mcpCommands.logs);
  return withServer(settings, io, words[0] ?? '', async (client, { id }) => {
    const answer = await client.servers.logs(id);
    if (values.json) printJson(io, answer);
    else for (const line of answer.lines ?? []) printLine(io, terminalText(line));
    return 0;
  });
}
