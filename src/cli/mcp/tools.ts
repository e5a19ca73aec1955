import type { ToolView } from '#shared/api/api.ts';
import type { CliSettings } from '../settings/settings.ts';
import { terminalLine } from '../terminal/terminal-text.ts';
import { readOptions } from './options.ts';
import { printJson, printLine, printTable } from './print.ts';
import { withServer } from './with-server.ts';

/** `cerise mcp tools NAME` */
export async function tools(settings: CliSettings, argv: string[]): Promise<number> {
  const { words, values } = readOptions(argv, {
    usage: 'tools NAME [--json]',
    words: [1, 1],
    options: { json: { type: 'boolean', default: false } },
  });
  return withServer(settings, words[0] ?? '', async (client, { id }) => {
    const answer = await client.servers.tools(id);
    if (values.json) printJson(answer);
    else show(answer.tools);
    return 0;
  });
}

function show(all: ToolView[]): void {
  printTable(
    ['TOOL', 'ON', 'WHAT IT DOES'],
    all.map(({ name, enabled, title, description }) => [
      name,
      enabled ? 'yes' : 'no',
      (description || title || '').split('\n')[0] ?? '',
    ]),
  );
  const notes = all.flatMap(leftOutNotes);
  if (notes.length > 0) printLine(`\n${notes.join('\n')}`);
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
