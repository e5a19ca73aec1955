import type { z } from 'zod';
import { builtinServers } from '#mcp/builtin/builtin-servers.ts';
import type { ServerView } from '#shared/api/api.ts';
import type { ImportedEntry, importServersSchema, ImportView } from '#shared/api/import-api.ts';
import { CeriseError, toErrorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { type ImportedServer, readImportedServer } from '#shared/import/imported-server.ts';
import { findQuestions, fillIn, type ImportQuestion } from '#shared/import/placeholders.ts';
import type { ImportEntry } from '#shared/import/import-text.ts';
import { readImport } from '#shared/import/read-import.ts';
import { truncate } from '#shared/text/text.ts';
import {
  type Attachment,
  isSamePlace,
  launchFields,
  type ServerConfig,
  serverConfigSchema,
} from '#shared/vocabulary/server.ts';
import { assertMaySet } from '../people/admin-fields.ts';
import type { Visitor } from '../people/visitor.ts';
import { withoutSecrets } from './server-secrets.ts';
import type { Servers } from './servers.ts';

type Request = z.output<typeof importServersSchema>;

/** Completes a server before it is shown or added; `values` are those that a person filled in for it. */
export type Complete = (config: ServerConfig, values: string[]) => ServerConfig;

/**
 * Adds the servers of another host's settings or of an install link; each becomes what may not run
 * yet, or says why not. A dry run only says what would be added.
 */
export async function importServers(
  servers: Pick<Servers, 'list' | 'add'>,
  visitor: Pick<Visitor, 'owner' | 'role'>,
  { text, dryRun, answers, only, attachedTo }: Request,
  complete: Complete = (config) => config,
): Promise<ImportView> {
  const { entries, inputs } = readImport(text);
  const given = new Map(Object.entries(answers));
  const questions = new Map<string, ImportQuestion>();
  const known = servers.list(visitor.owner);
  const done: ImportedEntry[] = [];
  for (const entry of entries) {
    if (only && !only.includes(entry.place)) continue;
    const asked = findQuestions(entry.fields, inputs);
    for (const each of asked) questions.set(each.id, merged(questions.get(each.id), each));
    const open = asked
      .filter(({ id, optional }) => !given.has(id) && !optional)
      .map(({ id }) => id);
    if (entry.bundle) {
      done.push(bundleEntry(entry, entry.bundle));
      continue;
    }
    const filled = withDefaults(given, asked);
    const judged = judge(
      entry,
      { given: filled, asked, complete },
      dryRun ? visitor.role : undefined,
    );
    const facts = { place: entry.place, questions: asked.map(({ id }) => id) };
    done.push({ ...facts, ...(await settle(judged, open)) });
  }
  return { entries: done, questions: [...questions.values()] };

  async function settle(judged: Judged, open: string[]): Promise<Settled> {
    const { name, config, leftOut } = judged;
    const plain = { name, leftOut, exists: false };
    if (!config)
      return { ...plain, ...((!dryRun || open.length === 0) && { error: judged.error }) };
    const shown = withoutSecrets(config);
    if (config.type === 'inMemory') return { ...plain, config: shown, exists: true };
    if (isThere(config, known, attachedTo)) return { ...plain, config: shown, exists: true };
    const free = freeName(name, [...known, ...done]);
    const fresh = { ...plain, name: free, config: shown };
    if (dryRun) return fresh;
    if (open.length > 0) return { ...fresh, error: toErrorInfo(unanswered(open)) };
    try {
      const place = attachedTo && { attachedTo };
      const server = await servers.add(visitor.owner, { ...config, name: free, ...place });
      return { ...fresh, server };
    } catch (error) {
      if (error instanceof CeriseError) return { ...fresh, error: toErrorInfo(error) };
      throw error;
    }
  }
}

/** What may be left out has its default where nobody said anything else. */
function withDefaults(
  given: ReadonlyMap<string, string>,
  asked: readonly ImportQuestion[],
): ReadonlyMap<string, string> {
  const presets = asked.flatMap(({ id, optional, default: preset }): [string, string][] =>
    optional && preset !== undefined && preset !== '' ? [[id, preset]] : [],
  );
  return new Map([...presets, ...given]);
}

function assertChoices(given: ReadonlyMap<string, string>, asked: readonly ImportQuestion[]): void {
  for (const { id, label = id, options = [], optional } of asked) {
    const answer = given.get(id);
    if (answer === undefined || options.length === 0 || options.includes(answer)) continue;
    if (answer === '' && optional) continue;
    throw new CeriseError(
      'invalid_server',
      say('import-choice')`${truncate(label, 100)} must be one of: ${options.join(', ')}.`,
    );
  }
}

/** A bundle is installed by its own way; here it is only named. */
function bundleEntry(
  { place, name }: ImportEntry,
  bundle: { url: string; sha256: string },
): ImportedEntry {
  return { place, name: truncate(name, 100), bundle, questions: [], leftOut: [], exists: false };
}

type Settled = Omit<ImportedEntry, 'place' | 'questions'>;
type Judged = Pick<ImportedEntry, 'name' | 'leftOut' | 'error'> & { config?: ServerConfig };

interface Answered {
  given: ReadonlyMap<string, string>;
  asked: readonly ImportQuestion[];
  complete: Complete;
}

function judge(entry: ImportEntry, answers: Answered, role: Visitor['role'] | undefined): Judged {
  const name = truncate(entry.name, 100);
  try {
    if (entry.unsupported !== undefined) throw unsupported(entry.unsupported);
    const builtin = readBuiltin(entry, name);
    if (builtin) return builtin;
    const { config, leftOut } = read(entry, name, answers);
    if (role === 'user') assertMaySet(serverConfigSchema, config);
    return { name, leftOut, config };
  } catch (error) {
    if (error instanceof CeriseError) return { name, leftOut: [], error: toErrorInfo(error) };
    throw error;
  }
}

function read({ fields }: ImportEntry, name: string, answered: Answered): ImportedServer {
  const { given, asked, complete } = answered;
  assertChoices(given, asked);
  const { inputs: _, ...rest } = fillIn(fields, given, asked);
  const { config, leftOut } = readImportedServer({ ...rest, name });
  const values = asked.flatMap(({ id, secret }) => (secret ? [] : (given.get(id) ?? [])));
  return { config: complete(config, values), leftOut };
}

/** What Cherry Studio calls the servers that are built in here as well. */
const otherBuiltins = new Map([
  ['sequentialthinking', 'sequential-thinking'],
  ['bravesearch', 'web-search'],
  ['websearch', 'web-search'],
]);

/** An entry that runs inside its host: ours has the same one, or none. Throws `invalid_server`. */
function readBuiltin({ fields }: ImportEntry, name: string): Judged | undefined {
  const { type, builtin: given = name } = fields;
  if (typeof type !== 'string' || !/^in[-_]?memory$/i.test(type)) return undefined;
  const key = (typeof given === 'string' ? given : name).replace(/^@[\w-]+\//, '');
  const builtin = otherBuiltins.get(key.replaceAll(/[-_]/g, '').toLowerCase()) ?? key;
  if (!builtinServers.some((each) => each.key === builtin))
    throw new CeriseError(
      'invalid_server',
      say('builtin-unknown')`Cerise has no built-in server named ${key}.`,
      {
        hint: say('builtin-unknown-hint')`Look for a package or URL that offers the same tools.`,
      },
    );
  const settings = ['args', 'env'].filter((field) => isSet(fields[field]));
  return { name: builtin, leftOut: settings, config: { type: 'inMemory', builtin, name: builtin } };
}

function isSet(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function unsupported(kind: string): CeriseError {
  return new CeriseError(
    'invalid_server',
    say('package-kind')`Cerise can't run packages of type ${truncate(kind, 50)}.`,
    { hint: say('package-kind-hint')`Add the server by its command instead.` },
  );
}

function merged(known: ImportQuestion | undefined, next: ImportQuestion): ImportQuestion {
  return known ? { ...known, inClear: known.inClear || next.inClear } : next;
}

/** The same name, the same launch as far as it is shown, and available in the same place. */
function isThere(
  config: ServerConfig,
  known: readonly ServerView[],
  attachedTo: Attachment | undefined,
): boolean {
  const launch = launchOf(config);
  return known.some(
    ({ name, config: other, readOnly, attachedTo: place }) =>
      name === config.name &&
      !readOnly &&
      isSamePlace(place, attachedTo) &&
      launchOf(other as ServerConfig) === launch,
  );
}

function launchOf(config: ServerConfig): string {
  return JSON.stringify(launchFields(withoutSecrets(config) as ServerConfig));
}

/** The name, or with a number what is not taken yet. */
export function freeName(name: string, taken: readonly { name: string }[]): string {
  const names = new Set(taken.map((each) => each.name));
  if (!names.has(name)) return name;
  for (let count = 2; ; count += 1) {
    const next = `${truncate(name, 94)} ${count}`;
    if (!names.has(next)) return next;
  }
}

function unanswered(open: string[]): CeriseError {
  return new CeriseError(
    'invalid_server',
    say('import-unanswered')`Missing values: ${open.join(', ')}.`,
    {
      hint: say('import-answer-all')`Enter a value for everything this server asks for.`,
    },
  );
}
