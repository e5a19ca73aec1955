import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { hiddenInAddress } from '#shared/text/address-secrets.ts';
import { judgeMove, keepsSecret, type Move, toEnterAgain } from '#shared/text/secret-address.ts';
import { hiddenSecret } from '#shared/text/text.ts';
import { isJsonObject } from '#shared/vocabulary/json.ts';
import { boundToIssuer } from '#shared/vocabulary/server-auth.ts';
import { isNarrower } from '#shared/vocabulary/server-access.ts';
import { launchFields, type ServerConfig, type StdioConfig } from '#shared/vocabulary/server.ts';

type HttpConfig = Extract<ServerConfig, { baseUrl: string }>;

/**
 * Where a config leads whose launch changed: another command or another address is another server. Other
 * headers or another sign-in at the same address, or other access of the same command, are the same one.
 */
export function launchMove(before: ServerConfig, after: ServerConfig): Move {
  if (isSameCommand(before, after)) return 'none';
  if (!isHttp(before) || !isHttp(after)) return 'elsewhere';
  return judgeMove(before.baseUrl, after.baseUrl);
}

/**
 * Whether a change only takes access away from a command: whoever approved the wider one has approved this
 * as well.
 */
export function onlyNarrows(before: ServerConfig, after: ServerConfig): boolean {
  if (before.type !== 'stdio' || after.type !== 'stdio') return false;
  return isSameCommand(before, after) && isNarrower(after.access, before.access);
}

function isSameCommand(before: ServerConfig, after: ServerConfig): boolean {
  if (before.type !== 'stdio' || after.type !== 'stdio') return false;
  const launch = ({ access: _, ...config }: StdioConfig) => JSON.stringify(launchFields(config));
  return launch(before) === launch(after);
}

/** Tools run without asking at another server only where the same change says so. */
export function withoutOldApprovals<T extends ServerConfig>(config: T, change: object): T {
  if ('autoApprove' in change || 'alwaysAllow' in change) return config;
  const kept = { ...config };
  delete kept.autoApprove;
  return kept;
}

/**
 * Secrets that were given for one origin, one command or one authorization server do not go to another unless they
 * are given again. Throws `invalid_server` that names them.
 */
export function assertSecretsStay(before: ServerConfig, after: ServerConfig, change: object): void {
  if (!isHttp(before) || !isHttp(after)) return assertCommandStays(before, after, change);
  const move = { before: before.baseUrl, after: after.baseUrl };
  const sent = 'baseUrl' in change ? String(change.baseUrl) : '';
  const bound = after.auth ? boundToIssuer(after.auth).map(([name]) => name) : [];
  const ofSignIn = remainingIn('auth', bound, change);
  const kept = [
    ...toEnterAgain(move, [
      ...hiddenInAddress(sent).map((name) => `baseUrl.${name}`),
      ...remainingIn('headers', Object.keys(after.headers ?? {}), change),
      ...remainingIn('secrets', Object.keys(after.secrets ?? {}), change),
    ]),
    ...(hasOtherIssuer(before, after) ? ofSignIn : toEnterAgain(move, ofSignIn)),
  ];
  if (kept.length === 0) return;
  throw new CeriseError(
    'invalid_server',
    say(
      'secrets-stay',
    )`Secrets stored for ${new URL(before.baseUrl).host} aren't sent to another host: ${kept.join(', ')}.`,
    {
      hint: say(
        'secrets-stay-hint',
      )`Enter them again with the new URL, or send null to remove them.`,
    },
  );
}

/** Another program is another server, whatever its arguments are; so is an address instead of a program. */
function assertCommandStays(before: ServerConfig, after: ServerConfig, change: object): void {
  if (before.type === 'inMemory' || after.type === 'inMemory') return;
  const place = placeOf(before);
  if (place === placeOf(after)) return;
  const kept = remainingIn('secrets', Object.keys(after.secrets ?? {}), change);
  if (kept.length === 0) return;
  throw new CeriseError(
    'invalid_server',
    say(
      'secrets-stay-command',
    )`Secrets stored for ${place} aren't given to another command: ${kept.join(', ')}.`,
    {
      hint: say(
        'secrets-stay-command-hint',
      )`Enter them again with the new command, or send null to remove them.`,
    },
  );
}

function placeOf(config: Exclude<ServerConfig, { type: 'inMemory' }>): string {
  return config.type === 'stdio' ? config.command : new URL(config.baseUrl).host;
}

/** Those of the secrets in a part of a config that the change did not give in the clear. */
function remainingIn(
  part: 'headers' | 'secrets' | 'auth',
  secrets: string[],
  change: object,
): string[] {
  const sent: unknown = part in change ? change[part as keyof typeof change] : undefined;
  const given = isJsonObject(sent) ? sent : {};
  return secrets
    .filter((name) => JSON.stringify(given[name] ?? hiddenSecret).includes(hiddenSecret))
    .map((name) => `${part}.${name}`);
}

/** Whether anybody else is shown the secrets of a sign-in now. */
function hasOtherIssuer(before: HttpConfig, after: HttpConfig): boolean {
  const [was, is] = [issuersOf(before), issuersOf(after)];
  return was.some((address, place) => !keepsSecret('sign-in', address, is[place] ?? ''));
}

/** Everybody who is shown secrets of a sign-in. */
function issuersOf({ auth }: HttpConfig): string[] {
  const idp = auth && 'idpTokenEndpoint' in auth ? auth.idpTokenEndpoint : undefined;
  return [auth?.authorizationServer ?? '', idp ?? ''];
}

function isHttp(config: ServerConfig): config is HttpConfig {
  return 'baseUrl' in config;
}
