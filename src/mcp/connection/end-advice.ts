import { homedir } from 'node:os';
import { join } from 'node:path';
import { say, type SentenceValue, type Words } from '#shared/errors/sentence.ts';
import type { ServerFix, StdioConfig } from '#shared/vocabulary/server.ts';
import { packageRun, parseSpec } from '../install/package-run.ts';
import { installHint } from '../process/start-error.ts';
import type { EndCause, PackageCause } from './end-cause.ts';
import { similarPackage } from './similar-package.ts';

/** What to do about an end. */
export interface EndAdvice {
  hint: Words;
  /** The change of the config that does it, where it can be told. */
  fix?: ServerFix;
  /** Trying again changes nothing: a person has to act first. */
  final: boolean;
}

/** Says what to do about a cause. Pure. */
export function adviceFor(given: EndCause, config: StdioConfig): EndAdvice {
  const cause = isOther(given, config) ? { kind: 'broken' as const } : given;
  const fix = fixFor(cause, config);
  const hint = isWithoutNetwork(cause, config) ? noNetwork : hintFor(cause, config, fix);
  return { hint, ...(fix && { fix }), final: noNetwork === hint || !passing.has(cause.kind) };
}

const noNetwork: Words = say(
  'fix-access-network',
)`This server has no network access. Allow it in the server's access settings if you trust it.`;

/** What it does not reach because of its access. An installation in a step of its own has the network. */
function isWithoutNetwork({ kind }: EndCause, config: StdioConfig): boolean {
  if (config.access?.network !== false) return false;
  return kind === 'service' || (kind === 'network' && !packageRun(config));
}

/** A package that the command does not name: one that the server's own package needs. */
function isOther(cause: EndCause, { args }: StdioConfig): boolean {
  if (cause.kind !== 'package' && cause.kind !== 'version') return false;
  const name = plainName(cause.kind === 'package' ? cause.name : withoutVersion(cause.spec));
  return !args.some((word) => plainName(word).includes(name));
}

/** Python's tools write one name in several ways. */
function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, '-');
}

function withoutVersion(spec: string): string {
  return spec.replace(/(?<=\w)(?:==|[@:])[^@=:/]+$/, '');
}

/** A file that its access may leave out. */
function isConfined({ access }: StdioConfig): boolean {
  return access !== undefined && access.files !== 'everything';
}

/** These may be over without anybody's doing. */
const passing: ReadonlySet<EndCause['kind']> = new Set([
  'network',
  'service',
  'port',
  'disk',
  'daemon',
  'busy',
  'crash',
]);

const crashSignals: ReadonlySet<string> = new Set([
  'SIGSEGV',
  'SIGBUS',
  'SIGABRT',
  'SIGILL',
  'SIGFPE',
]);

/** What to do about an end that nothing written explains. Pure. */
export function hintForExit(ending: SentenceValue): Words | undefined {
  if (typeof ending === 'object')
    return ending.values?.[0] === 0
      ? say(
          'fix-ended',
        )`It ended without an error instead of waiting for messages. Check that its command starts an MCP server over stdio.`
      : undefined;
  if (ending === 'SIGKILL')
    return say(
      'fix-killed',
    )`The system stopped it, most likely because memory ran out. Free some memory, then restart the server.`;
  return crashSignals.has(String(ending)) ? plainHints.crash : undefined;
}

