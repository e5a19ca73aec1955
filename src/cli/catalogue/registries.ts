import { readFile } from 'node:fs/promises';
import type { Client } from '#client/client.ts';
import type { RegistryList, SetRegistries } from '#shared/api/registry-api.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { freeRegistryId } from '#shared/messages/builtin-tool.ts';
import { heads, printJson, printTable, span } from '../printing/print.ts';
import { withClient } from '../client/with-server.ts';
import { tellError } from '../messages/tell.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { mcpCommands } from '../usage/mcp-commands.ts';
import { readOptions, wrongUse } from '../usage/options.ts';

const command = mcpCommands.registries;

/** `cerise mcp registries [add NAME URL|FILE | remove ID | check [ID]]` */
export async function registries(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { words, values } = readOptions(argv, command);
  return withClient(settings, io, async (client) => {
    const list = await act(client, words);
    if (values.json) printJson(io, list);
    else print(io, list);
    return list.registries.some(({ error }) => error) && words[0] === 'check' ? 1 : 0;
  });
}

async function act(client: Client, [verb, ...rest]: string[]): Promise<RegistryList> {
  const [first, second] = rest;
  switch (verb) {
    case undefined:
      return client.registry.list();
    case 'check':
      if (second === undefined)
        return client.registry.check(first === undefined ? {} : { registry: first });
      break;
    case 'add':
      if (first !== undefined && second !== undefined) return add(client, first, second);
      break;
    case 'remove':
      if (first !== undefined && second === undefined) return remove(client, first);
      break;
    default:
  }
  throw wrongUse(say('cli-registries-how')`Use add, remove or check.`, command);
}

type RegistryInputs = NonNullable<SetRegistries['registries']>;

async function present(client: Client): Promise<RegistryInputs> {
  const { registries: all } = await client.registry.list();
  // The first ships with Cerise.
  return all.slice(1).map(({ id, name, url }) => ({ id, name, ...(url && { url }) }));
}

async function add(client: Client, name: string, source: string): Promise<RegistryList> {
  const kept = await present(client);
  const id = freeRegistryId(name, kept);
  const from = /^https?:\/\//i.test(source) ? { url: source } : { file: await readText(source) };
  return client.registry.set({ registries: [...kept, { id, name, ...from }] });
}

async function remove(client: Client, wanted: string): Promise<RegistryList> {
  const kept = await present(client);
  const left = kept.filter(({ id }) => id !== wanted);
  if (left.length < kept.length) return client.registry.set({ registries: left });
  const ids = kept.map(({ id }) => id).join(', ');
  throw new CeriseError(
    'not_found',
    say('cli-no-registry')`There is no registry ${wanted.slice(0, 100)}. Registries: ${ids}`,
  );
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new CeriseError(
      'invalid_request',
      say('cli-cannot-read')`Can't read ${path.slice(0, 200)}.`,
      { hint: say('cli-registry-hint')`Use the URL of a registry, or a JSON file.`, cause },
    );
  }
}

function print(io: Io, { registries: all }: RegistryList): void {
  printTable(
    io,
    [heads.id, heads.name, heads.servers, heads.fetched, heads.target, heads.reason],
    all.map(({ id, name, url = '', count, copiedAt, error }) => [
      id,
      name,
      String(count),
      copiedAt === undefined ? '' : span(Date.now() - copiedAt),
      url,
      error ? tellError(error) : '',
    ]),
  );
}
