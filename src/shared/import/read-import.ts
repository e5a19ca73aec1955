import { CeriseError } from '../errors/errors.ts';
import { say } from '../errors/sentence.ts';
import { isJsonObject, type Json, type JsonObject } from '../vocabulary/json.ts';
import type { ImportEntry, ImportText } from './import-text.ts';
import { readImportCommand, readPlainCommands } from './import-command.ts';
import { readInstallLink } from './install-link.ts';
import { asCommonEntry } from './other-hosts.ts';
import { withOwnQuestions } from './own-questions.ts';
import { objectsIn, readAllJsonc } from './read-jsonc.ts';
import { repairJson } from './repair-json.ts';
import { readToml } from './read-toml.ts';
import { readYaml } from './read-yaml.ts';
import { readRegistryServer } from './registry-server.ts';

const maxEntries = 100;
const maxLinks = 3;
const targets = ['command', 'url', 'serverUrl', 'httpUrl', 'baseUrl', 'builtin'];
/** What lists of servers are called; some hosts put their own name before it. */
const lists =
  /^(?:.*\.)?(?:mcpServers|modelContextProtocolServers|mcp\.servers|servers|mcp|context_servers|mcp_servers|extensions)$/;
/** How far below the surface a list is looked for. */
const maxDepth = 3;

/**
 * Finds the servers in what a person pasted: settings of Claude, VS Code, Cursor, Codex, Goose, OpenCode or Cherry
 * Studio, one entry or several, commands such as `claude mcp add`, an install link, or just an address; also with the
 * text around it. Throws `invalid_server` where there are none.
 */
export function readImport(text: string, depth = 0): ImportText {
  const trimmed = withoutLink(withoutFence(text.trim()));
  const link = readInstallLink(trimmed);
  if (link && 'text' in link) {
    if (depth >= maxLinks) throw nothing();
    return readImport(link.text, depth + 1);
  }
  const plain = link ? [link.value] : readPlainCommands(trimmed);
  const read = plain ? readValues(plain) : readText(trimmed);
  if (read.entries.length === 0) throw nothing();
  if (read.entries.length > maxEntries)
    throw new CeriseError(
      'invalid_server',
      say('import-at-most')`You can import up to ${maxEntries} servers at a time.`,
    );
  return { ...read, entries: withOwnQuestions(read.entries) };
}

