import type { ResourceContents } from '#client/api/servers.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { sizeText } from '../terminal/size-text.ts';
import { terminalLine, terminalText } from '../terminal/terminal-text.ts';
import { readOptions } from '../usage/options.ts';
import { mcpCommands } from '../usage/mcp-commands.ts';
import { printJson, printLine } from '../printing/print.ts';
import { withServer } from '../client/with-server.ts';
import { say } from '#shared/errors/sentence.ts';
import { tell } from '../messages/tell.ts';

/** `cerise mcp read NAME URI` */
export async function read(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { words, values } = readOptions(argv, mcpCommands.read);
  const [name = '', uri = ''] = words;
  return withServer(settings, io, name, async (client, { id }) => {
    const answer = await client.servers.readResource(id, uri);
    if (values.json) printJson(io, answer);
    else for (const each of answer.contents) printLine(io, contentsText(each));
    return 0;
  });
}

/** One part of what was read, for a terminal. */
export function contentsText({ uri, mimeType, text, blob }: ResourceContents): string {
  if (text !== undefined) return terminalText(text);
  const size = sizeText({ data: blob });
  return terminalLine(
    tell(
      say('cli-binary')`[${uri}: ${mimeType ?? 'data'}, ${size}; use --json to get it as Base64]`,
    ),
  );
}
