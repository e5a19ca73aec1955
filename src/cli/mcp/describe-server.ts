import type { ServerView } from '#shared/api/api.ts';
import { accessWords } from '#shared/api/access-words.ts';
import { hiddenSecret } from '#shared/text/text.ts';
import { displayLaunch } from '#shared/text/bundle-variables.ts';
import type { ServerAccess } from '#shared/vocabulary/server-access.ts';
import type { ServerConfig } from '#shared/vocabulary/server.ts';
import { say, type Sentence, type Words } from '#shared/errors/sentence.ts';
import { tell } from '../messages/tell.ts';

/** What is run or reached: what it is, and its words. */
export type Fact = [label: Sentence, text: Words];

const builtIn = say('cli-built-in')`built-in`;

/** What is run or reached, on one line. */
export function describeTarget({ config }: ServerView): string {
  const given = config as ServerConfig;
  switch (given.type) {
    case 'stdio':
      if (given.bundle)
        return `${tell(say('cli-bundle')`bundle`)} ${quoted(given.bundle.name)} ${quoted(given.bundle.version)}`;
      return [given.command, ...given.args].map(quoted).join(' ');
    case 'streamableHttp':
    case 'sse':
      return given.baseUrl;
    case 'inMemory':
      return tell(builtIn);
  }
}

/** Everything that decides what is run or reached; secret values are hidden by the API. */
export function describeLaunch({ config }: Pick<ServerView, 'config'>): Fact[] {
  const given = config as ServerConfig;
  if (given.type === 'inMemory') return [[builtIn, given.builtin]];
  if (given.type !== 'stdio')
    return [
      [say('cli-address')`URL`, given.baseUrl],
      ...named(say('cli-header')`header`, given.headers ?? {}),
    ];
  const { command, args, env, cwd } = displayLaunch(given);
  return [
    ...describeBundle(given),
    [say('cli-command')`command`, quoted(command)],
    ...args.map((arg): Fact => [say('cli-argument')`argument`, quoted(arg)]),
    ...named(say('cli-variable')`variable`, env),
    ...(cwd ? [[say('cli-folder')`directory`, quoted(cwd)] satisfies Fact] : []),
    ...(given.registryUrl
      ? [[say('cli-registry')`registry`, given.registryUrl] satisfies Fact]
      : []),
    ...describeAccess(given.access),
  ];
}

/** What a local server may reach. */
export function describeAccess(access: ServerAccess | undefined): Fact[] {
  const { files, network } = accessWords(access);
  return [
    ...files.map((words): Fact => [say('cli-files')`files`, words]),
    [say('cli-network')`network`, network],
  ];
}

/** Where a server was installed from. Nobody has verified who published it. */
function describeBundle({ bundle }: Extract<ServerConfig, { type: 'stdio' }>): Fact[] {
  if (!bundle) return [];
  const publisher = say('cli-unverified')`${quoted(bundle.publisher)} (unverified)`;
  return [
    [say('cli-bundle')`bundle`, `${quoted(bundle.name)} ${quoted(bundle.version)}`],
    [say('cli-publisher')`publisher`, publisher],
    [say('cli-sha256')`sha-256`, bundle.hash],
  ];
}

function named(label: Sentence, values: Record<string, string>): Fact[] {
  return Object.entries(values).map(([key, value]) => [
    label,
    value === hiddenSecret
      ? say('cli-hidden')`${quoted(key)} (value hidden)`
      : `${quoted(key)}=${quoted(value)}`,
  ]);
}

/** A word as it is; in quotes where it would not be seen where it begins and ends. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word);
}
