import type { ServerView } from '#shared/api/api.ts';
import type { ExportFormat } from '#shared/api/import-api.ts';
import { mapSecrets, type SecretPlace } from '#shared/api/server-secrets.ts';
import { mapAddressSecrets } from '#shared/text/address-secrets.ts';
import type { ServerConfig } from '#shared/vocabulary/server.ts';

/** What stands for a secret; a variable and a named secret may have the same name. */
type Secret = (place: SecretPlace, key: string) => string;
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
    const secret: Secret = (place, key) => {
      const whole = `${place} ${key}`;
      const isClaude = format === 'claude';
      const taken = isClaude ? [...ids.values()] : inputs.map(({ id }) => id);
      const id = ids.get(whole) ?? freeId(isClaude ? key : `${name}.${key}`, taken);
      const description = `${key} (${name})`;
      if (!isClaude && !ids.has(whole))
        inputs.push({ id, type: 'promptString', description, password: true });
      ids.set(whole, id);
      return isClaude ? `\${${id}}` : `\${input:${id}}`;
    };
    entries.set(name, format === 'cerise' ? toOwn(given, secret) : toForeign(given, secret));
  }
  const list = Object.fromEntries(entries);
  if (format === 'claude') return { mcpServers: list };
  return format === 'vscode' ? { inputs, servers: list } : { inputs, mcpServers: list };
}

function toOwn({ name: _, ...config }: ServerConfig, secret: Secret): object {
  return mapSecrets(config as ServerConfig, (_value, place, key) => secret(place, key));
}

function toForeign(config: ServerConfig, secret: Secret): object {
  if (config.type === 'inMemory') return {};
  if (config.type === 'stdio') {
    const { command, args, env, cwd } = config;
    // Named secrets keep their names, so they come first.
    const words = args.map((arg) => named(arg, secret));
    const some = Object.keys(env).length > 0;
    const rest = {
      ...(some && { env: values(env, (key) => secret('env', key)) }),
      ...(cwd && { cwd }),
    };
    return { type: 'stdio', command, args: words, ...rest };
  }
  const { baseUrl, headers = {} } = config;
  const url = named(
    mapAddressSecrets(baseUrl, (_value, name) => secret('address', name)),
    secret,
  );
  const type = config.type === 'sse' ? 'sse' : 'http';
  const some = Object.keys(headers).length > 0;
  return { type, url, ...(some && { headers: values(headers, (key) => secret('headers', key)) }) };
}

/** Other hosts have no named secrets: they ask for the value. */
function named(text: string, secret: Secret): string {
  return text.replaceAll(/\$\{secret:(\w+)\}/g, (_whole, name: string) => secret('secrets', name));
}

function values(
  hidden: Record<string, string>,
  secret: (key: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.keys(hidden).map((key) => [key, secret(key)]));
}

/** Begins with a letter or a digit: `:-` in a reference would begin a default. Two servers never share a question. */
function freeId(text: string, taken: readonly string[]): string {
  const wanted = text.replaceAll(/[^\p{L}\p{N}_.-]+/gu, '-').replace(/^-+/, '');
  let id = wanted;
  for (let count = 2; taken.includes(id); count += 1) id = `${wanted}_${count}`;
  return id;
}

function freeName(name: string, taken: ReadonlyMap<string, object>): string {
  for (let count = 1; ; count += 1) {
    const next = count === 1 ? name : `${name} ${count}`;
    if (!taken.has(next)) return next;
  }
}
