import { say, type Sentence } from '#shared/errors/sentence.ts';
import type { ServerView } from '#shared/api/api.ts';
import type { ServerAccess } from '#shared/vocabulary/server-access.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { terminalLine, typedWord } from '../terminal/terminal-text.ts';
import { mcpCommands } from '../usage/mcp-commands.ts';
import { readOptions, wrongUse } from '../usage/options.ts';
import { readAccess } from '../usage/access-options.ts';
import { assertFieldsOf, readFields, removeFields } from '../usage/server-fields.ts';
import { splitCommand } from './add.ts';
import { printJson, printLine } from '../printing/print.ts';
import { withServer } from '../client/with-server.ts';
import { programName } from '../messages/program-name.ts';
import { tell } from '../messages/tell.ts';

const command = mcpCommands.edit;

/** `cerise mcp edit NAME`: what is not named stays as it is. */
export async function edit(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { before, launch } = splitCommand(argv);
  const { words, values } = readOptions(before, command);
  return withServer(settings, io, words[0] ?? '', async (client, { id, config }) => {
    const present = config as Record<string, unknown>;
    const body: Record<string, unknown> = {
      ...readFields(values, command, { env: io.env, config: present }),
      ...readAccess(values, command, present['access'] as ServerAccess | undefined),
      ...launch,
    };
    if (values.unset) removeFields(body, values.unset, command, present);
    if (Object.keys(body).length === 0)
      throw wrongUse(say('cli-nothing-to-change')`Nothing to change.`, command);
    assertFieldsOf(body['type'] ?? present['type'], body, command);
    const server = await client.servers.update(id, body);
    if (values.json) printJson(io, server);
    else printLine(io, tell(next(server)));
    return 0;
  });
}

function next({ name, state }: ServerView): Sentence {
  const shown = terminalLine(name);
  if (state !== 'draft') return say('cli-saved')`Saved ${shown}.`;
  return say(
    'cli-saved-draft',
  )`Saved ${shown}. It needs approval before it can run: ${programName()} mcp approve ${typedWord(name)}`;
}
