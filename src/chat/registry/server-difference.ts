import type { ServerDifference } from '#shared/api/registry-api.ts';
import { mapAddressSecrets } from '#shared/text/address-secrets.ts';
import { hiddenSecret } from '#shared/text/text.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { ServerConfig } from '#shared/vocabulary/server.ts';

/** What another version changes in a server. Values of variables and headers stay secret: only names are listed. */
export function serverDifference(
  before: ServerConfig,
  after: JsonObject,
  version: ServerDifference['version'],
): ServerDifference {
  const old = before as unknown as JsonObject;
  const command = changed(textOf(old.command), textOf(after.command));
  const registryUrl = changed(textOf(old.registryUrl), textOf(after.registryUrl));
  const url = changed(addressOf(old), addressOf(after));
  const [args, next] = [listOf(old.args), listOf(after.args)];
  const isSame = JSON.stringify(args) === JSON.stringify(next);
  return {
    version,
    ...(command && { command }),
    ...(!isSame && { args: { before: args, after: next } }),
    ...(url && { url }),
    ...(registryUrl && { registryUrl }),
    env: names(old.env, after.env),
    headers: names(old.headers, after.headers),
  };
}

function addressOf({ baseUrl }: JsonObject): string {
  return mapAddressSecrets(textOf(baseUrl), () => hiddenSecret);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function changed(before: string, after: string): { before: string; after: string } | undefined {
  return before === after ? undefined : { before, after };
}

function names(before: unknown, after: unknown): ServerDifference['env'] {
  const [old, next] = [(before ?? {}) as JsonObject, (after ?? {}) as JsonObject];
  const [oldNames, newNames] = [Object.keys(old), Object.keys(next)];
  return {
    added: newNames.filter((name) => !Object.hasOwn(old, name)),
    removed: oldNames.filter((name) => !Object.hasOwn(next, name)),
    changed: newNames.filter((name) => Object.hasOwn(old, name) && old[name] !== next[name]),
  };
}
