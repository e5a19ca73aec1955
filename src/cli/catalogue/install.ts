import { existsSync } from 'node:fs';
import type { Client } from '#client/client.ts';
import type { ServerView } from '#shared/api/api.ts';
import type { ImportedEntry } from '#shared/api/import-api.ts';
import type { InstalledEntry, RegistryEntry } from '#shared/api/registry-api.ts';
import { CeriseError, type ErrorCode } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { entryWords } from '#shared/messages/builtin-tool.ts';
import { added } from '../mcp/add.ts';
import { describeLaunch } from '../mcp/describe-server.ts';
import { installBundle, readBundle } from '../mcp/install.ts';
import { padded, printJson, printLine } from '../printing/print.ts';
import { withClient } from '../client/with-server.ts';
import { tell, tellError } from '../messages/tell.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { markedLine, terminalLine } from '../terminal/terminal-text.ts';
import { readAttachment } from '../usage/attachment-options.ts';
import { mcpCommands } from '../usage/mcp-commands.ts';
import { readOptions } from '../usage/options.ts';
import { answersFor, withQuestions } from './answers.ts';
import { findEntry, splitVersion } from './find-entry.ts';
import { updateServer } from './updates.ts';

type Values = ReturnType<typeof readOptions<typeof mcpCommands.install>>['values'];

/** Where everything that is done to one entry happens. */
interface Task {
  client: Client;
  io: Io;
  values: Values;
  entry: RegistryEntry;
  /** The version that is wanted. */
  version: string;
}

/** `cerise mcp install NAME|FILE|URL`: nothing of it runs before it is approved. */
export async function install(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { words, values } = readOptions(argv, mcpCommands.install);
  const word = words[0] ?? '';
  return withClient(settings, io, async (client) => {
    if (isBundle(word)) {
      const place = await readAttachment(client, values, mcpCommands.install);
      const view = await readBundle(client, word, values.sha256);
      return installBundle(io, view, { ...values, place }, (body) => client.bundles.install(body));
    }
    const { name, version } = splitVersion(word);
    const entry = await findEntry(client, name, values.registry);
    return installEntry({ client, io, values, entry, version: version ?? entry.version });
  });
}

/** A name of the catalogue has a slash in it too, and so is told by what it is not. */
function isBundle(word: string): boolean {
  return /^(?:https?:\/\/|\.{0,2}[/\\])|\.(?:mcpb|dxt)$/i.test(word) || existsSync(word);
}

async function installEntry(task: Task): Promise<number> {
  const { client, io, values, entry, version } = task;
  const wanted = { registry: entry.registry, name: entry.name, version };
  const seen = await client.registry.install({ ...wanted, dryRun: true });
  const way = chooseWay(seen, values.way);
  if (!values.json) print(io, seen, way);
  if (values.request) return request(task, way.place);
  if (values.update !== undefined && !way.bundle)
    return updateServer(
      { client, io, json: values.json, set: values.set ?? [] },
      values.update,
      version,
    );
  if (seen.needsAdmin.includes(way.place)) throw needsAdmin(way);
  const place = await readAttachment(client, values, mcpCommands.install);
  const fulfils = values.for === undefined ? {} : { request: values.for };
  const what = { ...wanted, only: [way.place], ...place, ...fulfils };
  if (way.bundle) return installEntryBundle(task, way.bundle, what);
  const questions = seen.questions.filter(({ id }) => way.questions.includes(id));
  const answers = await answersFor(io, questions, values.set ?? []);
  const server = await named(task, serverOf(await client.registry.install({ ...what, answers })));
  if (values.json) printJson(io, server);
  else printLine(io, tell(added(server)));
  return 0;
}

async function installEntryBundle(
  { client, io, values }: Task,
  { url, sha256 }: NonNullable<ImportedEntry['bundle']>,
  what: Parameters<Client['registry']['install']>[0],
): Promise<number> {
  const view = await client.bundles.fetch({ url, ...(sha256 !== '' && { sha256 }) });
  return installBundle(io, view, values, async ({ file, values: settings, name, server }) => {
    const bundle = { file, values: settings, name, server };
    return serverOf(await client.registry.install({ ...what, bundle }));
  });
}

async function named({ client, values: { name } }: Task, server: ServerView): Promise<ServerView> {
  return name === undefined ? server : client.servers.update(server.id, { name });
}

async function request({ client, io, values, entry, version }: Task, place: string) {
  const { registry, name } = entry;
  const made = await client.registry.request({ registry, name, version, place });
  if (values.json) printJson(io, made);
  else
    printLine(
      io,
      tell(say('cli-requested')`Requested ${terminalLine(made.title)}. An admin will review it.`),
    );
  return 0;
}

const anyWay = say('cli-any-way')`package or URL`;

/** The one that is wanted, or else the first that can be installed. */
function chooseWay({ entries }: InstalledEntry, place: string | undefined): ImportedEntry {
  const way =
    place === undefined
      ? (entries.find(({ error }) => !error) ?? entries[0])
      : entries.find((each) => each.place === place);
  if (way) return way;
  const places = entries.map((each) => each.place).join(', ');
  throw new CeriseError(
    'not_found',
    say('cli-no-way')`This entry has no ${place ?? anyWay}. It has: ${places}`,
  );
}

function serverOf({ entries }: InstalledEntry): ServerView {
  const [one] = entries;
  if (one?.server) return one.server;
  if (one?.error) throw asError(one.error);
  throw new CeriseError(
    'conflict',
    say('cli-installed')`${terminalLine(one?.name ?? '')} is already installed.`,
  );
}

function asError(error: NonNullable<ImportedEntry['error']>): CeriseError {
  return new CeriseError(error.code as ErrorCode, terminalLine(tellError(error)));
}

function needsAdmin({ error }: ImportedEntry): CeriseError {
  const text = error ? terminalLine(tellError(error)) : '';
  return new CeriseError('admin_only', text, {
    hint: say('cli-needs-admin-hint')`To ask an admin to install it, add --request.`,
  });
}

function print(io: Io, { entry, entries }: InstalledEntry, way: ImportedEntry): void {
  printLine(io, `${markedLine(entry.title)} ${markedLine(entry.version)}`);
  if (entry.description) printLine(io, `  ${terminalLine(tell(entryWords(entry)).slice(0, 500))}`);
  if (entry.status === 'deprecated') {
    const why = entry.statusMessage ? `: ${terminalLine(entry.statusMessage)}` : '';
    printLine(io, `  ${tell(say('cli-deprecated')`deprecated`)}${why}`);
  }
  const from = `${markedLine(entry.name)} (${terminalLine(entry.registry)})`;
  printLine(io, `  ${padded(tell(say('cli-from')`from`), 9)} ${from}`);
  if (way.config !== undefined)
    for (const [label, text] of describeLaunch({ config: way.config }))
      printLine(io, `  ${padded(tell(label), 9)} ${markedLine(withQuestions(tell(text)))}`);
  if (way.bundle)
    printLine(io, `  ${padded(tell(say('cli-bundle')`bundle`), 9)} ${markedLine(way.bundle.url)}`);
  const others = entries.filter((each) => each !== way).map(({ place }) => place);
  if (others.length > 0)
    printLine(io, tell(say('cli-other-ways')`Other ways to run it: ${others.join(', ')} (--way)`));
}
