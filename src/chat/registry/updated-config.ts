import { withoutReferences } from '#shared/import/imported-server.ts';
import { fillIn, findQuestions, type ImportQuestion } from '#shared/import/placeholders.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import type { InstalledFrom } from '#shared/vocabulary/server/installed-from.ts';
import type { ServerConfig } from '#shared/vocabulary/server.ts';
import type { EntryWay } from './entry-way.ts';
import { alignArgs, type AlignedArgs, comparable, questionEnd, readBack } from './read-answers.ts';

/** A server with another version; not validated while questions are open. */
export interface UpdatedConfig {
  config: JsonObject & { type: ServerConfig['type'] };
  /** Questions of the new version that have no answer yet. */
  open: ImportQuestion[];
}

/** The texts of a config or an entry, by their place, such as `env.KEY`. */
type Texts = Map<string, string>;

/**
 * A server with another version of its entry. Texts that both versions have keep their value; the others are filled in
 * with the earlier answers and with `given`. Another package or origin gets none of the values entered for this one.
 */
export function updatedConfig(
  present: ServerConfig,
  from: InstalledFrom,
  way: EntryWay,
  given: ReadonlyMap<string, string>,
): UpdatedConfig {
  const isSame = from.target === way.target;
  const old = textsOf(from.fields);
  const aligned = isSame ? alignArgs(argsOf(from.fields), argsIn(present)) : undefined;
  const before: Texts = isSame ? textsIn(present, aligned) : new Map();
  const next = textsOf(way.fields);
  const kept = mergeTexts(old, before, next);
  const fresh = new Map([...next].filter(([place]) => !kept.has(place)));
  const asked = findQuestions(nested(fresh), way.inputs);
  const answers = new Map([...readAnswers(old, before, asked, present), ...given]);
  const open = asked.filter(({ id, optional }) => !optional && !answers.has(id));
  const filled = fillIn(nested(fresh), answers, asked);
  const own = isSame ? ownTexts(present, old) : new Map();
  const secrets = usedSecrets(present, [
    ...kept.values(),
    ...own.values(),
    ...(aligned?.more ?? []),
  ]);
  const renamed = withFreeSecrets(filled, secrets);
  const texts = new Map([
    ...own,
    ...kept,
    ...[...textsOf(renamed)].map(([place, text]): [string, string] => [
      place,
      place.startsWith('args.') ? text : withoutReferences(text),
    ]),
  ]);
  const all = { ...secrets, ...(isJsonObject(renamed.secrets) ? renamed.secrets : {}) };
  return {
    config: launch(present, way, texts, { more: aligned?.more ?? [], secrets: all, isSame }),
    open,
  };
}

/** The texts that both versions share, with the server's values. Omitted ones stay omitted. */
function mergeTexts(old: Texts, before: Texts, next: Texts): Texts {
  const places = new Map([...old].map(([place, text]) => [placeKey(place, text), place]));
  const kept: Texts = new Map();
  for (const [place, text] of next) {
    const known = places.get(placeKey(place, text));
    const value = known === undefined ? undefined : before.get(known);
    if (value !== undefined) kept.set(place, value);
  }
  return kept;
}

/** Arguments are identified by their text alone, everything else also by its name. */
function placeKey(place: string, text: string): string {
  return `${place.startsWith('args.') ? 'args' : place}\n${comparable(text)}`;
}

function readAnswers(
  old: Texts,
  before: Texts,
  asked: readonly ImportQuestion[],
  present: ServerConfig,
): Map<string, string> {
  const ends = new Map<string, string>();
  for (const [place, template] of old)
    for (const [end, answer] of readBack(template, before.get(place) ?? '') ?? [])
      if (answer !== '')
        ends.set(end, secretBehind(answer, present) ?? answer.replaceAll('$${', '${'));
  return new Map(
    asked.flatMap(({ id }): [string, string][] => {
      const answer = ends.get(questionEnd(id));
      return answer === undefined ? [] : [[id, answer]];
    }),
  );
}

function secretBehind(text: string, present: ServerConfig): string | undefined {
  const name = /^\$\{secret:([^{}]+)\}$/.exec(text)?.[1];
  const secrets = 'secrets' in present ? present.secrets : undefined;
  return name !== undefined && secrets && Object.hasOwn(secrets, name) ? secrets[name] : undefined;
}

/** Variables and headers that a person added to those of the entry. */
function ownTexts(present: ServerConfig, old: Texts): Texts {
  const all = [...textsIn(present, undefined)];
  return new Map(all.filter(([place]) => /^(?:env|headers)\./.test(place) && !old.has(place)));
}

