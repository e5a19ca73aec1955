import type { ServerView } from '#shared/api/api.ts';
import type { ExportFormat } from '#shared/api/import-api.ts';
import { mapSecrets } from '#shared/api/server-secrets.ts';
import { mapAddressSecrets } from '#shared/text/address-secrets.ts';
import type { ServerConfig } from '#shared/vocabulary/server.ts';

type Secret = (key: string) => string;
interface Input {
  id: string;
  type: 'promptString';
  description: string;
  password: true;
}

/**
 * The settings of servers as another host (or a Cerise elsewhere) reads them. Secrets are left out:
 * placeholders stand where they were, and who imports them is asked.
 */
export function exportServers(servers: readonly ServerView[], format: ExportFormat): object {
  const inputs: Input[] = [];
  const entries = new Map<string, object>();
  for (const { builtin, attachedTo, readOnly, config } of servers) {
    const given = config as ServerConfig;
    // A bundle is installed again elsewhere: without its bytes its command means nothing.
    if (builtin || attachedTo || readOnly || 'bundle' in given) continue;
    const name = freeName(given.name, entries);
    const ids = new Map<string, string>();
    const secret: Secret = (key) => {
      if (format === 'claude') return `\${${key}}`;
      const id = ids.get(key) ?? freeId(`${name}-${key}`, inputs);
      const description = `${key} (${name})`;
      if (!ids.has(key)) inputs.push({ id, type: 'promptString', description, password: true });
      ids.set(key, id);
      return `\${input:${id}}`;
    };
    entries.set(name, format === 'cerise' ? toOwn(given, secret) : toForeign(given, secret));
  }
  const list = Object.fromEntries(entries);
  if (format === 'claude') return { mcpServers: list };
  return format === 'vscode' ? { inputs, servers: list } : { inputs, mcpServers: list };
}

function toOwn({ name: _, ...config }: ServerConfig, secret: Secret): object {
  return mapSecrets(config as ServerConfig, (_value, _place, key) => secret(key));
}

function toForeign(config: ServerConfig, secret: Secret): object {
  if (config.type === 'inMemory') return {};
  if (config.type === 'stdio') {
    const { command, args, env, cwd } = config;
    const some = Object.keys(env).length > 0;
    const rest = { ...(some && { env: values(env, secret) }), ...(cwd && { cwd }) };
    return { type: 'stdio', command, args: args.map((arg) => named(arg, secret)), ...rest };
  }
  const { baseUrl, headers = {} } = config;
  const url = named(
    mapAddressSecrets(baseUrl, (_value, name) => secret(name)),
    secret,
  );
  const type = config.type === 'sse' ? 'sse' : 'http';
  const some = Object.keys(headers).length > 0;
  return { type, url, ...(some && { headers: values(headers, secret) }) };
}

/** Other hosts have no named secrets: they ask for the value. */
function named(text: string, secret: Secret): string {
  return text.replaceAll(/\$\{secret:(\w+)\}/g, (_whole, name: string) => secret(name));
}

function values(hidden: Record<string, string>, secret: Secret): Record<string, string> {
  return Object.fromEntries(Object.keys(hidden).map((key) => [key, secret(key)]));
}

/** Begins with a letter or a digit: `:-` in a reference would begin a default. Two servers never share a question. */
function freeId(text: string, taken: readonly Input[]): string {
  const wanted = text.replaceAll(/[^\p{L}\p{N}_.-]+/gu, '-').replace(/^-+/, '');
  let id = wanted;
  for (let count = 2; taken.some((input) => input.id === id); count += 1) id = `${wanted}-${count}`;
  return id;
}

function freeName(name: string, taken: ReadonlyMap<string, object>): string {
  for (let count = 1; ; count += 1) {
    const next = count === 1 ? name : `${name} ${count}`;
    if (!taken.has(next)) return next;
  }
}
