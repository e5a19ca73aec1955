import { callApi } from '../client/call-api.ts';
import type { CliSettings } from '../settings/settings.ts';
import { sizeText } from '../terminal/size-text.ts';
import { terminalLine, terminalText } from '../terminal/terminal-text.ts';
import { readOptions } from './options.ts';
import { printJson, printLine } from './print.ts';
import { withServer } from './with-server.ts';

interface Contents {
  contents: { uri: string; mimeType?: string; text?: string; blob?: string }[];
}

/** `cerise mcp read NAME URI` */
export async function read(settings: CliSettings, argv: string[]): Promise<number> {
  const { words, values } = readOptions(argv, {
    usage: 'read NAME URI [--json]',
    words: [2, 2],
    options: { json: { type: 'boolean', default: false } },
  });
  const [name = '', uri] = words;
  return withServer(settings, name, async (client, _server, path) => {
    const answer = await callApi<Contents>(client, 'POST', `${path}/resources/read`, { uri });
    if (values.json) printJson(answer);
    else for (const each of answer.contents) printLine(show(each));
    return 0;
  });
}

function show({ uri, mimeType, text, blob }: Contents['contents'][number]): string {
  if (text !== undefined) return terminalText(text);
  const size = sizeText({ data: blob });
  return terminalLine(`[${uri}: ${mimeType ?? 'data'}, ${size}; --json has it as Base64]`);
}
