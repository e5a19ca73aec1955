import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { expandVariables, hasVariables, type VariableRef } from '#shared/text/variables.ts';
import type { ServerConfig, ServerRecord } from '#shared/vocabulary/server.ts';
import { isInherited } from '../process/environment.ts';

/** The host's own variables, as far as an admin listed them for servers. */
export type HostVariables = (name: string) => string | undefined;

/** A record that is ready to start, and the values in it that must not be shown. */
interface Resolved {
  record: ServerRecord;
  secrets: string[];
}

/** Local servers get these where an admin listed them: without, they may reach nothing. */
const proxyNames = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap((name) => [
  name,
  name.toLowerCase(),
]);

/**
 * The config with the values of its variables in place, made anew at each start. Secrets of the server come first;
 * variables of the host are only for servers of admins. A value never becomes a second argument, a second parameter
 * or another host. Throws CeriseError `missing_variable` that names what has no value.
 */
export function resolveVariables(record: ServerRecord, host: HostVariables): Resolved {
  const { config, publicOnly } = record;
  if (config.type === 'inMemory') return { record, secrets: [] };
  // A bundle has variables of its own, which are filled in where it is unpacked.
  if (config.type === 'stdio' && config.bundle) {
    const env = { ...proxies(host), ...config.env };
    return { record: { ...record, config: { ...config, env } }, secrets: [] };
  }
  const { type, secrets: own = {} } = config;
  const missing = new Set<string>();
  const used = new Set<string>();
  const fill: Fill = (text, change) =>
    expandVariables(
      text,
      (ref) => {
        const value = valueOf(ref);
        return value === undefined ? undefined : change(value);
      },
      ({ name }) => missing.add(name),
    );
  const resolved = resolve(config, fill, host);
  if (missing.size > 0) throw missingVariables(config.name, [...missing]);
  return { record: { ...record, config: resolved }, secrets: [...used] };

  function valueOf({ name, source }: VariableRef): string | undefined {
    if (type === 'stdio' && source !== 'secret' && isInherited(name) && process.env[name])
      return process.env[name];
    const secret = source !== 'env' && Object.hasOwn(own, name) ? own[name] : undefined;
    const value = secret ?? (source === 'secret' || publicOnly ? undefined : host(name));
    if (value !== undefined) used.add(value);
    return value;
  }
}

type Fill = (text: string, change: (value: string) => string) => string;

const asIs = (value: string): string => value;

function resolve(
  config: Exclude<ServerConfig, { type: 'inMemory' }>,
  fill: Fill,
  host: HostVariables,
): ServerConfig {
  const fillAll = (values: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, fill(value, asIs)]));
  if (config.type === 'stdio')
    return {
      ...config,
      args: config.args.map((arg) => fill(arg, asIs)),
      env: { ...proxies(host), ...fillAll(config.env) },
    };
  const { baseUrl, headers } = config;
  return {
    ...config,
    baseUrl: fillAddress(baseUrl, fill),
    ...(headers && { headers: fillAll(headers) }),
  };
}

function proxies(host: HostVariables): Record<string, string> {
  const given = proxyNames.flatMap((name) => {
    const value = host(name);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(given) as Record<string, string>;
}

/** Where a server is reached is what was seen and approved: only its path and query take values. */
function fillAddress(address: string, fill: Fill): string {
  const [, origin = '', rest = ''] = /^([^/?#]*\/\/[^/?#]*)(.*)$/s.exec(address) ?? [];
  if (!hasVariables(origin)) return `${origin}${fill(rest, encodeURIComponent)}`;
  throw new CeriseError(
    'invalid_server',
    say('variable-in-host')`The host name in a server's URL can't contain variables.`,
    { hint: say('variable-in-host-hint')`Enter the host name itself.` },
  );
}

function missingVariables(server: string, names: string[]): CeriseError {
  return new CeriseError(
    'missing_variable',
    say('variables-missing')`${server} needs a value for ${names.join(', ')}.`,
    {
      hint: say(
        'variables-missing-hint',
      )`Add it to this server's secrets. An admin can also list variables of the host in CERISE_SERVER_VARIABLES.`,
      details: { variables: names, fix: { kind: 'secret', name: names[0] ?? '' } },
    },
  );
}
