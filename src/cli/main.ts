import { CeriseError } from '#shared/errors.ts';
import { readSettings } from './settings.ts';

const help = `cerise: a self-hosted MCP host

  cerise serve                 the web app and the API (CERISE_HOST, CERISE_PORT)
  cerise chat "question"       one answer in the terminal
      --model provider/model   the model to ask
      --topic ID               go on in that topic
      --yes                    approve every tool call of this answer
      --no-tools               without tools
  cerise --version

Settings: CERISE_HOME, CERISE_HOST, CERISE_PORT, CERISE_DATABASE_URL, CERISE_TOKEN, CERISE_SECRET_KEY
`;

/** Runs one command; resolves to the exit code. Each command's code is loaded when it is used. */
export async function main(argv: string[]): Promise<number> {
  const [command, ...rest] = argv;
  try {
    switch (command) {
      case 'serve':
        return await (await import('./serve.ts')).serve(readSettings(process.env), process.env);
      case 'chat':
        return await (await import('./chat.ts')).chat(readSettings(process.env), rest);
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
        process.stderr.write(`cerise: there is no command "${command}". Try: cerise help\n`);
        return 2;
    }
  } catch (error) {
    if (!(error instanceof CeriseError)) throw error;
    process.stderr.write(`cerise: ${error.message}${error.hint ? ` ${error.hint}` : ''}\n`);
    return 1;
  }
}

async function version(): Promise<string> {
  const { default: manifest } = await import('../../package.json', { with: { type: 'json' } });
  return manifest.version;
}
