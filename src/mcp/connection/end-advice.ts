import { say, type Words } from '#shared/errors/sentence.ts';
import type { ServerFix, StdioConfig } from '#shared/vocabulary/server.ts';
import { parseSpec } from '../install/package-run.ts';
import { installHint } from '../process/start-error.ts';
import type { EndCause } from './recognise-end.ts';
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
export function adviceFor(cause: EndCause, config: StdioConfig): EndAdvice {
  const fix = fixFor(cause, config);
  return { hint: hintFor(cause, fix), ...(fix && { fix }), final: !passing.has(cause.kind) };
}

/** These may be over without anybody's doing. */
const passing: ReadonlySet<EndCause['kind']> = new Set([
  'network',
  'service',
  'port',
  'disk',
  'daemon',
]);

function hintFor(cause: EndCause, fix: ServerFix | undefined): Words {
  switch (cause.kind) {
    case 'variable':
      return cause.names.length === 1
        ? say('fix-variable')`Add the variable ${cause.names.join()} to this server.`
        : say('fix-variables')`Add the variables ${cause.names.join(', ')} to this server.`;
    case 'argument':
      return say('fix-argument')`Check this server's arguments against its documentation.`;
    case 'package':
      return fix?.kind === 'argument'
        ? say('fix-package-near')`There is no package named ${cause.name}. Did you mean ${fix.to}?`
        : say('fix-package')`There is no package named ${cause.name}. Check its name.`;
    case 'version':
      return say('fix-version')`Choose another version, or none for the latest.`;
    case 'network':
      return say('fix-network')`Check this machine's network, and the registry of this server.`;
    case 'node':
      return cause.wanted === undefined
        ? say('fix-node')`Update Node.js on the machine that runs Cerise.`
        : say(
            'fix-node-version',
          )`It needs Node.js ${cause.wanted} on the machine that runs Cerise.`;
    case 'port':
      return say(
        'fix-port',
      )`Port ${cause.port} is in use. Stop the other program, or give this server another port.`;
    case 'permission':
      return cause.path === undefined
        ? say('fix-permission')`The user that runs Cerise doesn't have permission for this.`
        : say('fix-permission-path')`The user that runs Cerise isn't allowed to use ${cause.path}.`;
    case 'address':
      return say(
        'fix-address',
      )`It serves HTTP at ${cause.url} instead of stdio. Add its option for stdio (often --stdio), or run it yourself and connect to that address.`;
    case 'runtime':
      return installHint(cause.program);
    case 'file':
      return say('fix-file')`Check ${cause.path} in this server's arguments: it doesn't exist.`;
    case 'broken':
      return say('fix-broken')`The package is incomplete. Try another version of it.`;
    case 'service':
      return cause.address === undefined
        ? say(
            'fix-unreachable',
          )`It can't reach a service it needs. Check this machine's network and the addresses in this server's settings.`
        : say(
            'fix-service',
          )`It can't reach ${cause.address}. Check that it's running and can be reached from this machine, or fix the address in this server's settings.`;
    case 'disk':
      return say('fix-disk')`The disk is full. Free some space.`;
    case 'daemon':
      return say('fix-daemon')`Start Docker on the machine that runs Cerise.`;
    case 'text':
      return say(
        'fix-text',
      )`It writes text instead of MCP messages. Check that it's an MCP server, and add its option for stdio if it has one.`;
  }
}

function fixFor(cause: EndCause, { args }: StdioConfig): ServerFix | undefined {
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
      return from === undefined ? undefined : { kind: 'argument', from, to: parseSpec(from).name };
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
