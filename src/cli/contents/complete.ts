import { say } from '#shared/errors/sentence.ts';
import { withServer } from '../client/with-server.ts';
import { printJson, printLine } from '../printing/print.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { terminalLine } from '../terminal/terminal-text.ts';
import { mcpCommands } from '../usage/mcp-commands.ts';
import { readOptions, readPairs, wrongUse } from '../usage/options.ts';

const maxWaitMs = 60_000;

/** `cerise mcp complete NAME ARGUMENT [VALUE] --prompt PROMPT`: one suggestion a line. */
export async function complete(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const command = mcpCommands.complete;
  const { words, values } = readOptions(argv, command);
  const [name = '', argument = '', value = ''] = words;
  const { prompt, template } = values;
  if ((prompt === undefined) === (template === undefined))
    throw wrongUse(say('cli-prompt-or-template')`Use either --prompt or --template.`, command);
  const ref = prompt === undefined ? { template: template ?? '' } : { prompt };
  const body = {
    ref,
    argument: { name: argument, value },
    known: readPairs(values.arg ?? [], command),
  };
  return withServer(settings, io, name, async (client, { id }) => {
    const answer = await client.servers.complete(id, body, AbortSignal.timeout(maxWaitMs));
    if (values.json) printJson(io, answer);
    else for (const each of answer.values) printLine(io, terminalLine(each));
    return 0;
  });
}