/** What to do about causes that say nothing more of themselves. */
const plainHints = {
  argument: say('fix-argument')`Check this server's arguments against its documentation.`,
  setting: say(
    'fix-setting',
  )`Check the server's documentation for the variables and arguments it needs.`,
  disk: say('fix-disk')`The disk is full. Free some space.`,
  daemon: say('fix-daemon')`Start Docker on the machine that runs Cerise.`,
  certificate: say(
    'fix-certificate',
  )`This machine doesn't trust a certificate. Set NODE_EXTRA_CA_CERTS (Node.js) or SSL_CERT_FILE (others) to the file of your certificate authority.`,
  refused: say(
    'fix-refused',
  )`The service refused access. Check the key or password in this server's settings.`,
  busy: say('fix-busy')`Too many requests. Wait a while, then restart the server.`,
  prompt: say(
    'fix-prompt',
  )`It waits for input, and there is no terminal here. Set what it asks for in its variables or arguments, or complete its setup once on the machine that runs Cerise.`,
  display: say(
    'fix-display',
  )`This machine has no screen. Use the server's headless mode (often the option --headless).`,
  crash: say(
    'fix-crash',
  )`This looks like an error in the server itself. Try another version of it, or report it to its authors.`,
  text: say(
    'fix-text',
  )`It writes text instead of MCP messages. Check that it's an MCP server, and add its option for stdio if it has one.`,
  network: say('fix-network')`Check this machine's network, and the registry of this server.`,
  platform: say(
    'fix-platform',
  )`It doesn't support this machine's operating system or processor. Try another version.`,
  build: say(
    'fix-build',
  )`Part of it must be compiled. Install the build tools listed in its documentation, or try another version.`,
  rebuild: say(
    'fix-rebuild',
  )`It was compiled for another version of Node.js. Install it again, or run ${'npm rebuild'} in its folder.`,
  broken: say('fix-broken')`The package is incomplete. Try another version of it.`,
  git: say(
    'fix-git',
  )`Check the URL of the repository. If it's private, set up access to it with Git on the machine that runs Cerise.`,
};

function isPlain(cause: EndCause): cause is EndCause & { kind: keyof typeof plainHints } {
  return Object.hasOwn(plainHints, cause.kind);
}

function hintFor(cause: EndCause, config: StdioConfig, fix: ServerFix | undefined): Words {
  if (isPlain(cause)) return plainHints[cause.kind];
  switch (cause.kind) {
    case 'variable':
      return cause.names.length === 1
        ? say('fix-variable')`Add the variable ${cause.names.join()} to this server.`
        : say('fix-variables')`Add the variables ${cause.names.join(', ')} to this server.`;
    case 'port':
      return cause.port === undefined
        ? say(
            'fix-a-port',
          )`Its port is in use. Stop the other program, or give this server another port.`
        : say(
            'fix-port',
          )`Port ${cause.port} is in use. Stop the other program, or give this server another port.`;
    case 'permission':
      if (cause.path !== undefined && isConfined(config))
        return say(
          'fix-access-path',
        )`This server's access doesn't include ${cause.path}. Add the folder in the server's access settings if you trust it.`;
      return cause.path === undefined
        ? say('fix-permission')`The user that runs Cerise doesn't have permission for this.`
        : say('fix-permission-path')`The user that runs Cerise isn't allowed to use ${cause.path}.`;
    case 'terminal':
      return fix
        ? say('fix-terminal')`Remove the option -t from its arguments: there is no terminal here.`
        : say(
            'fix-no-terminal',
          )`It needs a terminal, and there is none here. Add its option for stdio, or check that this command starts an MCP server.`;
    case 'address':
      return say(
        'fix-address',
      )`It serves HTTP at ${cause.url} instead of stdio. Add its option for stdio (often --stdio), or run it yourself and connect to that URL.`;
    case 'file':
      if (fix?.kind === 'argument')
        return say('fix-home')`Write the full path, ${fix.to}: ~ only works in a shell.`;
      return say('fix-file')`Check ${cause.path} in this server's arguments: it doesn't exist.`;
    case 'absent':
      if (/^(?:.*[/\\])?\.env[^/\\]*$/.test(cause.path))
        return say(
          'fix-env-file',
        )`It looks for its variables in the file ${cause.path}. Add them to this server instead.`;
      return isConfined(config)
        ? say(
            'fix-absent-access',
          )`It can't find ${cause.path}. Check that it exists and that this server's access includes it.`
        : say(
            'fix-absent',
          )`It needs ${cause.path}, which doesn't exist. Create it, or set another path in this server's settings.`;
    case 'service':
      return cause.address === undefined
        ? say(
            'fix-unreachable',
          )`It can't reach a service it needs. Check this machine's network and the addresses in this server's settings.`
        : say(
            'fix-service',
          )`It can't reach ${cause.address}. Check that it's running and can be reached from this machine, or fix the address in this server's settings.`;
    case 'module':
      return say(
        'fix-module',
      )`It needs ${cause.name}, which isn't installed. Install what the server's documentation lists, in the environment that runs it.`;
    default:
      return packageHint(cause, fix);
  }
}

