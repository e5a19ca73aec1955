import { mapAddressSecrets, withKeptAddressSecrets } from '#shared/address-secrets.ts';
import { isJsonObject } from '#shared/json.ts';
import { isShownVariable } from '#shared/launch-variables.ts';
import type { ServerConfig } from '#shared/server.ts';
import { mapAuthSecrets, serverAuthSecrets } from '#shared/server-auth.ts';
import { hiddenSecret } from '#shared/text.ts';

/**
 * Values of environment variables and headers, and secrets of sign-ins and addresses, are never read
 * back; only variables that are part of what is run are, for those who approve it.
 */
export function withoutSecrets(config: ServerConfig): unknown {
  const hide = (values: Record<string, string>) =>
    Object.fromEntries(Object.keys(values).map((key) => [key, hiddenSecret]));
  if (config.type === 'stdio') return { ...config, env: hideVariables(config.env) };
  if (config.type === 'inMemory') return config;
  const { baseUrl, headers, auth } = config;
  return {
    ...config,
    baseUrl: mapAddressSecrets(baseUrl, () => hiddenSecret),
    ...(headers && { headers: hide(headers) }),
    ...(auth && { auth: mapAuthSecrets(auth, () => hiddenSecret) }),
  };
}

function hideVariables(env: Record<string, string>): Record<string, string> {
  const shown = Object.entries(env).map(([name, value]): [string, string] => [
    name,
    isShownVariable(name, value) ? value : hiddenSecret,
  ]);
  return Object.fromEntries(shown);
}

/** What is told of a server to people who only use it: nothing of how it is run or reached. */
export function withoutAddress(config: ServerConfig): unknown {
  const { type, name, description, disabled, disabledTools, autoApprove, tags, logo } = config;
  return { type, name, description, disabled, disabledTools, autoApprove, tags, logo };
}

/** A value that comes back as it was shown means: unchanged. */
export function withKeptSecrets(next: object, present: ServerConfig): object {
  const kept: Record<string, unknown> = {};
  for (const place of ['env', 'headers', 'auth'] as const) {
    const sent: unknown = place in next ? next[place as keyof typeof next] : undefined;
    if (isJsonObject(sent)) kept[place] = keepIn(place, sent, present);
  }
  if ('baseUrl' in next && typeof next.baseUrl === 'string' && 'baseUrl' in present)
    kept.baseUrl = withKeptAddressSecrets(next.baseUrl, present.baseUrl);
  return { ...next, ...kept };
}

function keepIn(place: 'env' | 'headers' | 'auth', sent: object, present: ServerConfig): object {
  const values: unknown = place in present ? present[place as keyof ServerConfig] : undefined;
  const before = (values ?? {}) as Record<string, unknown>;
  const isSecret = (key: string): boolean =>
    place !== 'auth' || serverAuthSecrets.some((name) => name === key);
  return Object.fromEntries(
    Object.entries(sent).map(([key, value]) => [
      key,
      value === hiddenSecret && isSecret(key) ? before[key] : value,
    ]),
  );
}
