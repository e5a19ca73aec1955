import { openAsBlob } from 'node:fs';
import type { Client } from '#client/client.ts';
import type { ServerView } from '#shared/api/api.ts';
import type { BundleDifference, BundleView, InstallBundle } from '#shared/api/bundle-api.ts';
import { type FormField, formFields } from '#shared/api/form.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say, type Sentence } from '#shared/errors/sentence.ts';
import { askForm } from '../terminal/ask-form.ts';
import type { Io } from '../terminal/io.ts';
import { markedLine, terminalLine, typedWord } from '../terminal/terminal-text.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { programName } from '../messages/program-name.ts';
import { tell, tellError } from '../messages/tell.ts';
import { added } from './add.ts';
import { describeLaunch } from './describe-server.ts';
import { wrongUse } from '../usage/options.ts';
import { mcpCommands } from '../usage/mcp-commands.ts';
import { padded, printJson, printLine } from '../printing/print.ts';

type Values = NonNullable<InstallBundle['values']>;

/** What the command line says about an installation. */
interface InstallOptions {
  set?: string[] | undefined;
  name?: string | undefined;
  update?: string | undefined;
  json: boolean;
  /** What a session server is attached to. */
  place?: Pick<InstallBundle, 'attachedTo'>;
}

/** Shows a bundle, asks for its settings and installs it: nothing of it runs before it is approved. */
export async function installBundle(
  io: Io,
  view: BundleView,
  { set, name, update, json, place }: InstallOptions,
  send: (body: InstallBundle) => Promise<ServerView>,
): Promise<number> {
  if (!json) print(io, view);
  const target = targetOf(view, update, name);
  const given = readSettings(view, set ?? [], io);
  const answers = { ...given, ...(await askMissing(io, view, given, target !== undefined)) };
  const server = await send({
    file: view.file ?? '',
    values: answers,
    ...(name !== undefined && { name }),
    ...(target ? { server: target.server } : place),
  });
  if (json) printJson(io, server);
  else printLine(io, tell(target ? updated(server.name) : added(server)));
  return 0;
}

/** A file of this machine, or an address that the host fetches. */
export async function readBundle(
  client: Client,
  word: string,
  sha256?: string,
): Promise<BundleView> {
  const hash = sha256?.toLowerCase();
  if (/^https?:\/\//i.test(word))
    return client.bundles.fetch({ url: word, ...(hash && { sha256: hash }) });
  const view = await client.bundles.upload(await openFile(word));
  if (hash === undefined || view.hash === hash) return view;
  throw new CeriseError(
    'invalid_bundle',
    say('cli-other-hash')`The bundle isn't the expected one: its SHA-256 is ${view.hash}.`,
  );
}

async function openFile(path: string): Promise<Blob> {
  try {
    return await openAsBlob(path);
  } catch (cause) {
    throw new CeriseError(
      'invalid_request',
      say('cli-cannot-read')`Can't read ${path.slice(0, 200)}.`,
      {
        hint: say('cli-install-hint')`Use a bundle file, its URL, or a name from the catalogue.`,
        cause,
      },
    );
  }
}

/** The server to update. One that is installed already is not installed again unless that is wanted. */
function targetOf({ updates, title }: BundleView, update?: string, name?: string) {
  if (update !== undefined) {
    const target = updates.find((each) => each.name === update || each.server === update);
    if (target) return target;
    throw new CeriseError(
      'server_not_found',
      say('cli-no-update')`${update.slice(0, 100)} wasn't installed from this bundle.`,
    );
  }
  const [first] = updates;
  if (!first || name !== undefined) return undefined;
  throw new CeriseError(
    'conflict',
    say('cli-installed')`${terminalLine(title)} is already installed.`,
    {
      hint: say(
        'cli-installed-hint',
      )`To update it, add --update ${JSON.stringify(first.name)}. To install it again, add --name NAME.`,
    },
  );
}

/** `KEY=VALUE`, or `KEY` for the value of a variable of that name; a list has one option per value. */
function readSettings(view: BundleView, pairs: readonly string[], { env }: Io): Values {
  const fields = new Map(formFields(view.form).map((field) => [field.name, field]));
  const values: Values = {};
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    const key = at < 0 ? pair : pair.slice(0, at);
    const text = at < 0 ? env[key] : pair.slice(at + 1);
    const field = fields.get(key);
    if (!field || text === undefined) {
      const names = [...fields.keys()].join(', ');
      throw wrongUse(
        say(
          'cli-no-setting',
        )`"${key.slice(0, 100)}" isn't a setting with a value. Settings: ${names}.`,
        mcpCommands.install,
      );
    }
    values[key] = readValue(field, text, values[key]);
  }
  return values;
}

