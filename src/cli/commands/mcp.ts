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
  list: async () => (await import('../mcp/list.ts')).list,
  add: async () => (await import('../mcp/add.ts')).add,
  edit: async () => (await import('../mcp/edit.ts')).edit,
  import: async () => (await import('../mcp/import.ts')).importFile,
  search: async () => (await import('../catalogue/search.ts')).search,
  install: async () => (await import('../catalogue/install.ts')).install,
  updates: async () => (await import('../catalogue/updates.ts')).updates,
  registries: async () => (await import('../catalogue/registries.ts')).registries,
  requests: async () => (await import('../catalogue/requests.ts')).requests,
  export: async () => (await import('../mcp/export.ts')).exportAll,
  remove: async () => (await import('../mcp/remove.ts')).remove,
  approve: async () => (await import('../mcp/approve.ts')).approve,
  rehearse: async () => (await import('../mcp/rehearse.ts')).rehearse,
  enable: async () => (await import('../mcp/switch.ts')).enable,
  disable: async () => (await import('../mcp/switch.ts')).disable,
  restart: async () => (await import('../mcp/switch.ts')).restart,
  stop: async () => (await import('../mcp/switch.ts')).stop,
  'sign-in': async () => (await import('../mcp/sign-in.ts')).signIn,
  'sign-out': async () => (await import('../mcp/sign-out.ts')).signOut,
  tools: async () => (await import('../contents/tools.ts')).tools,
  call: async () => (await import('../contents/call.ts')).call,
  prompts: async () => (await import('../contents/prompts.ts')).prompts,
  resources: async () => (await import('../contents/resources.ts')).resources,
  read: async () => (await import('../contents/read.ts')).read,
  watch: async () => (await import('../contents/watch.ts')).watch,
  complete: async () => (await import('../contents/complete.ts')).complete,
  skills: async () => (await import('../contents/skills.ts')).skills,
  batch: async () => (await import('../contents/batch.ts')).batch,
  logs: async () => (await import('../mcp/logs.ts')).logs,
  serve: async () => (await import('../mcp/serve.ts')).serve,
  doctor: async () => (await import('../mcp/doctor.ts')).doctor,
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
