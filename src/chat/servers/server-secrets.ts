import { mapAddressSecrets, restoreAddressSecrets } from '#shared/text/address-secrets.ts';
import { hiddenSecret } from '#shared/text/text.ts';
import { isJsonObject } from '#shared/vocabulary/json.ts';
import { displayVariable } from '#shared/text/launch-variables.ts';
import { mapAuthSecrets, serverAuthSecrets } from '#shared/vocabulary/server-auth.ts';
import type { ServerConfig } from '#shared/vocabulary/server.ts';

/**
 * Values of environment variables and headers, and secrets of sign-ins and addresses, are never read back.
 * Of variables that decide what runs they are no secrets.
 */
export function withoutSecrets(config: ServerConfig): unknown {
  const hide = (
    values: Record<string, string>,
    show = (_key: string, _value: string) => hiddenSecret,
  ) => Object.fromEntries(Object.entries(values).map(([key, value]) => [key, show(key, value)]));
  if (config.type === 'stdio') return { ...config, env: hide(config.env, displayVariable) };
  if (config.type === 'inMemory') return config;
  const { baseUrl, headers, auth } = config;
  return {
    ...config,
    baseUrl: mapAddressSecrets(baseUrl, () => hiddenSecret),
    ...(headers && { headers: hide(headers) }),
    ...(auth && { auth: mapAuthSecrets(auth, () => hiddenSecret) }),
  };
}

/** What is told of a server to people who only use it: nothing of how it is run or reached. */
export function withoutAddress(config: ServerConfig): unknown {
  const { type, name, description, disabled, disabledTools, autoApprove, tags, logo } = config;
  return { type, name, description, disabled, disabledTools, autoApprove, tags, logo };
}

/** A value that comes back as it was shown means: unchanged. */
export function restoreSecrets(next: object, present: ServerConfig): object {
  const kept: Record<string, unknown> = {};
  for (const place of ['env', 'headers', 'auth'] as const) {
    const sent: unknown = place in next ? next[place as keyof typeof next] : undefined;
    if (isJsonObject(sent)) kept[place] = keepIn(place, sent, present);
  }
  if ('baseUrl' in next && typeof next.baseUrl === 'string' && 'baseUrl' in present)
    kept.baseUrl = restoreAddressSecrets(next.baseUrl, present.baseUrl);
  return { ...next, ...kept };
}

function keepIn(place: 'env' | 'headers' | 'auth', sent: object, present: ServerConfig): object {
  const values: unknown = place in present ? present[place as keyof ServerConfig] : undefined;
  const before = (values ?? {}) as Record<string, unknown>;
  const isSecret = (key: string): boolean =>
    place !== 'auth' || serverAuthSecrets.some((name) => name === key);
  const isShown = (key: string, value: unknown): boolean =>
    value === hiddenSecret ? isSecret(key) : place === 'env' && value === shown(key, before[key]);
  return Object.fromEntries(
    Object.entries(sent).map(([key, value]) => [key, isShown(key, value) ? before[key] : value]),
  );
}

function shown(key: string, value: unknown): string | undefined {
  return typeof value === 'string' ? displayVariable(key, value) : undefined;
}
