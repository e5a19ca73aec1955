import { mapSecrets, type SecretPlace } from '#shared/api/server-secrets.ts';
import { restoreAddressSecrets } from '#shared/text/address-secrets.ts';
import { hiddenSecret } from '#shared/text/text.ts';
import { isJsonObject } from '#shared/vocabulary/json.ts';
import { displayVariable } from '#shared/text/launch-variables.ts';
import { displayReferences } from '#shared/text/variables.ts';
import { serverAuthSecrets } from '#shared/vocabulary/server-auth.ts';
import type { ServerConfig } from '#shared/vocabulary/server.ts';

/**
 * Secrets are never read back. Variables that decide what runs are none, and what a variable or a header refers to
 * is shown: an approver sees which variable of the host goes where.
 */
export function withoutSecrets(config: ServerConfig): unknown {
  return mapSecrets(config, (value, place, name) => displaySecret(place, name, value));
}

/** What is told of a server to people who only use it: nothing of how it is run or reached. */
export function withoutAddress(config: ServerConfig): unknown {
  const { type, name, description, disabled, disabledTools, autoApprove, tags, logo } = config;
  return { type, name, description, disabled, disabledTools, autoApprove, tags, logo };
}

const restored = ['env', 'headers', 'secrets', 'auth'] as const;

/** A value that comes back as it was shown means: unchanged. */
export function restoreSecrets(next: object, present: ServerConfig): object {
  const kept: Record<string, unknown> = {};
  for (const place of restored) {
    const sent: unknown = place in next ? next[place as keyof typeof next] : undefined;
    if (isJsonObject(sent)) kept[place] = keepIn(place, sent, present);
  }
  if ('baseUrl' in next && typeof next.baseUrl === 'string' && 'baseUrl' in present)
    kept.baseUrl = restoreAddressSecrets(next.baseUrl, present.baseUrl);
  return { ...next, ...kept };
}

function keepIn(place: (typeof restored)[number], sent: object, present: ServerConfig): object {
  const values: unknown = place in present ? present[place as keyof ServerConfig] : undefined;
  const before = (values ?? {}) as Record<string, unknown>;
  const isSecret = (key: string): boolean =>
    place !== 'auth' || serverAuthSecrets.some((name) => name === key);
  const isShown = (key: string, value: unknown): boolean =>
    value === hiddenSecret ? isSecret(key) : value === displayOf(place, key, before[key]);
  return Object.fromEntries(
    Object.entries(sent).map(([key, value]) => [key, isShown(key, value) ? before[key] : value]),
  );
}

function displayOf(place: SecretPlace, key: string, value: unknown): string | undefined {
  return typeof value === 'string' ? displaySecret(place, key, value) : undefined;
}

function displaySecret(place: SecretPlace, name: string, value: string): string {
  if (place === 'env') return displayVariable(name, value);
  return place === 'headers' ? displayReferences(value) : hiddenSecret;
}