function readText(text: string, mayRepair = true): ImportText {
  const blocks = fencedBlocks(text);
  if (blocks.length > 0) return join(blocks.flatMap((block) => tryText(block, mayRepair)));
  const found =
    readAddress(text) ?? readImportCommand(text) ?? readToml(text) ?? readSettings(text);
  if (found !== undefined) return readValues(Array.isArray(found) ? found : [found]);
  // Lines of a shell or of prose may stand before the settings.
  const start = /^[[{"]/.test(text) ? 0 : Math.max(0, text.search(/^\{\s*$/m));
  try {
    return readValues(readAllJsonc(withBraces(text.slice(start))));
  } catch (error) {
    // Or around them.
    const inner = objectsIn(text).filter((object) => object !== text);
    // Or they are written as in a program, or not copied whole.
    const repaired = mayRepair ? repairJson(text) : text;
    const texts = [...inner, ...(repaired === text ? [] : [repaired])].flatMap((each) =>
      tryText(each, false),
    );
    if (texts.some(({ entries }) => entries.length > 0)) return join(texts);
    throw /^[[{"]|\{/.test(text) ? error : nothing();
  }
}

/** Settings in YAML: a list of servers under its name, and whatever stands beside it. */
function readSettings(text: string): JsonObject | undefined {
  const named = /^(?:extensions|mcpServers|mcp_servers|mcp|servers):\s*(?:#.*)?$/m;
  return named.test(text) ? readYaml(text) : undefined;
}

/** Of a whole document, the blocks that have servers in them. */
function tryText(text: string, mayRepair: boolean): ImportText[] {
  try {
    return [readText(text, mayRepair)];
  } catch (error) {
    if (error instanceof CeriseError) return [];
    throw error;
  }
}

/** Several texts may have servers at the same place: each has its own. */
function readValues(values: readonly unknown[]): ImportText {
  return join(
    values.map((value) => {
      const registry = readRegistryServer(value);
      const entries = registry?.entries ?? findEntries(value, '');
      return { entries, inputs: registry?.inputs ?? findInputs(value) };
    }),
  );
}

function join(texts: readonly ImportText[]): ImportText {
  if (texts.length === 1 && texts[0]) return texts[0];
  const all = texts.flatMap(({ entries }, at) =>
    entries.map((entry) => ({ ...entry, place: `${at + 1}: ${entry.place}` })),
  );
  // Documents repeat a server for each host.
  const key = ({ name, fields }: ImportEntry) => JSON.stringify([name, fields]);
  const seen = new Map(all.toReversed().map((entry) => [key(entry), entry]));
  return {
    entries: all.filter((entry) => seen.get(key(entry)) === entry),
    inputs: texts.flatMap(({ inputs }) => inputs),
  };
}

/** Papers about servers show their settings as blocks of code. */
function withoutFence(text: string): string {
  const inner =
    /^(?:```|~~~)[\w -]*\r?\n([^]*?)\r?\n?\s*(?:```|~~~)$/.exec(text) ?? /^`([^`\n]+)`$/.exec(text);
  return (inner?.[1] ?? text).trim();
}

/** The address of a link in Markdown, such as the button of an editor. */
function withoutLink(text: string): string {
  return /^\[.*\]\((\w+:(?:[^\s()]|\([^()]*\))+)\)$/.exec(text)?.[1] ?? text;
}

function fencedBlocks(text: string): string[] {
  const blocks = text.matchAll(/^[ \t]*(?:```|~~~)[^\n]*\n([^]*?)^[ \t]*(?:```|~~~)[ \t]*$/gm);
  return [...blocks].map(([, inner = '']) => inner.trim());
}

/** They also show them without the outermost braces. */
function withBraces(text: string): string {
  return text.startsWith('"') ? `{${text}}` : text;
}

/** Where people read about servers. */
const projectPages =
  /^(?:www\.)?(?:git(?:hub|lab)\.com\/|hub\.docker\.com\/|smithery\.ai\/server|glama\.ai\/mcp\/servers|mcp\.so\/|pulsemcp\.com\/|mcpservers\.org\/|mcpmarket\.com\/|lobehub\.com\/|cursor\.directory\/)/;

function readAddress(text: string): JsonObject | undefined {
  if (!/^https?:\/\/\S+$/.test(text)) return undefined;
  const { host, pathname } = URL.parse(text) ?? { pathname: '' };
  if (host === undefined) return undefined;
  // Pages of packages and projects speak no MCP.
  const npm = /^\/package\/((?:@[\w.-]+\/)?[\w.-]+)/.exec(pathname)?.[1];
  if (host === 'www.npmjs.com' && npm) return { command: 'npx', args: ['-y', npm] };
  const pypi = /^\/project\/([\w.-]+)/.exec(pathname)?.[1];
  if (host === 'pypi.org' && pypi) return { command: 'uvx', args: [pypi] };
  const image = /^\/r\/([\w.-]+\/[\w.-]+)/.exec(pathname)?.[1];
  if (host === 'hub.docker.com' && image)
    return { command: 'docker', args: ['run', '-i', '--rm', image] };
  if (projectPages.test(host + pathname)) throw webPage();
  return { name: host, url: text };
}

function manifest(): CeriseError {
  return new CeriseError(
    'invalid_server',
    say('import-manifest')`This is the manifest of a bundle, not a server.`,
    { hint: say('import-manifest-hint')`Install the bundle's .mcpb or .dxt file instead.` },
  );
}

function webPage(): CeriseError {
  return new CeriseError(
    'invalid_server',
    say('import-page')`This is a project's web page, not the URL of a server.`,
    {
      hint: say('import-page-hint')`Paste the settings from its documentation instead.`,
    },
  );
}

function findEntries(value: unknown, place: string, depth = 0): ImportEntry[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) =>
      toEntry(item, `${place}[${index}]`, nameInList(item) ?? `server ${index + 1}`),
    );
  if (!isJsonObject(value)) return [];
  if ('manifest_version' in value || 'dxt_version' in value) throw manifest();
  if (isTarget(value)) return toEntry(value, place || '.', guessName(value));
  const at = (name: string) => (place === '' ? name : `${place}.${name}`);
  const isList = ([name, item]: [string, unknown]) => lists.test(name) && isObject(item);
  const list = Object.entries(value).find(isList);
  if (list) return findEntries(list[1], at(list[0]), depth + 1);
  const isListed = lists.test(place.replace(/^.*\.(?=mcpServers$|servers$)/, ''));
  const entries = Object.entries(value).flatMap(([name, item]) => {
    const isEntry = isListed || (isJsonObject(item) && isTarget(item));
    return isEntry ? toEntry(item, at(name), name) : [];
  });
  if (entries.length > 0 || depth >= maxDepth) return entries;
  return Object.entries(value).flatMap(([name, item]) =>
    [item].flat().flatMap((one) => {
      const isOther = !isJsonObject(one) || (Array.isArray(item) && isTarget(one));
      return isOther ? [] : findEntries(one, at(name), depth + 1);
    }),
  );
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function isTarget(value: JsonObject): boolean {
  return targets.some((name) => Object.hasOwn(value, name));
}

/** What is no object stays an entry: it is refused where it stands. */
function toEntry(item: unknown, place: string, key: string): ImportEntry[] {
  const fields = isJsonObject(item) ? asCommonEntry(item) : {};
  const own = typeof fields.name === 'string' ? fields.name.trim() : '';
  return [{ place, name: own || key.trim() || 'server', fields }];
}

/** Lists have no keys to name their servers by. */
function nameInList(item: Json): string | undefined {
  const fields = isJsonObject(item) ? asCommonEntry(item) : {};
  return isTarget(fields) ? guessName(fields) : undefined;
}

/** The package or the host is the best name for what has none. */
function guessName({ args, command, url }: JsonObject): string {
  const all = (Array.isArray(args) ? args : []).filter((word) => typeof word === 'string');
  // Of `docker run … image`, `uv tool run x` and their kin, what is run.
  const isImage = command === 'docker' || command === 'podman';
  const words = all.filter((word) =>
    isImage ? word.includes('/') : !/^(?:run|exec|dlx|tool|x)$/.test(word),
  );
  const named = words
    .find((word) => /^@?[A-Za-z][\w./@-]*(?::[\w.-]+)?$/.test(word))
    ?.replace(/(?<=.)[@:][^/@:]*$/, '');
  const host = typeof url === 'string' ? URL.parse(url)?.host : undefined;
  const name = host ?? named ?? command;
  return typeof name === 'string' ? name.slice(0, 100) : 'server';
}

function findInputs(value: unknown): unknown[] {
  if (!isJsonObject(value)) return [];
  if (Array.isArray(value.inputs)) return value.inputs;
  return isJsonObject(value.mcp) ? findInputs({ inputs: value.mcp.inputs ?? [] }) : [];
}

function nothing(): CeriseError {
  return new CeriseError(
    'invalid_server',
    say('import-none')`This text doesn't contain any servers.`,
    {
      hint: say(
        'import-none-hint',
      )`Paste the JSON settings of another app, a single entry from them, a “claude mcp add” command, an install link or a URL.`,
    },
  );
}
