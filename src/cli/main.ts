import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { type CliSettings, readSettings } from './settings/settings.ts';
import { type Io, processIo } from './terminal/io.ts';
import { terminalText } from './terminal/terminal-text.ts';
import { speakAs, tellError } from './messages/tell.ts';
import { type CommandName, commands, groups, settingsNote } from './usage/commands.ts';
import { asksForHelp, helpOf, overview } from './usage/help.ts';

const title = say('cli-title')`cerise: a self-hosted MCP host`;

type Run = (settings: CliSettings, argv: string[], io: Io) => Promise<number>;

/** Each command's code is loaded when it is used. */
const runs: Record<CommandName, () => Promise<Run>> = {
  serve: async () => (await import('./commands/serve.ts')).serve,
  chat: async () => (await import('./commands/chat.ts')).chat,
  'sign-in': async () => (await import('./commands/sign-in.ts')).signIn,
  backup: async () => (await import('./commands/backup.ts')).backup,
  restore: async () => (await import('./commands/backup.ts')).restore,
  secrets: async () => (await import('./commands/secrets.ts')).secrets,
};

/** Runs one command; resolves to the exit code: 1 if it failed, 2 if it was called wrongly. */
export async function main(argv: string[], io: Io = processIo): Promise<number> {
  speakAs(io.env);
  try {
    return await dispatch(argv, io);
  } catch (error) {
    if (!(error instanceof CeriseError)) throw error;
    const text = terminalText(tellError(error)).trim();
    io.stderr.write(`cerise: ${text.replaceAll(/\s*\n\s*/g, ' ')}\n`);
    return error.code === 'invalid_request' ? 2 : 1;
  }
}

async function dispatch([command, ...rest]: string[], io: Io): Promise<number> {
  switch (command) {
    case '--version':
    case 'version':
      io.stdout.write(`${await version()}\n`);
      return 0;
    case 'help':
      return dispatch([...rest, '--help'], io);
    case undefined:
      if (io.stdin.isTTY && io.stdout.isTTY)
        return (await import('./repl/repl.ts')).repl(readSettings(io.env), {}, io);
      return dispatch(['--help'], io);
    case '--help':
    case '-h':
      io.stdout.write(overview(title, [...Object.values(commands), ...groups], settingsNote));
      return 0;
    case 'mcp':
      endWithReader(io);
      return (await import('./mcp/mcp.ts')).mcp(() => readSettings(io.env), rest, io);
    default:
      if (!isCommand(command)) throw unknownCommand(command);
      if (command === 'chat') endWithReader(io);
      if (!asksForHelp(rest)) return (await runs[command]())(readSettings(io.env), rest, io);
      io.stdout.write(helpOf(commands[command]));
      return 0;
  }
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(commands, name);
}

function unknownCommand(command: string): CeriseError {
  return new CeriseError(
    'invalid_request',
    say(
      'cli-unknown-command',
    )`Unknown command: "${command}". To see all commands, run: cerise help`,
  );
}

/** The reader of our output may stop, as `head` does: then there is nothing left to do. */
function endWithReader(io: Io): void {
  io.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    io.exit(0);
  });
}

async function version(): Promise<string> {
  const { default: manifest } = await import('../../package.json', { with: { type: 'json' } });
  return manifest.version;
}
