import { isPictureUrl } from '#shared/vocabulary/server/picture-url.ts';

/** The logo in the config of a server, if it is a picture that needs nothing from elsewhere. */
export function logoOf(config: unknown): string | undefined {
  if (typeof config !== 'object' || config === null || !('logo' in config)) return undefined;
  const { logo } = config;
  return typeof logo === 'string' && isPictureUrl(logo) ? logo : undefined;
}

/** A hue in degrees that a name always has. */
export function hueOf(name: string): number {
  let sum = 7;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 3600;
  return sum / 10;
}