function usedSecrets(present: ServerConfig, texts: readonly string[]): Record<string, string> {
  const all = Object.entries(('secrets' in present ? present.secrets : undefined) ?? {});
  const isUsed = (name: string) => texts.some((text) => text.includes(`\${secret:${name}}`));
  return Object.fromEntries(all.filter(([name]) => isUsed(name)));
}

/** Gives new secrets names that no existing one has. */
function withFreeSecrets(filled: JsonObject, kept: Record<string, string>): JsonObject {
  const given = isJsonObject(filled.secrets) ? filled.secrets : {};
  const names = new Map(
    Object.keys(given).map((name) => {
      let free = name;
      for (let count = 2; Object.hasOwn(kept, free); count += 1) free = `${name}_${count}`;
      return [name, free];
    }),
  );
  const { secrets: _, ...rest } = filled;
  const referring = (text: string) =>
    text.replaceAll(/\$\{secret:([^{}]+)\}/g, (whole, name: string) => {
      const free = names.get(name);
      return free === undefined ? whole : `\${secret:${free}}`;
    });
  const texts = new Map([...textsOf(rest)].map(([place, text]) => [place, referring(text)]));
  const secrets = Object.entries(given).map(([name, value]) => [names.get(name) ?? name, value]);
  return { ...nested(texts), secrets: Object.fromEntries(secrets) };
}

function launch(
  present: ServerConfig,
  { fields }: EntryWay,
  texts: Texts,
  { more, secrets, isSame }: { more: string[]; secrets: JsonObject; isSame: boolean },
): UpdatedConfig['config'] {
  const common = {
    ...pick(present, (key) => !launchKeys.has(key)),
    ...(Object.keys(secrets).length > 0 && { secrets }),
  };
  if (typeof fields.command !== 'string') {
    const type = fields.type === 'sse' ? 'sse' : 'streamableHttp';
    const auth = pick(present, (key) => isSame && key === 'auth');
    const address = { baseUrl: texts.get('url') ?? '', headers: under(texts, 'headers') };
    return { ...common, ...auth, ...address, type };
  }
  const args = Object.entries(under(texts, 'args')).toSorted(([a], [b]) => Number(a) - Number(b));
  return {
    ...common,
    ...pick(present, (key) => keptKeys.has(key)),
    type: 'stdio',
    command: fields.command,
    args: [...args.map(([, text]) => text), ...more],
    env: under(texts, 'env'),
    ...(typeof fields.registryUrl === 'string' && { registryUrl: fields.registryUrl }),
  };
}

/** Fields that come from the entry, or belong to the command or address alone. */
const launchKeys: ReadonlySet<string> = new Set(
  'type command args env secrets cwd registryUrl access startTimeout bundle baseUrl headers auth'.split(
    ' ',
  ),
);
/** Where a command runs and what it can access is set by the person who manages it. */
const keptKeys: ReadonlySet<string> = new Set(['cwd', 'access', 'startTimeout']);

function pick(config: ServerConfig, wanted: (key: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(config).filter(([key]) => wanted(key)));
}

function under(texts: Texts, part: string): Record<string, string> {
  const found = [...texts].filter(([place]) => place.startsWith(`${part}.`));
  return Object.fromEntries(found.map(([place, text]) => [place.slice(part.length + 1), text]));
}

function argsOf({ args }: JsonObject): string[] {
  return Array.isArray(args) ? args.filter((each) => typeof each === 'string') : [];
}

function argsIn(config: ServerConfig): string[] {
  return config.type === 'stdio' ? config.args : [];
}

/** The texts of an entry; arguments by their index, from a list or from an object of the remaining ones. */
function textsOf(fields: JsonObject): Texts {
  const texts: Texts = new Map();
  if (typeof fields.url === 'string') texts.set('url', fields.url);
  for (const part of ['args', 'env', 'headers'])
    for (const [key, text] of Object.entries(fields[part] ?? {}))
      if (typeof text === 'string') texts.set(`${part}.${key}`, text);
  return texts;
}

function textsIn(config: ServerConfig, aligned: AlignedArgs | undefined): Texts {
  if (config.type === 'inMemory') return new Map();
  if (config.type !== 'stdio')
    return textsOf({ url: config.baseUrl, headers: config.headers ?? {} });
  const args = (aligned?.slots ?? []).flatMap((text, at): [string, string][] =>
    text === undefined ? [] : [[String(at), text]],
  );
  return textsOf({ args: Object.fromEntries(args), env: config.env });
}

/** The opposite of `textsOf`, with the arguments by their index. */
function nested(texts: Texts): JsonObject {
  const url = texts.get('url');
  const parts = { args: under(texts, 'args'), env: under(texts, 'env') };
  return { ...parts, headers: under(texts, 'headers'), ...(url !== undefined && { url }) };
}
