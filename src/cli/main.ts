import { CeriseError } from '#shared/errors/errors.ts';
import { readSettings } from './settings/settings.ts';
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
export async function main(argv: string[]): Promise<number> {
  const [command, ...rest] = argv;
  try {
    switch (command) {
      case 'serve':
        refuseOptions(rest);
        return await (
          await import('./commands/serve.ts')
        ).serve(readSettings(process.env), process.env);
      case 'chat':
        endWithReader();
        return await (await import('./commands/chat.ts')).chat(readSettings(process.env), rest);
      case 'mcp':
        endWithReader();
        return await (await import('./mcp/mcp.ts')).mcp(readSettings(process.env), rest);
      case 'sign-in':
        return await (
          await import('./commands/sign-in.ts')
        ).signIn(readSettings(process.env), rest);
      case 'backup':
        return await (await import('./commands/backup.ts')).backup(readSettings(process.env), rest);
      case 'restore':
        return await (
          await import('./commands/backup.ts')
        ).restore(readSettings(process.env), rest);
      case 'secrets':
        return await (
          await import('./commands/secrets.ts')
        ).secrets(readSettings(process.env), rest);
      case '--version':
      case 'version':
        process.stdout.write(`${await version()}\n`);
        return 0;
      case undefined:
      case 'help':
      case '--help':
        process.stdout.write(help);
        return 0;
      default:
        process.stderr.write(
          `cerise: there is no command "${terminalText(command)}". Try: cerise help\n`,
        );
        return 2;
    }
  } catch (error) {
    if (!(error instanceof CeriseError)) throw error;
    const text = terminalText(`${error.message} ${error.hint ?? ''}`).trim();
    process.stderr.write(`cerise: ${text.replaceAll(/\s*\n\s*/g, ' ')}\n`);
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
function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
}

async function version(): Promise<string> {
  const { default: manifest } = await import('../../package.json', { with: { type: 'json' } });
  return manifest.version;
}
