import type { ServerView } from '#shared/api/api.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say, type Sentence } from '#shared/errors/sentence.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { terminalLine, typedWord } from '../terminal/terminal-text.ts';
import { mcpCommands } from '../usage/mcp-commands.ts';
import { readOptions, wrongUse } from '../usage/options.ts';
import { readAccess } from '../usage/access-options.ts';
import { readAttachment } from '../usage/attachment-options.ts';
import { assertFieldsOf, readFields } from '../usage/server-fields.ts';
import { printJson, printLine } from '../printing/print.ts';
import { withClient } from '../client/with-server.ts';
import { programName } from '../messages/program-name.ts';
import { tell } from '../messages/tell.ts';

const command = mcpCommands.add;

/** `cerise mcp add NAME (--url URL | -- COMMAND ARGS…)` */
export async function add(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { config, place, json } = readServer(argv, io);
  return withClient(settings, io, async (client) => {
    const attachment = await readAttachment(client, place, command);
    const { servers } = await client.servers.list();
    if (servers.some(({ name }) => name === config.name))
      throw new CeriseError(
        'conflict',
        say('cli-server-exists')`A server named ${config.name} already exists.`,
      );
    const server = await client.servers.create({ ...config, ...attachment });
    if (json) printJson(io, server);
    else printLine(io, tell(added(server)));
    return 0;
  });
}

/** What came of adding a server, and what to do next. */
export function added({ name, state }: ServerView): Sentence {
  const shown = terminalLine(name);
  if (state !== 'draft')
    return say(
      'cli-added',
    )`Added ${shown}. To check that it works, run: ${programName()} mcp doctor ${typedWord(name)}`;
  return say(
    'cli-added-draft',
  )`Added ${shown}. It needs approval before it can run: ${programName()} mcp approve ${typedWord(name)}`;
}

function readServer(argv: string[], { env }: Io) {
  const { before, launch } = splitCommand(argv);
  const { words, values } = readOptions(before, command);
  const fields = {
    ...readFields(values, command, { env }),
    ...readAccess(values, command),
    ...launch,
  };
  if ('baseUrl' in fields === 'command' in fields)
    throw wrongUse(say('cli-url-or-command')`Use either --url URL or -- COMMAND.`, command);
  const type = launch ? { type: 'stdio' } : {};
  assertFieldsOf(type.type ?? 'streamableHttp', fields, command);
  const config = { name: words[0] ?? '', ...fields, ...type };
  return { config, place: values, json: values.json };
}

/** The words after `--` are the command, whatever they look like. */
export function splitCommand(argv: string[]): {
  before: string[];
  launch?: { command: string; args: string[] };
} {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const [program, ...args] = argv.slice(end + 1);
  const before = argv.slice(0, end);
  return program === undefined ? { before } : { before, launch: { command: program, args } };
}
