import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { ImportedEntry, ImportServers, ImportView } from '#shared/api/import-api.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say, type Sentence } from '#shared/errors/sentence.ts';
import { questionWords } from '#shared/messages/builtin-tool.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { markedLine, terminalLine } from '../terminal/terminal-text.ts';
import { describeLaunch } from './describe-server.ts';
import { readAttachment } from '../usage/attachment-options.ts';
import { readOptions, readPairs } from '../usage/options.ts';
import { mcpCommands } from '../usage/mcp-commands.ts';
import { padded, printJson, printLine } from '../printing/print.ts';
import { withClient } from '../client/with-server.ts';
import { programName } from '../messages/program-name.ts';
import { tell, tellError } from '../messages/tell.ts';

/** `cerise mcp import FILE`: nothing of it runs before it is approved. */
export async function importFile(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { words, values } = readOptions(argv, mcpCommands.import);
  const body: ImportServers = {
    text: await readText(words[0] ?? '', io),
    dryRun: values['dry-run'],
    answers: readPairs(values.answer ?? [], mcpCommands.import),
  };
  return withClient(settings, io, async (client) => {
    const place = await readAttachment(client, values, mcpCommands.import);
    const view = await client.servers.importAll({ ...body, ...place });
    if (values.json) printJson(io, view);
    else print(io, view);
    return view.entries.some(({ error }) => error) ? 1 : 0;
  });
}

/** A file, the standard input, or an install link as it is. */
async function readText(word: string, { stdin }: Io): Promise<string> {
  if (word === '-') return text(stdin);
  if (/^[a-z-]+:/.test(word) && URL.canParse(word)) return word;
  try {
    return await readFile(word, 'utf8');
  } catch (cause) {
    throw new CeriseError(
      'invalid_request',
      say('cli-cannot-read')`Can't read ${word.slice(0, 200)}.`,
      {
        hint: say('cli-import-hint')`Use a file, an install link, or - for standard input.`,
        cause,
      },
    );
  }
}

function print(io: Io, { entries, questions }: ImportView): void {
  for (const entry of entries) {
    printLine(io, `${terminalLine(entry.name)}: ${tell(outcome(entry))}`);
    const { config } = entry;
    if (config === undefined) continue;
    for (const [label, said] of describeLaunch({ config }))
      printLine(io, `  ${padded(tell(label), 9)} ${markedLine(tell(said))}`);
    const names = entry.leftOut.map(terminalLine).join(', ');
    if (names !== '') printLine(io, `  ${tell(say('cli-not-imported')`not imported: ${names}`)}`);
  }
  for (const { id, label } of questions)
    printLine(
      io,
      tell(
        say(
          'cli-value-needed',
        )`Value needed: ${terminalLine(id)}${label ? ` (${terminalLine(tell(questionWords(label)))})` : ''}`,
      ),
    );
}

function outcome({ error, exists, server, name }: ImportedEntry): Sentence {
  if (error) return say('cli-not-added')`not added. ${terminalLine(tellError(error))}`;
  if (exists) return say('cli-exists')`already exists.`;
  if (!server) return say('cli-would-add')`would be added.`;
  const next = server.state === 'draft' ? 'approve' : 'enable';
  return say(
    'cli-added-off',
  )`added, but disabled. To use it, run: ${programName()} mcp ${next} ${terminalLine(name)}`;
}
