import { say } from '#shared/errors/sentence.ts';
import { type LimitName, limitSpecs } from '#shared/vocabulary/limits.ts';
import { heads, printJson, printTable } from '../printing/print.ts';
import { tell } from '../messages/tell.ts';
import { inWords, variableOf } from '../settings/read-limits.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { commands } from '../usage/commands.ts';
import { readOptions } from '../usage/options.ts';

/** One setting: its variable, its value in effect, and whether somebody set it. */
interface Setting {
  name: string;
  value: string;
  isSet: boolean;
}

/** `cerise config`: without the values of secrets. */
export async function config(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { values } = readOptions(argv, commands.config);
  const rows = [...settingsOf(settings), ...limitsOf(settings, values.limits)];
  if (values.json) printJson(io, { settings: rows });
  else
    printTable(
      io,
      [heads.setting, heads.source, heads.value],
      rows.map(({ name, value, isSet }) => [name, tell(isSet ? set : usual), value]),
    );
  return 0;
}

const set = say('cli-source-set')`set`;
const usual = say('cli-source-default')`default`;

function settingsOf(settings: CliSettings): Setting[] {
  const { environment: env, oidc } = settings;
  const values: Record<string, string | undefined> = {
    CERISE_HOME: settings.home,
    CERISE_HOST: settings.hostname,
    CERISE_PORT: String(settings.port),
    CERISE_DATABASE_URL: hidden(settings.databaseUrl),
    CERISE_TOKEN: hidden(settings.token),
    CERISE_SECRET_KEY: hidden(settings.secretKey),
    CERISE_ALLOWED_HOSTS: settings.allowedHosts.join(','),
    CERISE_PUBLIC_URL: settings.publicUrl,
    CERISE_TRUSTED_PROXIES: settings.trustedProxies.join(','),
    CERISE_SIGN_IN_LINK: settings.signInLink ? '1' : '0',
    CERISE_OIDC_ISSUER: oidc?.issuer,
    CERISE_OIDC_CLIENT_ID: oidc?.clientId,
    CERISE_OIDC_CLIENT_SECRET: hidden(oidc?.clientSecret),
    CERISE_FETCH_ALLOW: settings.fetchAllow.join(','),
    CERISE_SERVER_VARIABLES: Object.keys(settings.serverVariables).join(','),
    CERISE_DISCOVER: settings.discover ? '1' : '0',
    CERISE_DEMO_PACE: settings.demoPace?.toString(),
    CERISE_LOG_LEVEL: settings.logLevel,
    CERISE_LIMITS: env['CERISE_LIMITS'],
  };
  return Object.entries(values).map(([name, value = '']) => ({
    name,
    value,
    isSet: Boolean(env[name]),
  }));
}

/** Those that somebody set, or all of them. */
function limitsOf({ limits }: CliSettings, all: boolean): Setting[] {
  const names = Object.keys(limitSpecs) as LimitName[];
  return names
    .map((name) => ({
      name: variableOf(name),
      value: inWords(limits[name] ?? limitSpecs[name].usual, limitSpecs[name].unit),
      isSet: limits[name] !== undefined,
    }))
    .filter(({ isSet }) => all || isSet);
}

/** That there is one, and nothing of it. */
function hidden(secret: string | undefined): string | undefined {
  return secret === undefined ? undefined : '***';
}
