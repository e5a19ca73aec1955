import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { nearestNames } from '#shared/text/nearest-names.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { tell } from '../messages/tell.ts';

/** A sub-command of `cerise mcp`: resolves to the exit code. */
type McpCommand = (settings: CliSettings, argv: string[], io: Io) => Promise<number>;

const help = say('cli-mcp-help')`cerise mcp: manage MCP servers and use what they offer

  cerise mcp list                              List all servers and their state
  cerise mcp add NAME -- COMMAND ARGS…         Add a server that runs a command
      --env KEY=VALUE  --env KEY               Set a variable; without a value, use yours
      --cwd FOLDER                             Set the working directory
      --files own | everything  --no-network   Limit what it can access
      --read FOLDER  --write FOLDER            Give it these folders and its own only
  cerise mcp add NAME --url URL                Add a server over HTTP
      --header KEY=VALUE  --type sse
  cerise mcp import FILE                       Import servers from another app's settings or an
                                               install link; use - for standard input
      --dry-run  --answer ID=VALUE             Only show them; fill in a value they ask for
  cerise mcp install FILE | URL                Install a bundle (.mcpb, .dxt) as a draft
      --set KEY=VALUE  --name NAME             Fill in a setting; choose the name of the server
      --update NAME  --sha256 HASH             Update a server; refuse any other file
  cerise mcp export                            Print your servers as JSON, without secrets
      --format cerise | claude | vscode
  cerise mcp approve NAME                      Review and approve a server's command
  cerise mcp enable NAME    disable NAME    restart NAME    stop NAME    remove NAME
  cerise mcp sign-in NAME                      Sign in to a protected server in your browser
      --headless                               Use a browser elsewhere and paste its final URL
      --client-id ID --client-secret-file FILE Use a manually registered client
  cerise mcp sign-out NAME                     Revoke and delete its tokens
  cerise mcp tools NAME                        List its tools
  cerise mcp call NAME TOOL [JSON]             Call a tool
      --arg KEY=VALUE  --yes                   Pass arguments one by one; run without asking
  cerise mcp prompts NAME [PROMPT]             List its prompts, or fill one in
      --arg KEY=VALUE
  cerise mcp resources NAME                    List its resources and templates
  cerise mcp read NAME URI                     Read a resource
  cerise mcp logs NAME                         Show its recent log
  cerise mcp doctor [NAME]                     Connect and show what works and what doesn't

  --json prints the API response. NAME can also be an ID.
`;

/** Each command's code is loaded when it is used. */
const commands: Record<string, () => Promise<McpCommand>> = {
  list: async () => (await import('./list.ts')).list,
  add: async () => (await import('./add.ts')).add,
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

/** `cerise mcp COMMAND …` */
export async function mcp(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const [name, ...rest] = argv;
  if (name === undefined || name === 'help' || name === '--help') {
    io.stdout.write(tell(help));
    return 0;
  }
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load) return (await load())(settings, rest, io);
  const [near] = nearestNames(name, Object.keys(commands), 1);
  throw new CeriseError(
    'invalid_request',
    say('cli-unknown-mcp')`Unknown command: "mcp ${name.slice(0, 100)}".`,
    {
      hint: say(
        'cli-unknown-mcp-hint',
      )`Did you mean ${near ?? 'help'}? To see all commands, run: cerise mcp help`,
    },
  );
}