function readValue({ kind }: FormField, text: string, before: Values[string] | undefined) {
  if (kind === 'texts') return [...(Array.isArray(before) ? before : []), text];
  if (kind === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** Asks for what is not set, if somebody is there to answer. */
async function askMissing(
  io: Io,
  view: BundleView,
  given: Values,
  isUpdate: boolean,
): Promise<Values> {
  const open = Object.entries(view.form.properties).filter(([name]) => !Object.hasOwn(given, name));
  const terminal = openTerminal(io);
  if (isUpdate || open.length === 0 || !terminal.interactive) return {};
  const form = { ...view.form, properties: Object.fromEntries(open) };
  const answer = await terminal.dialogue((dialogue) => askForm(dialogue, form));
  if (answer?.action === 'accept') return (answer.content ?? {}) as Values;
  throw new CeriseError('cancelled', say('cli-not-installed')`Not installed.`);
}

function print(io: Io, view: BundleView): void {
  printLine(io, `${markedLine(view.title)} ${markedLine(view.version)}`);
  if (view.description) printLine(io, `  ${terminalLine(view.description.slice(0, 500))}`);
  for (const [label, text] of describeLaunch(view))
    printLine(io, `  ${padded(tell(label), 9)} ${markedLine(tell(text))}`);
  if (view.problem) printLine(io, terminalLine(tellError(view.problem)));
  for (const { name, difference } of view.updates) {
    printLine(io, tell(say('cli-update-changes')`Changes to ${markedLine(name)}:`));
    for (const line of differenceLines(difference)) printLine(io, `  ${markedLine(tell(line))}`);
  }
}

function differenceLines(difference: BundleDifference): Sentence[] {
  const { version, publisher, command, args, env, settings, files } = difference;
  const changed = ({ before, after }: { before: unknown; after: unknown }) =>
    `${JSON.stringify(before)} → ${JSON.stringify(after)}`;
  const names = (list: readonly string[]) => list.join(', ');
  return [
    ...(version ? [say('cli-diff-version')`version: ${changed(version)}`] : []),
    ...(publisher ? [say('cli-diff-publisher')`publisher: ${changed(publisher)}`] : []),
    ...(command ? [say('cli-diff-command')`command: ${changed(command)}`] : []),
    ...(args ? [say('cli-diff-args')`arguments: ${changed(args)}`] : []),
    ...(env.added.length ? [say('cli-diff-env-new')`new variables: ${names(env.added)}`] : []),
    ...(env.changed.length ? [say('cli-diff-env')`changed variables: ${names(env.changed)}`] : []),
    ...(env.removed.length
      ? [say('cli-diff-env-gone')`removed variables: ${names(env.removed)}`]
      : []),
    ...(settings.added.length
      ? [say('cli-diff-settings-new')`new settings: ${names(settings.added)}`]
      : []),
    ...(settings.removed.length
      ? [say('cli-diff-settings-gone')`removed settings: ${names(settings.removed)}`]
      : []),
    say(
      'cli-diff-files',
    )`files: ${files.added} added, ${files.changed} changed, ${files.removed} removed`,
  ];
}

/** What to do with a server that was updated. */
export function updated(name: string): Sentence {
  const shown = terminalLine(name);
  return say(
    'cli-updated',
  )`Updated ${shown}. To approve what it runs now: ${programName()} mcp approve ${typedWord(name)}`;
}
