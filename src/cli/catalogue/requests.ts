import type { Client } from '#client/client.ts';
import type { InstallRequestView } from '#shared/api/registry-api.ts';
import { say, type Sentence } from '#shared/errors/sentence.ts';
import { heads, printJson, printLine, printTable } from '../printing/print.ts';
import { withClient } from '../client/with-server.ts';
import { programName } from '../messages/program-name.ts';
import { tell } from '../messages/tell.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { mcpCommands } from '../usage/mcp-commands.ts';
import { readOptions, wrongUse } from '../usage/options.ts';

const states: Record<InstallRequestView['status'], Sentence> = {
  open: say('cli-request-open')`waiting`,
  approved: say('cli-request-approved')`approved`,
  denied: say('cli-request-denied')`denied`,
};

/** `cerise mcp requests [deny ID | withdraw ID]`; a request is approved by installing what it asks for. */
export async function requests(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { words, values } = readOptions(argv, mcpCommands.requests);
  return withClient(settings, io, async (client) => {
    await decide(client, words);
    const found = await client.registry.requests();
    if (values.json) printJson(io, found);
    else print(io, found.requests);
    return 0;
  });
}

function print(io: Io, found: readonly InstallRequestView[]): void {
  printTable(
    io,
    [heads.id, heads.user, heads.state, heads.name],
    found.map(({ id, user = '', status, name, version, registry }) => [
      id,
      user,
      tell(states[status]),
      `${name}@${version} (${registry})`,
    ]),
  );
  if (!found.some(({ user, status }) => user !== undefined && status === 'open')) return;
  const command = `${programName()} mcp install NAME@VERSION --registry ID --for REQUEST`;
  printLine(io, tell(say('cli-request-how')`To approve one, run: ${command}`));
}

async function decide(client: Client, [verb, id]: string[]): Promise<void> {
  if (verb === undefined) return;
  if (verb === 'deny' && id !== undefined) return void (await client.registry.deny(id));
  if (verb === 'withdraw' && id !== undefined) return client.registry.withdraw(id);
  throw wrongUse(say('cli-requests-how')`Use deny or withdraw with an ID.`, mcpCommands.requests);
}
