import { findServer, withClient } from '../client/with-server.ts';
import { printJson } from '../printing/print.ts';
import type { ToolFormat } from '#shared/api/tools-api.ts';
import { say, toWords } from '#shared/errors/sentence.ts';
import { tell } from '../messages/tell.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { terminalLine } from '../terminal/terminal-text.ts';
import { commands } from '../usage/commands.ts';
import { readOptions } from '../usage/options.ts';

/** `cerise tools export [NAME …]`: the tools on standard output; what is missing, on standard error. */
export async function toolsExport(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { words, values } = readOptions(argv, commands['tools export']);
  return withClient(settings, io, async (client) => {
    const { servers } = await client.servers.list();
    const ids = words.map((name) => findServer(servers, name).id);
    // The host refuses a format that it does not know.
    const exported = await client.tools.export(values.format as ToolFormat, ids);
    printJson(io, exported.tools);
    for (const { name, reason, reasonSaid } of exported.omitted) {
      const why = tell(toWords(reason, reasonSaid));
      const line = tell(say('cli-tool-omitted')`${name} is missing: ${why}`);
      io.stderr.write(`${terminalLine(line)}\n`);
    }
    return exported.omitted.length > 0 ? 1 : 0;
  });
}
