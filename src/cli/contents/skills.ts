import { withServer } from '../client/with-server.ts';
import { heads, printJson, printLine, printTable } from '../printing/print.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { mcpCommands } from '../usage/mcp-commands.ts';
import { readOptions } from '../usage/options.ts';
import { contentsText } from './read.ts';

/** `cerise mcp skills NAME [URI [FILE]]` */
export async function skills(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { words, values } = readOptions(argv, mcpCommands.skills);
  const [name = '', uri, file] = words;
  return withServer(settings, io, name, async (client, { id }) => {
    if (uri !== undefined) {
      const contents = await client.servers.readSkill(id, { uri, file });
      if (values.json) printJson(io, contents);
      else printLine(io, contentsText(contents));
      return 0;
    }
    const answer = await client.servers.skills(id);
    if (values.json) printJson(io, answer);
    else
      printTable(
        io,
        [heads.skill, heads.uri, heads.description],
        answer.skills.map((skill) => [
          skill.name,
          skill.uri,
          skill.description.split('\n')[0] ?? '',
        ]),
      );
    return 0;
  });
}
