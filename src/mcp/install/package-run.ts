import { basename } from 'node:path';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { splitOption } from '#shared/text/command-line.ts';
import type { StdioConfig } from '#shared/vocabulary/server.ts';

/** What `npx` is asked to run: packages that can be installed in a step of their own. */
export interface PackageRun {
  /** As npm takes them: `name`, `name@version`, `@scope/name@tag`. The first one has the program. */
  packages: [string, ...string[]];
  /** The program to run; absent: the one that the package is named for. */
  program?: string;
  args: string[];
  registryUrl?: string;
}

type Command = Pick<StdioConfig, 'command' | 'args'>;

/** Programs that fetch what they run. Of some, only with one of these words first. */
const runners: Record<string, readonly string[] | undefined> = {
  npx: undefined,
  uvx: undefined,
  bunx: undefined,
  npm: ['exec', 'x'],
  pnpx: undefined,
  pnpm: ['dlx', 'exec', 'x'],
  yarn: ['dlx'],
  bun: ['x'],
  uv: ['run', 'tool'],
  pipx: ['run'],
  docker: ['run', 'gateway'],
  podman: ['run'],
  nerdctl: ['run'],
  deno: ['run'],
  dnx: undefined,
  dotnet: ['run', 'exec'],
  go: ['run'],
  cargo: ['run'],
  nix: ['run', 'shell', 'develop'],
};

const mostBefore = 6;

/** The bare name of a program: no folder, no ending of Windows. */
function programName(command: string): string {
  return basename(command.replaceAll('\\', '/'))
    .replace(/\.(?:exe|cmd|bat)$/i, '')
    .toLowerCase();
}

/** Whether a command may download what it runs first, which takes as long as it takes. */
export function mayDownload({ command, args }: Command): boolean {
  const name = programName(command);
  if (!Object.hasOwn(runners, name)) return false;
  const words = runners[name];
  // Options with values may stand before it, as in `uv --directory FOLDER run FILE`.
  return words === undefined || args.slice(0, mostBefore).some((word) => words.includes(word));
}

/**
 * What an `npx` or `npm exec` would install and run. Undefined for any other command, and for what only
 * npm itself understands (a folder, an address, an option we do not know): that is started as it is.
 */
export function packageRun({ command, args }: Command): PackageRun | undefined {
  const name = programName(command);
  const words = [...args];
  if (name === 'npm') {
    const word = words.shift();
    if (word !== 'exec' && word !== 'x') return undefined;
  } else if (name !== 'npx') return undefined;
  return readWords(words, name === 'npm');
}

/** An `npx` that names nothing to run would open a shell, which takes our messages for commands. Throws `invalid_server`. */
export function assertPackage({ command, args }: Command): void {
  if (programName(command) !== 'npx') return;
  if (args.some((word) => !word.startsWith('-') || /^(?:-c|--call)(?:=|$)/.test(word))) return;
  throw new CeriseError('invalid_server', say('npx-no-package')`npx has no package to run.`, {
    hint: say('npx-no-package-hint')`Add the name of the package to the arguments.`,
  });
}

function readWords(words: string[], isNpm: boolean): PackageRun | undefined {
  const packages: string[] = [];
  let registryUrl: string | undefined;
  while (words[0]?.startsWith('-')) {
    const [option, inline] = splitOption(words.shift() ?? '');
    if (option === '--') break;
    if (['-y', '--yes', '-q', '--quiet', '--silent'].includes(option)) continue;
    if (!['-p', '--package', '--registry'].includes(option)) return undefined;
    const value = inline ?? words.shift();
    if (value === undefined) return undefined;
    if (option === '--registry') registryUrl = value;
    else packages.push(value);
  }
  const first = words.shift();
  // Everything after the name is the program's own, except that npm drops one `--`.
  if (isNpm && words[0] === '--') words.shift();
  if (first === undefined) return undefined;
  const named = packages.length > 0;
  const [head, ...others] = named ? packages : [first];
  if (head === undefined || ![head, ...others].every(isRegistrySpec)) return undefined;
  return {
    packages: [head, ...others],
    ...(named && { program: first }),
    args: words,
    ...(registryUrl !== undefined && { registryUrl }),
  };
}

const registrySpec =
  /^(?<name>(?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*)(?:@(?<version>[\w.^~<>=*|+ -]+))?$/i;

/** Whether npm takes it from its registry: no folder, file, address or alias. */
function isRegistrySpec(text: string): boolean {
  return registrySpec.test(text);
}

/** A package of a registry by its parts. */
export function parseSpec(text: string): { name: string; version?: string } {
  const { name = text, version } = registrySpec.exec(text)?.groups ?? {};
  return { name, ...(version !== undefined && { version }) };
}

/** Whether a version is a name such as `latest`, which may mean another version tomorrow. */
export function isTag(version: string | undefined): version is string {
  return version !== undefined && /^[a-z]/i.test(version) && !/^(?:v?\d|x\b)/i.test(version);
}
