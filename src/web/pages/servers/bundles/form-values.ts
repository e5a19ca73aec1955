import type { BundleView } from '#shared/api/bundle-api.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { BundleValue } from '#shared/vocabulary/server/server-bundle.ts';

/** What a form says of every setting: null for those that are left open, so that none comes back. */
export function settingsOf(
  { properties }: BundleView['form'],
  value: JsonObject,
): Record<string, BundleValue | null> {
  const entries = Object.keys(properties).map((name) => [name, value[name] ?? null]);
  return Object.fromEntries(entries) as Record<string, BundleValue | null>;
}

/** The server that a bundle would become with what is in its form; secrets are not part of what is shown. */
export function configWith({ config, form }: BundleView, value: JsonObject): object {
  const { bundle, ...rest } = config as { bundle: object };
  const isSecret = (name: string) => form.properties[name]?.format === 'password';
  const names = Object.keys(value).filter((name) => value[name] !== '');
  const pick = (secret: boolean) =>
    names
      .filter((name) => isSecret(name) === secret)
      .map((name) => [name, secret ? '••••' : value[name]]);
  const settings = {
    values: Object.fromEntries(pick(false)),
    secrets: Object.fromEntries(pick(true)),
  };
  return { ...rest, bundle: { ...bundle, ...settings } };
}
