import type { ServerView } from '#shared/api/api.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say, type Sentence } from '#shared/errors/sentence.ts';
import type { Attachment } from '#shared/vocabulary/server.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { terminalLine } from '../terminal/terminal-text.ts';
import { mcpCommands } from '../usage/mcp-commands.ts';
import { readOptions, wrongUse } from '../usage/options.ts';
import { readAccess } from '../usage/access-options.ts';
import { assertFieldsOf, readFields } from '../usage/server-fields.ts';
import { printJson, printLine } from './print.ts';
import { withClient } from './with-server.ts';
import { programName } from '../messages/program-name.ts';
import { tell } from '../messages/tell.ts';

const command = mcpCommands.add;

/** `cerise mcp add NAME (--url URL | -- COMMAND ARGS…)` */
export async function add(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { config, json } = readServer(argv, io);
  return withClient(settings, io, async (client) => {
    const { servers } = await client.servers.list();
    if (servers.some(({ name }) => name === config.name))
      throw new CeriseError(
        'conflict',
        say('cli-server-exists')`A server named ${config.name} already exists.`,
      );
    const server = await client.servers.create(config);
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
    )`Added ${shown}. To check that it works, run: ${programName()} mcp doctor ${shown}`;
  return say(
    'cli-added-draft',
  )`Added ${shown}. It needs approval before it can run: ${programName()} mcp approve ${shown}`;
}

function readServer(argv: string[], { env }: Io): { config: { name: string }; json: boolean } {
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
  const config = { name: words[0] ?? '', ...fields, ...type, ...readAttachment(values) };
  return { config, json: values.json };
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

function readAttachment({
  assistant,
  topic,
}: {
  assistant?: string | undefined;
  topic?: string | undefined;
}): { attachedTo?: Attachment } {
  if (assistant !== undefined && topic !== undefined)
    throw wrongUse(say('cli-one-attachment')`Use either --assistant or --topic.`, command);
  if (assistant !== undefined) return { attachedTo: { assistant } };
  return topic === undefined ? {} : { attachedTo: { topic } };
}
