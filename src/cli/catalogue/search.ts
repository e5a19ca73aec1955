import { say } from '#shared/errors/sentence.ts';
import { entryWords } from '#shared/messages/builtin-tool.ts';
import { dim, heads, printJson, printLine, printTable } from '../printing/print.ts';
import { withClient } from '../client/with-server.ts';
import { programName } from '../messages/program-name.ts';
import { tell } from '../messages/tell.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { mcpCommands } from '../usage/mcp-commands.ts';
import { readOptions } from '../usage/options.ts';

/** `cerise mcp search WORDS` in the last copies of the registries. */
export async function search(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { words, values } = readOptions(argv, mcpCommands.search);
  const registry = values.registry === undefined ? {} : { registry: values.registry };
  return withClient(settings, io, async (client) => {
    if (values.check) await client.registry.check(registry);
    const found = await client.registry.search({ search: words.join(' '), ...registry });
    if (values.json) {
      printJson(io, found);
      return 0;
    }
    printTable(
      io,
      [heads.name, heads.version, heads.type, heads.registry, heads.description],
      found.entries.map((entry) => [
        entry.name,
        entry.version,
        entry.kinds.join(', '),
        entry.registry,
        (entry.status === 'deprecated' ? `(${tell(deprecated)}) ` : '') + tell(entryWords(entry)),
      ]),
    );
    const more = found.total - found.entries.length;
    if (more > 0) printLine(io, dim(io, tell(say('cli-more-found')`${more} more`)));
    const { registries } = await client.registry.list();
    const unread = registries.filter(({ url, copiedAt }) => url && copiedAt === undefined);
    if (unread.length > 0) {
      const names = unread.map(({ name }) => name).join(', ');
      const command = `${programName()} mcp registries check`;
      printLine(io, tell(say('cli-unread')`Not loaded yet: ${names}. To load, run: ${command}`));
    }
    return 0;
  });
}

const deprecated = say('cli-deprecated')`deprecated`;
