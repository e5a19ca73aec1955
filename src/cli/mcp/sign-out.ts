import type { CliSettings } from '../settings/settings.ts';
import { terminalLine } from '../terminal/terminal-text.ts';
import { readOptions } from './options.ts';
import { printLine } from './print.ts';
import { withServer } from './with-server.ts';

/** `cerise mcp sign-out NAME` */
export async function signOut(settings: CliSettings, argv: string[]): Promise<number> {
  const { words } = readOptions(argv, { usage: 'sign-out NAME', words: [1, 1], options: {} });
  return withServer(settings, words[0] ?? '', async (client, server) => {
    await client.servers.signOut(server.id);
    printLine(`Signed out of ${terminalLine(server.name)}: its tokens are revoked and forgotten.`);
    return 0;
  });
}