function packageHint(
  cause: Exclude<PackageCause, { kind: keyof typeof plainHints }>,
  fix: ServerFix | undefined,
): Words {
  switch (cause.kind) {
    case 'package':
      return fix?.kind === 'argument'
        ? say('fix-package-near')`There is no package named ${cause.name}. Did you mean ${fix.to}?`
        : cause.name.startsWith('@')
          ? say(
              'fix-package-scope',
            )`There is no package named ${cause.name}. Check its name. If it's private, set its registry and run ${'npm login'} on the machine that runs Cerise.`
          : say('fix-package')`There is no package named ${cause.name}. Check its name.`;
    case 'version':
      return say('fix-version')`Choose another version, or remove it to use the latest.`;
    case 'registry':
      return say(
        'fix-registry',
      )`The registry requires you to sign in. Run ${cause.sign} on the machine that runs Cerise.`;
    case 'language':
      return say(
        'fix-language',
      )`It needs ${cause.program} ${cause.wanted} on the machine that runs Cerise.`;
    case 'command':
      return say('fix-command')`Run ${cause.command} on the machine that runs Cerise.`;
    case 'script':
      return say(
        'fix-script',
      )`The package's install script failed: ${cause.command}. Its log says why. Install what it needs, or try another version.`;
    case 'library':
      return say(
        'fix-library',
      )`Install the system library ${cause.name} on the machine that runs Cerise.`;
    case 'node':
      return cause.wanted === undefined
        ? say('fix-node')`Update Node.js on the machine that runs Cerise.`
        : say(
            'fix-node-version',
          )`It needs Node.js ${cause.wanted} on the machine that runs Cerise.`;
    case 'runtime': {
      const hint = installHint(cause.program);
      return hint.id === 'install-program'
        ? say('fix-program')`Install ${cause.program} on the machine that runs Cerise.`
        : hint;
    }
  }
}

function fixFor(cause: EndCause, config: StdioConfig): ServerFix | undefined {
  if (isWithoutNetwork(cause, config)) return { kind: 'network' };
  const { args } = config;
  switch (cause.kind) {
    case 'variable':
      return { kind: 'variable', name: cause.names[0] ?? '' };
    case 'address':
      return { kind: 'address', url: cause.url };
    case 'package': {
      const from = args.find((word) => parseSpec(word).name === cause.name);
      const to = similarPackage(cause.name);
      return from === undefined || to === undefined ? undefined : { kind: 'argument', from, to };
    }
    case 'version': {
      const from = args.find((word) => word === cause.spec || word.endsWith(`@${cause.spec}`));
      const to = from && withoutVersion(from);
      // Go runs nothing of others without a version.
      if (from === undefined || to === undefined || to === from || config.command === 'go')
        return undefined;
      return { kind: 'argument', from, to };
    }
    case 'file': {
      const from = cause.path.startsWith('~/') ? cause.path : undefined;
      if (from === undefined) return undefined;
      return { kind: 'argument', from, to: join(homedir(), from.slice(2)) };
    }
    case 'terminal': {
      const from = args.find((word) => /^-(?:it|ti)$/.test(word));
      return from === undefined ? undefined : { kind: 'argument', from, to: '-i' };
    }
    default:
      return undefined;
  }
}

/** The header that a refusal says is missing. Pure. */
export function missingHeader(words: string): string | undefined {
  if (!/missing|required|no |provide|not set|must/i.test(words)) return undefined;
  const named =
    /\b(x-[a-z0-9-]+|authorization|api-key|apikey)\b(?=.{0,3} header| is (?:missing|required))/i.exec(
      words,
    ) ??
    /header[s:]* ['"`]?(x-[a-z0-9-]+|authorization|api-key)\b/i.exec(words) ??
    /\b(x-[a-z0-9-]*(?:key|token|auth)[a-z0-9-]*)\b/i.exec(words);
  return named?.[1];
}
