import { CeriseError } from '../errors/errors.ts';
import { say } from '../errors/sentence.ts';
import { isJsonObject, type JsonObject } from '../vocabulary/json.ts';
import type { ImportEntry, ImportText } from './import-text.ts';
import { readImportCommand } from './import-command.ts';
import { readInstallLink } from './install-link.ts';
import { readJsonc } from './read-jsonc.ts';
import { readRegistryServer } from './registry-server.ts';

const maxEntries = 100;
const maxLinks = 3;
const targets = ['command', 'url', 'serverUrl', 'httpUrl', 'baseUrl', 'builtin'];
const lists = ['mcpServers', 'servers', 'mcp', 'context_servers'];

/**
 * Finds the servers in what a person pasted: settings of Claude, VS Code, Cursor, OpenCode or Cherry
 * Studio, one entry or several, a command such as `claude mcp add`, an install link, or just an address. Throws `invalid_server` where
 * there are none.
 */
export function readImport(text: string, depth = 0): ImportText {
  const trimmed = withoutFence(text.trim());
  const link = readInstallLink(trimmed);
  if (link && 'text' in link) {
    if (depth >= maxLinks) throw nothing();
    return readImport(link.text, depth + 1);
  }
  const value = link
    ? link.value
    : (readAddress(trimmed) ?? readImportCommand(trimmed) ?? readJsonc(withBraces(trimmed)));
  const registry = readRegistryServer(value);
  const entries = registry?.entries ?? findEntries(value, '');
  if (entries.length === 0) throw nothing();
  if (entries.length > maxEntries)
    throw new CeriseError(
      'invalid_server',
      say('import-at-most')`You can import up to ${maxEntries} servers at a time.`,
    );
  return { entries, inputs: registry?.inputs ?? findInputs(value) };
}

/** Papers about servers show their settings as blocks of code. */
function withoutFence(text: string): string {
  return (/^(?:```|~~~)[\w -]*\r?\n([^]*?)\r?\n?\s*(?:```|~~~)$/.exec(text)?.[1] ?? text).trim();
}

/** They also show them without the outermost braces. */
function withBraces(text: string): string {
  return text.startsWith('"') ? `{${text}}` : text;
}

function readAddress(text: string): JsonObject | undefined {
  if (!/^https?:\/\/\S+$/.test(text)) return undefined;
  const host = URL.parse(text)?.host;
  return host === undefined ? undefined : { name: host, url: text };
}

function findEntries(value: unknown, place: string): ImportEntry[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) =>
      toEntry(item, `${place}[${index}]`, `server ${index + 1}`),
    );
  if (!isJsonObject(value)) return [];
  if (isTarget(value)) return toEntry(value, place || '.', guessName(value));
  const list = lists.find((name) => Object.hasOwn(value, name) && isObject(value[name]));
  if (list !== undefined) return findEntries(value[list], place === '' ? list : `${place}.${list}`);
  return Object.entries(value).flatMap(([name, item]) => {
    const isEntry = place !== '' || (isJsonObject(item) && isTarget(item));
    return isEntry ? toEntry(item, place === '' ? name : `${place}.${name}`, name) : [];
  });
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function isTarget(value: JsonObject): boolean {
  return targets.some((name) => Object.hasOwn(value, name));
}

/** What is no object stays an entry: it is refused where it stands. */
function toEntry(item: unknown, place: string, key: string): ImportEntry[] {
  const fields = isJsonObject(item) ? item : {};
  const own = typeof fields.name === 'string' ? fields.name.trim() : '';
  return [{ place, name: own || key.trim() || 'server', fields }];
}

/** The package or the host is the best name for what has none. */
function guessName({ args, command, url }: JsonObject): string {
  const words = Array.isArray(args) ? args : [];
  const named = words.find((word) => typeof word === 'string' && /^@?[a-z][\w./@-]*$/.test(word));
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
      )`Paste the JSON of another app, a single entry of it, a “claude mcp add” command, an install link or a URL.`,
    },
  );
}
