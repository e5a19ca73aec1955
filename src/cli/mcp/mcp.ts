import { CeriseError } from '#shared/errors/errors.ts';
import { nearestNames } from '#shared/text/nearest-names.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';

/** A sub-command of `cerise mcp`: resolves to the exit code. */
type McpCommand = (settings: CliSettings, argv: string[], io: Io) => Promise<number>;

const help = `cerise mcp: the MCP servers and what they offer

  cerise mcp list                              every server and its state
  cerise mcp add NAME -- COMMAND ARGS…         add one that runs a command
      --env KEY=VALUE  --env KEY               a variable for it; without a value, yours
      --cwd FOLDER
  cerise mcp add NAME --url URL                add one that is reached over HTTP
      --header KEY=VALUE  --type sse
  cerise mcp import FILE                       add the servers of another host's settings, or of an
                                               install link; - reads them from the input
      --dry-run  --answer ID=VALUE             only show them; a value that they ask for
  cerise mcp export                            your servers as JSON, without secrets
      --format cerise | claude | vscode
  cerise mcp approve NAME                      let exactly its command run, after you saw it
  cerise mcp enable NAME    disable NAME    restart NAME    stop NAME    remove NAME
  cerise mcp sign-in NAME                      sign in to a protected server in your browser
      --headless                               in a browser elsewhere: paste where it ends
      --client-id ID --client-secret-file FILE as a client that was registered by hand
  cerise mcp sign-out NAME                     revoke and forget its tokens
  cerise mcp tools NAME                        its tools
  cerise mcp call NAME TOOL [JSON]             call one
      --arg KEY=VALUE  --yes                   arguments one by one; run it without asking
  cerise mcp prompts NAME [PROMPT]             its prompts, or one of them filled in
      --arg KEY=VALUE
  cerise mcp resources NAME                    its resources and templates
  cerise mcp read NAME URI                     the contents of a resource
  cerise mcp logs NAME                         its last lines
  cerise mcp doctor [NAME]                     connect, and say what works and what does not

  --json prints what the API answers. NAME may be an id.
`;

/** Each command's code is loaded when it is used. */
const commands: Record<string, () => Promise<McpCommand>> = {
  list: async () => (await import('./list.ts')).list,
  add: async () => (await import('./add.ts')).add,
  import: async () => (await import('./import.ts')).importFile,
  export: async () => (await import('./export.ts')).exportAll,
  remove: async () => (await import('./remove.ts')).remove,
  approve: async () => (await import('./approve.ts')).approve,
  enable: async () => (await import('./enable.ts')).enable,
  disable: async () => (await import('./enable.ts')).disable,
  restart: async () => (await import('./restart.ts')).restart,
  stop: async () => (await import('./restart.ts')).stop,
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
    io.stdout.write(help);
    return 0;
  }
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load) return (await load())(settings, rest, io);
  const [near] = nearestNames(name, Object.keys(commands), 1);
  throw new CeriseError('invalid_request', `There is no command "mcp ${name.slice(0, 100)}".`, {
    hint: `Did you mean ${near}? Try: cerise mcp help`,
  });
}
