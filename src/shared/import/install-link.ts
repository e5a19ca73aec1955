import { CeriseError } from '../errors/errors.ts';
import { say } from '../errors/sentence.ts';
import { decodePercent } from '../text/decode-percent.ts';
import { isJsonObject, type JsonObject } from '../vocabulary/json.ts';
import { readJsonc } from './read-jsonc.ts';

/** What an install link carries: the JSON of servers, or another text that has to be read. */
export type LinkContents = { value: unknown } | { text: string };

/** Programs that take servers by links of their own. */
const schemes = new Set([
  'vscode:',
  'vscode-insiders:',
  'vscodium:',
  'cursor:',
  'cherrystudio:',
  'lmstudio:',
  'kiro:',
  'windsurf:',
  'goose:',
]);

/** Pages of the same programs that lead to such links. An address of a server looks different. */
const pages = /\/(?:install-mcp|mcp\/install|mcp\/add|add_mcp|redirect|redirect\/mcp\/install)\/?$/;

/**
 * Reads an install link of VS Code, Cursor, Cherry Studio, LM Studio and their kin, or one of ours
 * (`/servers?install=…`). Undefined for what is no such link; throws `invalid_server` for one that
 * cannot be read.
 */
export function readInstallLink(text: string): LinkContents | undefined {
  const url = /\s/.test(text) ? null : URL.parse(text);
  if (!url) return undefined;
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  const install = url.searchParams.get('install');
  if (isWeb && install !== null && url.pathname === '/servers') return { text: install };
  if (isWeb ? !pages.test(url.pathname) : !schemes.has(url.protocol)) return undefined;
  const inner = url.searchParams.get('url');
  // Some encode it twice.
  if (inner !== null && !inner.startsWith('http')) return { text: decodePercent(inner) };
  return { value: readQuery(url) };
}

function readQuery(url: URL): unknown {
  const { searchParams } = url;
  if (url.protocol === 'goose:') return readGoose(searchParams);
  const packed = searchParams.get('config') ?? searchParams.get('servers');
  if (packed === null) return readJsonc(decodeWhole(url.search.slice(1)));
  const value = readPacked(packed);
  const name = searchParams.get('name');
  const inputs = searchParams.get('inputs');
  if (!isJsonObject(value)) return value;
  return {
    ...value,
    ...(name !== null && !isList(value) && { name }),
    ...(inputs !== null && { inputs: readPacked(inputs) }),
  };
}

/** `goose://extension?cmd=…&arg=…&env=NAME=what it is for`. */
function readGoose(query: URLSearchParams): JsonObject {
  const names = query.getAll('env').map((text) => text.replace(/=.*$/s, ''));
  const env = Object.fromEntries(names.map((name) => [name, `\${${name}}`]));
  const [name, description, url] = ['name', 'description', 'url'].map((key) => query.get(key));
  return {
    ...(name && { name }),
    ...(description && { description }),
    ...(url ? { url } : { command: query.get('cmd') ?? '', args: query.getAll('arg'), env }),
  };
}

function isList(value: object): boolean {
  return 'mcpServers' in value || 'servers' in value;
}

/** `vscode:mcp/install?` is followed by JSON and nothing else. */
function decodeWhole(query: string): string {
  try {
    return decodeURIComponent(query);
  } catch (cause) {
    throw broken(cause);
  }
}

/** JSON as it is, or in base64 of either alphabet; a plus may have come as a blank. */
function readPacked(packed: string): unknown {
  if (/^\s*[{[]/.test(packed)) return readJsonc(packed);
  const base64 = packed.trim().replaceAll(/[ -]/g, '+').replaceAll('_', '/');
  try {
    const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
    return readJsonc(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    if (cause instanceof CeriseError) throw cause;
    throw broken(cause);
  }
}

function broken(cause: unknown): CeriseError {
  return new CeriseError(
    'invalid_server',
    say('link-unreadable')`This install link can't be read.`,
    {
      hint: say('link-unreadable-hint')`Copy the whole link again, or paste its JSON.`,
      cause,
    },
  );
}
