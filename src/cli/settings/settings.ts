import { isIP } from 'node:net';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { variableName } from '#shared/text/variables.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import { guessable } from './guessable-token.ts';
import { readLimits } from './read-limits.ts';
import { readTraces, type TraceSettings } from './read-traces.ts';

/** What the environment says. */
export interface CliSettings {
  home: string;
  hostname: string;
  port: number;
  databaseUrl?: string | undefined;
  token?: string | undefined;
  secretKey?: string | undefined;
  allowedHosts: string[];
  /** Whether one-time links sign browsers in. */
  signInLink: boolean;
  publicUrl?: string | undefined;
  /** Addresses or networks of proxies that say how people reach us. */
  trustedProxies: string[];
  oidc?: OidcSettings | undefined;
  fetchAllow: string[];
  /** Variables of ours that MCP servers may use. */
  serverVariables: Record<string, string>;
  demoPace?: number | undefined;
  /** Whether model servers are looked for on this machine. */
  discover: boolean;
  /** Where keys of model vendors may be. */
  environment: NodeJS.ProcessEnv;
  logLevel: string;
  /** Opens `/metrics` to who has it. */
  metricsKey?: string | undefined;
  /** Where traces go. */
  traces?: TraceSettings | undefined;
  /** Those that differ from what ships. */
  limits: Partial<Limits>;
  /** A fault on purpose, for tests. */
  fault?: string | undefined;
}

/** The identity provider that people may sign in by. */
interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret?: string | undefined;
  name: string;
  adminGroup?: string | undefined;
  groupsClaim: string;
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
const loopback = new Set(['127.0.0.1', 'localhost', '::1']);

/** Reads and checks the settings. Throws CeriseError `bad_setting`. */
export function readSettings(env: NodeJS.ProcessEnv): CliSettings {
  const hostname = env['CERISE_HOST'] || '127.0.0.1';
  const token = env['CERISE_TOKEN'] || undefined;
  if (!loopback.has(hostname) && !token)
    throw new CeriseError(
      'bad_setting',
      say(
        'cli-host-open',
      )`CERISE_HOST=${hostname} would expose Cerise to the network without a token.`,
      { hint: say('cli-host-open-hint')`Set CERISE_TOKEN too, or leave CERISE_HOST at 127.0.0.1.` },
    );
  const allowedHosts = list(env['CERISE_ALLOWED_HOSTS']).map((name) => name.toLowerCase());
  const publicUrl = readPublicUrl(env['CERISE_PUBLIC_URL']);
  const trustedProxies = readProxies(env['CERISE_TRUSTED_PROXIES']);
  const names = [hostname, ...allowedHosts.map(withoutPort)];
  const isReachable = names.some((name) => !loopback.has(name)) || publicUrl !== undefined;
  const metricsKey = env['CERISE_METRICS_KEY'] || undefined;
  if (isReachable || trustedProxies.length > 0) {
    if (token) refuseGuessable('CERISE_TOKEN', token);
    if (metricsKey) refuseGuessable('CERISE_METRICS_KEY', metricsKey);
  }
  return {
    home: resolve(env['CERISE_HOME'] || join(homedir(), '.cerise')),
    hostname,
    port: readPort(env['CERISE_PORT']),
    databaseUrl: env['CERISE_DATABASE_URL'] || undefined,
    token,
    secretKey: env['CERISE_SECRET_KEY'] || undefined,
    allowedHosts,
    publicUrl,
    trustedProxies,
    signInLink: env['CERISE_SIGN_IN_LINK'] !== '0',
    oidc: readOidc(env),
    fetchAllow: list(env['CERISE_FETCH_ALLOW']),
    serverVariables: readVariables(env),
    demoPace: readPace(env['CERISE_DEMO_PACE']),
    discover: env['CERISE_DISCOVER'] !== '0',
    environment: env,
    logLevel: readLogLevel(env['CERISE_LOG_LEVEL']),
    metricsKey,
    traces: readTraces(env),
    limits: readLimits(env),
    fault: readFault(env),
  };
}

/** Whoever guesses it is let in, from wherever this host can be reached. */
function refuseGuessable(name: string, token: string): void {
  const reason = guessable(token);
  if (reason === undefined) return;
  throw new CeriseError(
    'bad_setting',
    say(
      'cli-token-weak',
    )`${name} is too easy to guess for a host that others can reach: ${reason}.`,
    { hint: say('cli-token-weak-hint')`Generate a random one: openssl rand -base64 24` },
  );
}

function withoutPort(name: string): string {
  return (URL.parse(`http://${name}`)?.hostname ?? name).replaceAll(/[[\]]/g, '');
}

