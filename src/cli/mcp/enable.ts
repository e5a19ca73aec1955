import type { CliSettings } from '../settings/settings.ts';
import { readOptions } from './options.ts';
import { printJson, printState } from './print.ts';
import { withServer } from './with-server.ts';

/** `cerise mcp enable NAME` */
export async function enable(settings: CliSettings, argv: string[]): Promise<number> {
  return setDisabled(settings, argv, false);
}

/** `cerise mcp disable NAME` */
export async function disable(settings: CliSettings, argv: string[]): Promise<number> {
  return setDisabled(settings, argv, true);
}

async function setDisabled(
  settings: CliSettings,
  argv: string[],
  disabled: boolean,
): Promise<number> {
  const { words, values } = readOptions(argv, {
    usage: `${disabled ? 'disable' : 'enable'} NAME [--json]`,
    words: [1, 1],
    options: { json: { type: 'boolean', default: false } },
  });
  return withServer(settings, words[0] ?? '', async (client, { id }) => {
    const server = await client.servers.update(id, { disabled });
    if (values.json) printJson(server);
    else printState(server);
    return 0;
  });
}
