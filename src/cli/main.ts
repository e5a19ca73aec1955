import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { readSettings } from './settings/settings.ts';
import { type Io, processIo } from './terminal/io.ts';
import { terminalText } from './terminal/terminal-text.ts';
import { speakAs, tell, tellError } from './messages/tell.ts';

const help = say('cli-help')`cerise: a self-hosted MCP host

  cerise serve                 Start the web app and the API (CERISE_HOST, CERISE_PORT)
  cerise chat "question"       Ask a question and print the answer
      --model provider/model   Use this model
      --topic ID               Continue this chat
      --yes                    Approve every tool call
      --no-tools               Don't use tools
  cerise sign-in               Print a link to sign in to the running Cerise in a browser
  cerise mcp COMMAND           Manage MCP servers: list, add, approve, tools, call, doctor, …
  cerise backup FILE           Back up everything to a new file, even while Cerise is running (SQLite)
      --without-key            Omit the key that encrypts stored secrets
  cerise restore FILE          Restore a backup to the data folder
      --replace                Replace existing data and keep it in a folder next to it
  cerise secrets rotate        Re-encrypt stored secrets with a new key, while Cerise is stopped
  cerise --version             Print the version

Settings: CERISE_HOME, CERISE_HOST, CERISE_PORT, CERISE_DATABASE_URL, CERISE_TOKEN, CERISE_SECRET_KEY,
  CERISE_ALLOWED_HOSTS, CERISE_PUBLIC_URL, CERISE_SIGN_IN_LINK, CERISE_FETCH_ALLOW,
  CERISE_SERVER_VARIABLES, CERISE_LOG_LEVEL, CERISE_DEMO_PACE, CERISE_LANG (en or zh)
`;

/**
 * Runs one command; resolves to the exit code: 1 if it failed, 2 if it was called wrongly. Each
 * command's code is loaded when it is used.
 */
export async function main(argv: string[], io: Io = processIo): Promise<number> {
  speakAs(io.env);
  const [command, ...rest] = argv;
  try {
    switch (command) {
      case 'serve':
        refuseOptions(rest);
        return await (await import('./commands/serve.ts')).serve(readSettings(io.env), io);
      case 'chat':
        endWithReader(io);
        return await (await import('./commands/chat.ts')).chat(readSettings(io.env), rest, io);
      case 'mcp':
        endWithReader(io);
        return await (await import('./mcp/mcp.ts')).mcp(readSettings(io.env), rest, io);
      case 'sign-in':
        return await (await import('./commands/sign-in.ts')).signIn(readSettings(io.env), rest, io);
      case 'backup':
        return await (await import('./commands/backup.ts')).backup(readSettings(io.env), rest, io);
      case 'restore':
        return await (await import('./commands/backup.ts')).restore(readSettings(io.env), rest, io);
      case 'secrets':
        return await (
          await import('./commands/secrets.ts')
        ).secrets(readSettings(io.env), rest, io);
      case '--version':
      case 'version':
        io.stdout.write(`${await version()}\n`);
        return 0;
      case undefined:
      case 'help':
      case '--help':
        io.stdout.write(tell(help));
        return 0;
      default:
        throw unknownCommand(command);
    }
  } catch (error) {
    if (!(error instanceof CeriseError)) throw error;
    const text = terminalText(tellError(error)).trim();
    io.stderr.write(`cerise: ${text.replaceAll(/\s*\n\s*/g, ' ')}\n`);
    return error.code === 'invalid_request' ? 2 : 1;
  }
}

function unknownCommand(command: string): CeriseError {
  return new CeriseError(
    'invalid_request',
    say(
      'cli-unknown-command',
    )`Unknown command: "${command}". To see all commands, run: cerise help`,
  );
}

function refuseOptions(rest: string[]): void {
  if (rest.length === 0) return;
  throw new CeriseError(
    'invalid_request',
    say('cli-no-options')`${'serve'} takes no options, but got "${rest.join(' ')}".`,
    {
      hint: say(
        'cli-no-options-hint',
      )`Settings are environment variables. To see them, run: cerise help`,
    },
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