/** Those that are named; our own settings hold secrets and are never among them. */
function readVariables(env: NodeJS.ProcessEnv): Record<string, string> {
  const names = list(env['CERISE_SERVER_VARIABLES']);
  const wrong = names.find((name) => !variableName.test(name) || /^CERISE_/i.test(name));
  if (wrong !== undefined)
    throw new CeriseError(
      'bad_setting',
      say('cli-server-variable')`CERISE_SERVER_VARIABLES can't contain ${wrong}.`,
      {
        hint: say(
          'cli-server-variable-hint',
        )`List names of environment variables, separated by commas. Cerise's own settings aren't shared with servers.`,
      },
    );
  const given = names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]));
  return Object.fromEntries(given) as Record<string, string>;
}

function readPort(text: string | undefined): number {
  const port = text ? Number(text) : 4310;
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new CeriseError(
    'bad_setting',
    say('cli-port')`CERISE_PORT=${text ?? ''} isn't a valid port.`,
    {
      hint: say('cli-port-hint')`Use a number from 0 (any free port) to 65535.`,
    },
  );
}

function readPublicUrl(text: string | undefined): string | undefined {
  if (!text) return undefined;
  const url = URL.parse(text);
  if (url?.protocol === 'https:' && url.href === `${url.origin}/`) return url.origin;
  throw new CeriseError(
    'bad_setting',
    say('cli-public-url')`CERISE_PUBLIC_URL=${text} isn't an https URL.`,
    {
      hint: say('cli-public-url-hint')`Use https://name or https://name:port, without a path.`,
    },
  );
}

function readProxies(text: string | undefined): string[] {
  const proxies = list(text);
  const wrong = proxies.find((entry) => {
    const [address = '', prefix, ...rest] = entry.split('/');
    const longest = isIP(address) === 6 ? 128 : 32;
    const isPrefix = prefix === undefined || (/^\d+$/.test(prefix) && Number(prefix) <= longest);
    return isIP(address) === 0 || !isPrefix || rest.length > 0;
  });
  if (wrong === undefined) return proxies;
  throw new CeriseError(
    'bad_setting',
    say(
      'cli-proxies',
    )`CERISE_TRUSTED_PROXIES contains ${wrong}, which isn't an IP address or network.`,
    {
      hint: say(
        'cli-proxies-hint',
      )`Separate addresses or networks with commas, such as 127.0.0.1,10.0.0.0/8.`,
    },
  );
}

function readOidc(env: NodeJS.ProcessEnv): OidcSettings | undefined {
  const issuer = env['CERISE_OIDC_ISSUER'];
  const clientId = env['CERISE_OIDC_CLIENT_ID'];
  if (!issuer && !clientId) return undefined;
  const url = URL.parse(issuer ?? '');
  const isHere = url?.protocol === 'http:' && loopback.has(url.hostname.replaceAll(/[[\]]/g, ''));
  if (!issuer || !clientId || !url || (url.protocol !== 'https:' && !isHere))
    throw new CeriseError(
      'bad_setting',
      say('cli-oidc')`CERISE_OIDC_ISSUER isn't an https URL, or CERISE_OIDC_CLIENT_ID is missing.`,
      {
        hint: say(
          'cli-oidc-hint',
        )`Set both CERISE_OIDC_ISSUER (https://…) and CERISE_OIDC_CLIENT_ID, or neither.`,
      },
    );
  return {
    issuer,
    clientId,
    clientSecret: env['CERISE_OIDC_CLIENT_SECRET'] || undefined,
    name: env['CERISE_OIDC_NAME'] || url.host,
    adminGroup: env['CERISE_OIDC_ADMIN_GROUP'] || undefined,
    groupsClaim: env['CERISE_OIDC_GROUPS_CLAIM'] || 'groups',
  };
}

function readPace(text: string | undefined): number | undefined {
  const pace = text ? Number(text) : undefined;
  if (pace === undefined || (pace >= 0 && pace <= 60_000)) return pace;
  throw new CeriseError(
    'bad_setting',
    say('cli-pace')`CERISE_DEMO_PACE=${text ?? ''} isn't valid.`,
    {
      hint: say(
        'cli-pace-hint',
      )`Use the milliseconds between the demo model's words, from 0 to 60000.`,
    },
  );
}

function readLogLevel(text: string | undefined): string {
  const level = text || 'warn';
  if (logLevels.includes(level)) return level;
  throw new CeriseError(
    'bad_setting',
    say('cli-log-level')`CERISE_LOG_LEVEL=${text ?? ''} isn't a log level.`,
    {
      hint: say('cli-log-level-hint')`Use one of ${logLevels.join(', ')}.`,
    },
  );
}

function readFault(env: NodeJS.ProcessEnv): string | undefined {
  const fault = env['CERISE_FAULT'] || undefined;
  if (!fault || env['CERISE_ALLOW_FAULTS'] === '1') return fault;
  throw new CeriseError(
    'bad_setting',
    say('cli-fault')`CERISE_FAULT makes Cerise fail on purpose.`,
    {
      hint: say('cli-fault-hint')`Unset it, or also set CERISE_ALLOW_FAULTS=1 if this is a test.`,
    },
  );
}

function list(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
