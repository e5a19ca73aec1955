import type { ToolView } from '#shared/api/api.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { terminalLine } from '../terminal/terminal-text.ts';
import { readOptions } from './options.ts';
import { printJson, printLine, printTable } from './print.ts';
import { withServer } from './with-server.ts';

/** `cerise mcp tools NAME` */
export async function tools(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { words, values } = readOptions(argv, {
    usage: 'tools NAME [--json]',
    words: [1, 1],
    options: { json: { type: 'boolean', default: false } },
  });
  return withServer(settings, io, words[0] ?? '', async (client, { id }) => {
    const answer = await client.servers.tools(id);
    if (values.json) printJson(io, answer);
    else show(io, answer.tools);
    return 0;
  });
}

function show(io: Io, all: ToolView[]): void {
  printTable(
    io,
    ['TOOL', 'ON', 'WHAT IT DOES'],
    all.map(({ name, enabled, title, description }) => [
      name,
      enabled ? 'yes' : 'no',
      (description || title || '').split('\n')[0] ?? '',
    ]),
  );
  const notes = all.flatMap(leftOutNotes);
  if (notes.length > 0) printLine(io, `\n${notes.join('\n')}`);
}

const modelsOf = {
  openai: 'OpenAI and compatible',
  anthropic: 'Anthropic',
  google: 'Google',
} as const;

/** One line for each reason why models are not offered a tool. */
function leftOutNotes({ name, leftOut = [] }: ToolView): string[] {
  const reasons = Map.groupBy(leftOut, ({ reason }) => reason);
  return [...reasons].map(([reason, vendors]) => {
    const whose = vendors.map(({ dialect }) => modelsOf[dialect]).join(', ');
    return terminalLine(`${name} is not offered to ${whose} models: ${reason}`);
  });
}
