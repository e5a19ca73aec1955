import type { Client } from '#client/client.ts';
import { followInputs } from '../client/follow-inputs.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { contentText } from '../terminal/content-text.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { readOptions, readPairs } from '../usage/options.ts';
import { mcpCommands } from '../usage/mcp-commands.ts';
import { bold, heads, printJson, printLine, printTable } from '../printing/print.ts';
import { withServer } from '../client/with-server.ts';
import { say } from '#shared/errors/sentence.ts';
import { tell } from '../messages/tell.ts';

/** `cerise mcp prompts NAME [PROMPT]`: the prompts of a server, or one of them filled in. */
export async function prompts(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { words, values } = readOptions(argv, mcpCommands.prompts);
  const args = readPairs(values.arg ?? [], mcpCommands.prompts);
  const [name = '', prompt] = words;
  return withServer(settings, io, name, async (client, { id }) => {
    if (prompt === undefined) await showList(io, client, id, values.json);
    else await showOne(io, client, id, { name: prompt, args }, values.json);
    return 0;
  });
}

async function showList(io: Io, client: Client, serverId: string, json: boolean): Promise<void> {
  const answer = await client.servers.prompts(serverId);
  if (json) return printJson(io, answer);
  printTable(
    io,
    [heads.prompt, heads.arguments, heads.description],
    answer.prompts.map(({ name, title, description, arguments: args }) => [
      name,
      args.map((arg) => (arg.required ? arg.name : `[${arg.name}]`)).join(' '),
      (description ?? title ?? '').split('\n')[0] ?? '',
    ]),
  );
}

async function showOne(
  io: Io,
  client: Client,
  serverId: string,
  { name, args }: { name: string; args: Record<string, string> },
  json: boolean,
): Promise<void> {
  const inputs = followInputs(
    client,
    { io, terminal: openTerminal(io) },
    ({ toolCallId }) => !toolCallId,
  );
  const got = client.servers.getPrompt(serverId, name, args);
  const result = await got.finally(() => inputs.close());
  if (json) return printJson(io, result);
  for (const { role, content } of result.messages)
    printLine(
      io,
      `${bold(io, role === 'assistant' ? tell(say('cli-assistant')`assistant`) : tell(say('cli-user')`user`))}\n${contentText(content)}\n`,
    );
}
