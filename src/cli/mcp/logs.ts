import type { CliSettings } from '../settings/settings.ts';
import { terminalText } from '../terminal/terminal-text.ts';
import { readOptions } from './options.ts';
import { printJson, printLine } from './print.ts';
import { withServer } from './with-server.ts';

/** `cerise mcp logs NAME` */
export async function logs(settings: CliSettings, argv: string[]): Promise<number> {
  const { words, values } = readOptions(argv, {
    usage: 'logs NAME [--json]',
    words: [1, 1],
    options: { json: { type: 'boolean', default: false } },
  });
  return withServer(settings, words[0] ?? '', async (client, { id }) => {
    const answer = await client.servers.logs(id);
    if (values.json) printJson(answer);
    else for (const line of answer.lines ?? []) printLine(terminalText(line));
    return 0;
  });
}
