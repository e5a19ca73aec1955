import type { ToolView } from '#shared/api/api.ts';
import { toolWords } from '#shared/messages/builtin-tool.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { terminalLine } from '../terminal/terminal-text.ts';
import { readOptions } from '../usage/options.ts';
import { mcpCommands } from '../usage/mcp-commands.ts';
import { heads, printJson, printLine, printTable } from '../printing/print.ts';
import { withServer } from '../client/with-server.ts';
import { say, toWords } from '#shared/errors/sentence.ts';
import { tell } from '../messages/tell.ts';

/** `cerise mcp tools NAME` */
export async function tools(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { words, values } = readOptions(argv, mcpCommands.tools);
  return withServer(settings, io, words[0] ?? '', async (client, { id, config }) => {
    const answer = await client.servers.tools(id);
    if (values.json) printJson(io, answer);
    else show(io, answer.tools, config);
    return 0;
  });
}

function show(io: Io, all: ToolView[], config: unknown): void {
  printTable(
    io,
    [heads.tool, heads.enabled, heads.description],
    all.map(({ name, enabled, title, description }) => [
      name,
      enabled ? tell(say('cli-yes')`yes`) : tell(say('cli-no')`no`),
      tell(
        description
          ? toolWords(config, name, 'description', description)
          : toolWords(config, name, 'title', title ?? ''),
      ).split('\n')[0] ?? '',
    ]),
  );
  const notes = all.flatMap(omittedNotes);
  if (notes.length > 0) printLine(io, `\n${notes.join('\n')}`);
}

const modelsOf = {
  openai: say('cli-openai')`OpenAI and compatible`,
  anthropic: 'Anthropic',
  google: 'Google',
} as const;

/** One line for each reason why models are not offered a tool. */
function omittedNotes({ name, leftOut = [] }: ToolView): string[] {
  const reasons = Map.groupBy(leftOut, ({ reason }) => reason);
  return [...reasons].map(([reason, vendors]) => {
    const whose = vendors.map(({ dialect }) => tell(modelsOf[dialect])).join(', ');
    const why = toWords(reason, vendors[0]?.reasonSaid);
    return terminalLine(
      tell(say('cli-left-out')`${name} isn't available to ${whose} models: ${why}`),
    );
  });
}
