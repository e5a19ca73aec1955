import { getSystemErrorMessage } from 'node:util';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { type CliSettings, readSettings } from './settings/settings.ts';
import { type Io, processIo } from './terminal/io.ts';
import { terminalText } from './terminal/terminal-text.ts';
import { programName } from './messages/program-name.ts';
import { speakAs, tell, tellError } from './messages/tell.ts';
import { alone, type CommandName, commands, groups, settingsNote } from './usage/commands.ts';
import { asksForHelp, helpOf, overview } from './usage/help.ts';
import { wrongUse } from './usage/options.ts';

const title = say('cli-title')`cerise: a self-hosted MCP host`;

type Run = (settings: CliSettings, argv: string[], io: Io) => Promise<number>;

/** Each command's code is loaded when it is used. */
const runs: Record<CommandName, () => Promise<Run>> = {
  serve: async () => (await import('./commands/serve.ts')).serve,
  chat: async () => (await import('./commands/chat.ts')).chat,
  acp: async () => (await import('./commands/acp.ts')).acp,
  'sign-in': async () => (await import('./commands/sign-in.ts')).signIn,
  backup: async () => (await import('./commands/backup.ts')).backup,
  restore: async () => (await import('./commands/backup.ts')).restore,
  'secrets rotate': async () => (await import('./commands/secrets.ts')).rotate,
  models: async () => (await import('./commands/models.ts')).models,
  topics: async () => (await import('./commands/topics.ts')).list,
  'topics search': async () => (await import('./commands/topics.ts')).search,
  'topics export': async () => (await import('./commands/topics.ts')).exportOne,
  'topics delete': async () => (await import('./commands/topics.ts')).remove,
  replay: async () => (await import('./commands/replay.ts')).replay,
  eval: async () => (await import('./commands/eval.ts')).evaluate,
  'tools export': async () => (await import('./commands/tools-export.ts')).toolsExport,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  logs: async () => (await import('./commands/logs.ts')).logs,
  config: async () => (await import('./commands/config.ts')).config,
  completion: async () => (await import('./commands/completion.ts')).completion,
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
      io.stdout.write(`${howToGoOn()}\n\n`);
      return dispatch(['--help'], io);
    case '--help':
    case '-h':
      io.stdout.write(
        overview(title, [alone, ...Object.values(commands), ...groups], settingsNote),
      );
      return 0;
    case 'mcp':
      endWithOutput(io);
      return (await import('./commands/mcp.ts')).mcp(() => readSettings(io.env), rest, io);
    default: {
      const [name, argv] = findCommand(command, rest);
      if (name !== 'serve') endWithOutput(io);
      if (!asksForHelp(argv)) return (await runs[name]())(readSettings(io.env), argv, io);
      io.stdout.write(helpOf(commands[name]));
      return 0;
    }
  }
}

/** Said to a script, or to whoever pipes into a chat. */
function howToGoOn(): string {
  const program = programName();
  return tell(
    say(
      'cli-no-terminal',
    )`Chats need an interactive terminal. To ask one question, run: ${program} chat "QUESTION". To start the web app, run: ${program} serve`,
  );
}

/** A command by its first word or its first two, and the words after those. */
function findCommand(first: string, rest: string[]): [CommandName, string[]] {
  const two = `${first} ${rest[0]}`;
  if (isCommand(two)) return [two, rest.slice(1)];
  if (isCommand(first)) return [first, rest];
  const longer = Object.values(commands).find(({ name }) => name.startsWith(`${first} `));
  // Of a word that begins one command only, its help is meant.
  if (longer && asksForHelp(rest)) return [longer.name, rest];
  if (longer) throw wrongUse(say('cli-too-few')`Missing argument.`, longer);
  throw unknownCommand(first);
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

/** The reader of our output may stop, as `head` does, or its disk be full: then there is nothing left to do. */
function endWithOutput(io: Io): void {
  io.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return io.exit(0);
    if (error.errno === undefined) throw error;
    const reason = getSystemErrorMessage(error.errno);
    const text = tell(say('cli-output-failed')`Can't write the output: ${reason}.`);
    io.stderr.write(`cerise: ${text}\n`);
    io.exit(1);
  });
}

async function version(): Promise<string> {
  const { default: manifest } = await import('../../package.json', { with: { type: 'json' } });
  return manifest.version;
}
