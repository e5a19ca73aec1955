import type { ResourceView } from '#shared/api/server-api.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { readOptions } from '../usage/options.ts';
import { mcpCommands } from '../usage/mcp-commands.ts';
import { heads, printJson, printTable } from '../printing/print.ts';
import { withServer } from '../client/with-server.ts';

/** `cerise mcp resources NAME`: resources, and templates of addresses. */
export async function resources(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { words, values } = readOptions(argv, mcpCommands.resources);
  return withServer(settings, io, words[0] ?? '', async (client, { id }) => {
    const [found, patterns] = await Promise.all([
      client.servers.resources(id),
      client.servers.templates(id),
    ]);
    if (values.json) printJson(io, { ...found, templates: patterns.templates });
    else
      printTable(
        io,
        [heads.uri, heads.type, heads.name],
        [
          ...found.resources.map(({ uri, ...rest }) => toRow(uri, rest)),
          ...patterns.templates.map(({ uriTemplate, ...rest }) => toRow(uriTemplate, rest)),
        ],
      );
    return 0;
  });
}

function toRow(
  address: string,
  { name, title, mimeType }: Pick<ResourceView, 'name' | 'title' | 'mimeType'>,
): string[] {
  return [address, mimeType ?? '', title ?? name];
}
