import { type RegistryServer, registryServerSchema } from '#shared/import/registry-server.ts';
import type { ImportEntry } from '#shared/import/import-text.ts';
import { readRegistryServer } from '#shared/import/registry-server.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { InstalledFrom } from '#shared/vocabulary/server/installed-from.ts';
import type { CopiedEntry } from './copied-entry.ts';

/** One way to run an entry: one of its packages or remotes, with the questions that they declare together. */
export interface EntryWay extends ImportEntry {
  inputs: unknown[];
  /** The package without its version, or the origin. */
  target: string;
}

/** Every way to run an entry, in its order. */
export function waysOf(server: JsonObject): EntryWay[] {
  const read = readRegistryServer(server);
  const parsed = registryServerSchema.safeParse(server);
  if (!read || !parsed.success) return [];
  const targets = targetsOf(parsed.data);
  return read.entries.map((entry) => ({
    ...entry,
    inputs: read.inputs,
    target: targets.get(entry.place) ?? '',
  }));
}

/** What a server stores about the entry it was installed from. */
export function installedFrom(
  { view: { registry, name, version } }: CopiedEntry,
  { place, fields, target }: EntryWay,
): InstalledFrom {
  return { registry, name, version, place, fields, target };
}

/** The same way in another version of the entry; otherwise one of the same kind. */
export function sameWay(ways: readonly EntryWay[], before: InstalledFrom): EntryWay | undefined {
  const kind = (target: string) => target.split(' ')[0];
  return (
    ways.find(({ place, target }) => target === before.target && place === before.place) ??
    ways.find(({ target }) => target === before.target) ??
    ways.find(({ target }) => kind(target) === kind(before.target))
  );
}

function targetsOf({ packages, remotes }: RegistryServer): Map<string, string> {
  return new Map([
    ...packages.map(({ registryType, registryBaseUrl = '', identifier }, at): [string, string] => {
      const bare = registryType === 'oci' ? identifier.replace(/[@:][^/]*$/, '') : identifier;
      // A bundle has its version in its address; its manifest names it.
      const what = registryType === 'mcpb' ? '' : bare;
      return [`packages[${at}]`, `${registryType} ${registryBaseUrl} ${what}`];
    }),
    ...remotes.map(({ url = '' }, at): [string, string] => [
      `remotes[${at}]`,
      `remote ${/^[^:]*:\/\/[^/?#]*/.exec(url)?.[0] ?? url}`,
    ]),
  ]);
}
