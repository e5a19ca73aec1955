import type { Client } from '#client/client.ts';
import type { ServerDifference, ServerUpdate } from '#shared/api/registry-api.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say, type Sentence } from '#shared/errors/sentence.ts';
import { updated } from '../mcp/install.ts';
import { dim, printJson, printLine } from '../printing/print.ts';
import { withClient } from '../client/with-server.ts';
import { programName } from '../messages/program-name.ts';
import { tell } from '../messages/tell.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { markedLine, terminalLine } from '../terminal/terminal-text.ts';
import { mcpCommands } from '../usage/mcp-commands.ts';
import { readOptions } from '../usage/options.ts';
import { answersFor } from './answers.ts';

/** `cerise mcp updates`: what is newer in the last copies of the registries. Nothing is updated. */
export async function updates(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { values } = readOptions(argv, mcpCommands.updates);
  return withClient(settings, io, async (client) => {
    if (values.check) await client.registry.check();
    const found = await client.registry.updates();
    if (values.json) printJson(io, found);
    else if (found.updates.length === 0)
      printLine(io, dim(io, tell(say('cli-no-updates')`Everything is up to date.`)));
    else for (const update of found.updates) print(io, update);
    return 0;
  });
}

/** Updates a server to a version, after saying what that changes; it has to be approved again. */
export async function updateServer(
  { client, io, json, set }: { client: Client; io: Io; json: boolean; set: readonly string[] },
  named: string,
  version: string,
): Promise<number> {
  const { servers } = await client.servers.list();
  const target = servers.find(({ id, name }) => id === named || name === named);
  if (!target?.installedFrom)
    throw new CeriseError(
      'server_not_found',
      say('cli-not-from')`${named.slice(0, 100)} wasn't installed from the catalogue.`,
    );
  const wanted = { server: target.id, version };
  const seen = await client.registry.update({ ...wanted, dryRun: true });
  if (!json && seen.difference) printDifference(io, target.name, seen.difference);
  const answers = await answersFor(io, seen.questions, set);
  const done = await client.registry.update({ ...wanted, answers });
  if (json) printJson(io, done.updated);
  else printLine(io, tell(updated(target.name)));
  return 0;
}

function print(io: Io, { name, version, entry, difference }: ServerUpdate): void {
  printLine(io, `${terminalLine(name)}: ${terminalLine(version)} → ${terminalLine(entry.version)}`);
  if (difference) printDifference(io, name, difference);
  const word = JSON.stringify(`${entry.name}@${entry.version}`);
  const where = `--registry ${entry.registry}`;
  const command = `${programName()} mcp install ${word} ${where} --update ${JSON.stringify(name)}`;
  printLine(io, `  ${tell(say('cli-to-update')`To update it, run: ${terminalLine(command)}`)}`);
}

function printDifference(io: Io, name: string, difference: ServerDifference): void {
  printLine(io, tell(say('cli-update-changes')`Changes to ${markedLine(name)}:`));
  for (const line of differenceLines(difference)) printLine(io, `  ${markedLine(tell(line))}`);
}

function differenceLines(difference: ServerDifference): Sentence[] {
  const { version, command, args, url, registryUrl, env, headers } = difference;
  const changed = ({ before, after }: { before: unknown; after: unknown }) =>
    `${JSON.stringify(before)} → ${JSON.stringify(after)}`;
  const list = (names: readonly string[], line: (text: string) => Sentence) =>
    names.length > 0 ? [line(names.join(', '))] : [];
  return [
    say('cli-diff-version')`version: ${changed(version)}`,
    ...(command ? [say('cli-diff-command')`command: ${changed(command)}`] : []),
    ...(args ? [say('cli-diff-args')`arguments: ${changed(args)}`] : []),
    ...(url ? [say('cli-diff-url')`URL: ${changed(url)}`] : []),
    ...(registryUrl ? [say('cli-diff-registry')`package registry: ${changed(registryUrl)}`] : []),
    ...list(env.added, (names) => say('cli-diff-env-new')`new variables: ${names}`),
    ...list(env.changed, (names) => say('cli-diff-env')`changed variables: ${names}`),
    ...list(env.removed, (names) => say('cli-diff-env-gone')`removed variables: ${names}`),
    ...list(headers.added, (names) => say('cli-diff-headers-new')`new headers: ${names}`),
    ...list(headers.changed, (names) => say('cli-diff-headers')`changed headers: ${names}`),
    ...list(headers.removed, (names) => say('cli-diff-headers-gone')`removed headers: ${names}`),
  ];
}
