import { CeriseError } from '#shared/errors/errors.ts';
import { readSettings } from './settings/settings.ts';
import { type Io, processIo } from './terminal/io.ts';
import { terminalText } from './terminal/terminal-text.ts';

const help = `cerise: a self-hosted MCP host

  cerise serve                 the web app and the API (CERISE_HOST, CERISE_PORT)
  cerise chat "question"       one answer in the terminal
      --model provider/model   the model to ask
      --topic ID               go on in that topic
      --yes                    approve every tool call of this answer
      --no-tools               without tools
  cerise sign-in               a link that signs a browser in to the running Cerise
  cerise mcp COMMAND           the MCP servers: list, add, approve, tools, call, doctor, …
  cerise backup FILE           everything in one new file, also while Cerise runs (SQLite)
      --without-key            leave the key of stored secrets out of it
  cerise restore FILE          puts a backup into the data folder
      --replace                also where there are data; they are kept in a folder beside
  cerise secrets rotate        seals stored secrets with another key, while Cerise is stopped
  cerise --version

Settings: CERISE_HOME, CERISE_HOST, CERISE_PORT, CERISE_DATABASE_URL, CERISE_TOKEN, CERISE_SECRET_KEY,
  CERISE_ALLOWED_HOSTS, CERISE_PUBLIC_URL, CERISE_SIGN_IN_LINK, CERISE_FETCH_ALLOW, CERISE_LOG_LEVEL,
  CERISE_DEMO_PACE
`;

/**
 * Runs one command; resolves to the exit code: 1 if it failed, 2 if it was called wrongly. Each
 * command's code is loaded when it is used.
 */
export async function main(argv: string[], io: Io = processIo): Promise<number> {
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
        io.stdout.write(help);
        return 0;
      default:
        io.stderr.write(
          `cerise: there is no command "${terminalText(command)}". Try: cerise help\n`,
        );
        return 2;
    }
  } catch (error) {
    if (!(error instanceof CeriseError)) throw error;
    const text = terminalText(`${error.message} ${error.hint ?? ''}`).trim();
    io.stderr.write(`cerise: ${text.replaceAll(/\s*\n\s*/g, ' ')}\n`);
    return error.code === 'invalid_request' ? 2 : 1;
  }
}

function refuseOptions(rest: string[]): void {
  if (rest.length === 0) return;
  throw new CeriseError('invalid_request', `serve takes no options, but got "${rest.join(' ')}".`, {
    hint: 'Its settings are environment variables; try: cerise help',
  });
}

/** Whoever reads our output may stop, as `head` does: then there is nothing left to do. */
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
