import type { RegistryServer } from '#shared/import/registry-server.ts';

/** How a server is run or reached. */
export type EntryKind = 'npm' | 'pypi' | 'container' | 'nuget' | 'bundle' | 'remote' | 'other';

/** A server that can be installed, as a list shows it. */
export interface DiscoverEntry {
  id: string;
  title: string;
  /** The namespace it was published in. */
  publisher: string;
  description: string;
  version: string | undefined;
  kinds: EntryKind[];
  /** No way to run it works without a secret. */
  needsKey: boolean;
  server: RegistryServer;
}

const kinds: Record<string, EntryKind> = {
  npm: 'npm',
  pypi: 'pypi',
  oci: 'container',
  nuget: 'nuget',
  mcpb: 'bundle',
};

/** What a list shows of a server in a registry. */
export function entryOf(server: RegistryServer): DiscoverEntry {
  const { name, title, description = '', version, packages, remotes } = server;
  const slash = name.indexOf('/');
  const found = packages.map(({ registryType }) => kinds[registryType] ?? 'other');
  if (remotes.length > 0) found.push('remote');
  const ways = [
    ...packages.map((one) => [
      ...one.environmentVariables,
      ...one.packageArguments,
      ...one.runtimeArguments,
    ]),
    ...remotes.map(({ headers = [], variables = {} }) => [...headers, ...Object.values(variables)]),
  ];
  return {
    id: name,
    title: title ?? name.slice(slash + 1),
    publisher: slash > 0 ? name.slice(0, slash) : '',
    description,
    version,
    kinds: [...new Set(found)],
    needsKey: ways.length > 0 && ways.every((inputs) => inputs.some(isKey)),
    server,
  };
}

type Value = {
  isRequired?: boolean | undefined;
  isSecret?: boolean | undefined;
  value?: string | undefined;
  default?: string | undefined;
};

/** Whether a person has to give a secret: in the value itself, or in a variable of it. */
function isKey(input: Value & { variables?: Record<string, Value> | undefined }): boolean {
  const { isRequired, isSecret, value, variables = {} } = input;
  if (isRequired && isSecret && value === undefined && input.default === undefined) return true;
  return Object.values(variables).some(isKey);
}

/** The entries that have all the words; those with one in their title come first. */
export function findEntries(entries: readonly DiscoverEntry[], query: string): DiscoverEntry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const inTitle = ({ title }: DiscoverEntry) =>
    words.some((word) => title.toLowerCase().includes(word));
  return entries
    .filter(({ id, title, description, server }) => {
      const packages = server.packages.map(({ identifier }) => identifier);
      const text = [id, title, description, ...packages].join('\n').toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .toSorted((a, b) => Number(inTitle(b)) - Number(inTitle(a)));
}

/** One way to run or reach a server, as a text that can be imported. */
export interface Way {
  label: string;
  text: string;
}

/** Each package and address of a server, one at a time. */
export function waysOf({ server }: DiscoverEntry): Way[] {
  const only = (part: object) => JSON.stringify({ ...server, packages: [], remotes: [], ...part });
  return [
    ...server.packages.map((one) => ({
      label: `${one.registryType}: ${one.identifier}`,
      text: only({ packages: [one] }),
    })),
    ...server.remotes.map((one) => ({
      label: one.url ?? one.type,
      text: only({ remotes: [one] }),
    })),
  ];
}
