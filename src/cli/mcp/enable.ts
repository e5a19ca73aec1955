import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { readOptions } from './options.ts';
import { printJson, printState } from './print.ts';
import { withServer } from './with-server.ts';

/** `cerise mcp enable NAME` */
export async function enable(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  return setDisabled(settings, argv, io, false);
}

/** `cerise mcp disable NAME` */
export async function disable(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  return setDisabled(settings, argv, io, true);
}

async function setDisabled(
  settings: CliSettings,
  argv: string[],
  io: Io,
  disabled: boolean,
): Promise<number> {
  const { words, values } = readOptions(argv, {
    usage: `${disabled ? 'disable' : 'enable'} NAME [--json]`,
    words: [1, 1],
    options: { json: { type: 'boolean', default: false } },
  });
  return withServer(settings, io, words[0] ?? '', async (client, { id }) => {
    const server = await client.servers.update(id, { disabled });
    if (values.json) printJson(io, server);
    else printState(io, server);
    return 0;
  });
}
