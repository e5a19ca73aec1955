import type { ServerView } from '#shared/api/api.ts';
import { hiddenSecret } from '#shared/text/text.ts';
import type { ServerConfig } from '#shared/vocabulary/server.ts';

/** What is run or reached, on one line. */
export function describeTarget({ config }: ServerView): string {
  const given = config as ServerConfig;
  switch (given.type) {
    case 'stdio':
      return [given.command, ...given.args].map(quoted).join(' ');
    case 'streamableHttp':
    case 'sse':
      return given.baseUrl;
    case 'inMemory':
      return 'built in';
  }
}

/** Everything that decides what is run or reached; secret values are hidden by the API. */
export function describeLaunch({
  config,
}: Pick<ServerView, 'config'>): [label: string, text: string][] {
  const given = config as ServerConfig;
  if (given.type === 'inMemory') return [['built in', given.builtin]];
  if (given.type !== 'stdio')
    return [['address', given.baseUrl], ...named('header', given.headers ?? {})];
  return [
    ['command', quoted(given.command)],
    ...given.args.map((arg): [string, string] => ['argument', quoted(arg)]),
    ...named('variable', given.env),
    ...(given.cwd ? [['folder', quoted(given.cwd)] satisfies [string, string]] : []),
    ...(given.registryUrl ? [['registry', given.registryUrl] satisfies [string, string]] : []),
  ];
}

function named(label: string, values: Record<string, string>): [label: string, text: string][] {
  return Object.entries(values).map(([key, value]) => [
    label,
    value === hiddenSecret
      ? `${quoted(key)} (its value is not shown)`
      : `${quoted(key)}=${quoted(value)}`,
  ]);
}

/** A word as it is; in quotes where it would not be seen where it begins and ends. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word);
}
