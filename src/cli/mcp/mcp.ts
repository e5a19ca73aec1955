import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { nearestNames } from '#shared/text/nearest-names.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { asksForHelp, helpOf, overview } from '../usage/help.ts';
import { mcpCommands, type McpCommandName } from '../usage/mcp-commands.ts';

/** A sub-command of `cerise mcp`: resolves to the exit code. */
type McpCommand = (settings: CliSettings, argv: string[], io: Io) => Promise<number>;

const title = say('cli-mcp-title')`cerise mcp: manage MCP servers and use what they offer`;
const end = say('cli-mcp-end')`--json prints the API response. NAME can also be an ID.`;

/** Each command's code is loaded when it is used. */
const commands: Record<McpCommandName, () => Promise<McpCommand>> = {
  list: async () => (await import('./list.ts')).list,
  add: async () => (await import('./add.ts')).add,
  edit: async () => (await import('./edit.ts')).edit,
  import: async () => (await import('./import.ts')).importFile,
  install: async () => (await import('./install.ts')).install,
  export: async () => (await import('./export.ts')).exportAll,
  remove: async () => (await import('./remove.ts')).remove,
  approve: async () => (await import('./approve.ts')).approve,
  enable: async () => (await import('./switch.ts')).enable,
  disable: async () => (await import('./switch.ts')).disable,
  restart: async () => (await import('./switch.ts')).restart,
  stop: async () => (await import('./switch.ts')).stop,
  'sign-in': async () => (await import('./sign-in.ts')).signIn,
  'sign-out': async () => (await import('./sign-out.ts')).signOut,
  tools: async () => (await import('./tools.ts')).tools,
  call: async () => (await import('./call.ts')).call,
  prompts: async () => (await import('./prompts.ts')).prompts,
  resources: async () => (await import('./resources.ts')).resources,
  read: async () => (await import('./read.ts')).read,
  logs: async () => (await import('./logs.ts')).logs,
  doctor: async () => (await import('./doctor.ts')).doctor,
};

/** `cerise mcp COMMAND …` Settings are read when a command runs, so that help is there whatever they say. */
export async function mcp(
  readSettings: () => CliSettings,
  argv: string[],
  io: Io,
): Promise<number> {
  const [name, ...rest] = argv;
  if (name === 'help') return mcp(readSettings, [...rest, '--help'], io);
  if (name === undefined || name === '--help' || name === '-h') {
    io.stdout.write(overview(title, Object.values(mcpCommands), end));
    return 0;
  }
  if (!isCommand(name)) throw unknownCommand(name);
  if (asksForHelp(rest)) {
    io.stdout.write(helpOf(mcpCommands[name]));
    return 0;
  }
  const run = await commands[name]();
  return run(readSettings(), rest, io);
}

function isCommand(name: string): name is McpCommandName {
  return Object.hasOwn(mcpCommands, name);
}

function unknownCommand(name: string): CeriseError {
  const [near] = nearestNames(name, Object.keys(commands), 1);
  return new CeriseError(
    'invalid_request',
    say('cli-unknown-mcp')`Unknown command: "mcp ${name.slice(0, 100)}".`,
    {
      hint: say(
        'cli-unknown-mcp-hint',
      )`Did you mean ${near ?? 'help'}? To see all commands, run: cerise mcp help`,
    },
  );
}
