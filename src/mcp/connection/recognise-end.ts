import type { StdioConfig } from '#shared/vocabulary/server.ts';
import { candidates, chooseLine, cleanLine, type Output } from './choose-line.ts';

/** Why a server does not start, as far as a program can tell. */
export type EndCause =
  | { kind: 'variable'; names: string[] }
  | { kind: 'argument' }
  | { kind: 'package'; name: string }
  | { kind: 'version'; spec: string }
  | { kind: 'network' }
  | { kind: 'node'; wanted?: string }
  | { kind: 'port'; port: string }
  | { kind: 'permission'; path?: string }
  | { kind: 'address'; url: string }
  | { kind: 'runtime'; program: string }
  | { kind: 'file'; path: string }
  | { kind: 'broken' }
  | { kind: 'service'; address?: string }
  | { kind: 'disk' }
  | { kind: 'daemon' }
  | { kind: 'text' };

/** The line that explains an end, and what it means. */
export interface EndReason {
  line?: string;
  cause?: EndCause;
}

/** How it ended: by itself, or it runs and does not answer. */
export interface Ending {
  output: Output;
  /** It still ran: it did not answer in time. */
  silent?: boolean;
  config: Pick<StdioConfig, 'args' | 'env'>;
}

/** Tells a line that names its cause; undefined for any other. */
type Recogniser = (line: string, ending: Ending) => EndCause | undefined;

/** Finds out what explains an end. The first recogniser that knows any line decides. Pure. */
export function recogniseEnd(ending: Ending): EndReason {
  const { output, silent } = ending;
  const lines = candidates(output);
  const listening = silent ? listensAt(output) : undefined;
  if (listening) return listening;
  for (const recognise of recognisers) {
    for (const line of lines) {
      const cause = recognise(line, ending);
      if (cause) return { line: explaining(line, cause, lines), cause };
    }
  }
  const line = chooseLine(output);
  const cause = silent ? textOnly(output) : (oldNode(output) ?? textOnly(output));
  return { ...(line !== undefined && { line }), ...(cause && { cause }) };
}

/** npm warns of a Node that is too old and goes on: that counts where nothing else explains the end. */
function oldNode({ stderr }: Output): EndCause | undefined {
  if (!stderr.some((line) => line.includes('EBADENGINE'))) return undefined;
  const wanted = /required: \{ node: '([^']+)'/.exec(stderr.join('\n'))?.[1];
  return { kind: 'node', ...(wanted !== undefined && { wanted }) };
}

/** It wrote on stdout, and what it wrote there is no message. */
function textOnly({ stderr, stdout }: Output): EndCause | undefined {
  return stdout.length > 0 && candidates({ stderr, stdout: [] }).length === 0
    ? { kind: 'text' }
    : undefined;
}

/** A line that only says what to do stands with the one before, which says what is wrong. */
function explaining(line: string, { kind }: EndCause, lines: string[]): string {
  const before = lines[lines.indexOf(line) - 1];
  const follows = kind === 'variable' && /^(?:run|set|pass|use|please run)\b/i.test(line);
  return follows && before !== undefined ? `${before} ${line}` : line;
}

const variableName = /\b(?!ERR_|NODE_|DEP_|EAI_)[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g;
const lacking =
  /required|missing|KeyError|not (?:set|provided|found|defined|configured|specified)|must (?:be|set|have|provide)|please (?:set|provide|add|configure)|\bset (?:it|the|[A-Z])|provide|undefined|empty|no .*(?:key|token)|\bpass\b|need/i;

const variable: Recogniser = (line, { config }) => {
  if (!lacking.test(line)) return undefined;
  const single = /\b([A-Z][A-Z0-9]{2,})\b(?= (?:environment|env) var)/.exec(line)?.[1];
  const names = [...new Set(line.match(variableName) ?? (single ? [single] : []))].filter(
    (name) => !Object.hasOwn(config.env, name),
  );
  // Of several that would do, the first is asked for.
  const needed = names.slice(0, /\bor\b/i.test(line) ? 1 : 5);
  return needed.length > 0 ? { kind: 'variable', names: needed } : undefined;
};

const argument: Recogniser = (line) =>
  /^usage:|(?:command[- ]line|required|positional) arguments?|missing (?:required )?(?:argument|option|parameter)|required option|you must specify|unknown (?:option|argument|command|flag)|unrecognized (?:option|argument)|please provide .*argument|invalid (?:argument|option|url)\b|too (?:many|few) arguments/i.test(
    line,
  ) || /(?:required|missing|provide).*\s--\w/i.test(line)
    ? { kind: 'argument' }
    : undefined;

const packageMissing: Recogniser = (line) => {
  const tagged = /No match found for version (\S+)/.exec(line);
  if (tagged) return { kind: 'version', spec: tagged[1] ?? '' };
  const npm =
    /(?:requested resource )?'((?:@[^/'\s]+\/)?[^@'\s]+)@[^']*'.*(?:could not be found|is not in (?:this|the npm) registry)/.exec(
      line,
    );
  const uv = /(?:Because |^)(?:\W*)([\w.-]+) was not found in the package registry/.exec(line);
  const pip = /No matching distribution found for ([\w.-]+)$/.exec(line);
  const image =
    /(?:pull access denied for|repository does not exist.*|manifest for) ([^\s,]+)/.exec(line);
  const name = (npm ?? uv ?? pip ?? image)?.[1];
  return name === undefined ? undefined : { kind: 'package', name };
};

const version: Recogniser = (line) => {
  const npm = /No matching version found for (\S+?)\.?$/.exec(line);
  const uv = /there is no version of ([\w.=-]+)/.exec(line);
  const pip = /No matching distribution found for ([\w.-]+==\S+)/.exec(line);
  const image = /manifest unknown.*|manifest for (\S+) not found/.exec(line);
  const spec = (npm ?? uv ?? pip ?? image)?.[1];
  return spec === undefined ? undefined : { kind: 'version', spec };
};

const unreachable =
  /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|CERT_|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)|certificate/;

const network: Recogniser = (line) => {
  const npm = /request to \S+ failed, reason/.test(line);
  const uv = /Failed to (?:fetch|download)|error sending request for url|Could not fetch URL/i.test(
    line,
  );
  const image = /dial tcp|Client\.Timeout exceeded|TLS handshake timeout/.test(line);
  return npm || uv || image ? { kind: 'network' } : undefined;
};

const service: Recogniser = (line) => {
  const address =
    /(?:ECONNREFUSED|ETIMEDOUT|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN) ([\w.:[\]-]+)/.exec(
      line,
    )?.[1];
  if (address !== undefined) return { kind: 'service', address };
  const failed = /fetch failed|socket hang up|network error|connection refused/i.test(line);
  return failed || unreachable.test(line) ? { kind: 'service' } : undefined;
};

const node: Recogniser = (line) => {
  const wanted =
    /(?:requires?|needs?|minimum|at least|unsupported)\b[^.]*?\bnode(?:\.?js)?\b[^\d<>=^~]*([<>=^~]*\s*v?\d+(?:\.\d+)*)/i.exec(
      line,
    )?.[1];
  if (wanted !== undefined) return { kind: 'node', wanted };
  const upgrade = /upgrade (?:to )?Node(?:\.js)? ?v?([\d.]*\d)?/i.exec(line);
  if (upgrade) return { kind: 'node', ...(upgrade[1] && { wanted: upgrade[1] }) };
  return /compiled against a different Node\.js version|EBADENGINE|ERR_REQUIRE_ESM/.test(line)
    ? { kind: 'node' }
    : undefined;
};

const port: Recogniser = (line) => {
  if (!/EADDRINUSE|address already in use|port \d+ is (?:already )?in use/i.test(line))
    return undefined;
  return { kind: 'port', port: /(?::|port )(\d{2,5})\b/.exec(line)?.[1] ?? '' };
};

const permission: Recogniser = (line) => {
  if (!/EACCES|EPERM|permission denied/i.test(line)) return undefined;
  const path = /'([^']*[/\\][^']*)'/.exec(line)?.[1];
  return { kind: 'permission', ...(path !== undefined && { path }) };
};

const runtime: Recogniser = (line) => {
  const missing =
    /spawn (\S+) ENOENT/.exec(line) ??
    /^(?:\/usr\/bin\/)?env: [‘'"]?([\w.-]+)[’'"]?: No such file/.exec(line) ??
    /^(?:sh|bash|zsh|\/bin\/sh)(?:: (?:line )?\d+)?: ([\w.-]+): (?:command )?not found/.exec(
      line,
    ) ??
    /command not found: ([\w.-]+)/.exec(line);
  return missing?.[1] === undefined ? undefined : { kind: 'runtime', program: missing[1] };
};

const missingFile: Recogniser = (line, { config }) => {
  const path =
    /Cannot find (?:module|package) '([^']+)'/.exec(line)?.[1] ??
    /can't open file '([^']+)'/.exec(line)?.[1] ??
    /No module named '?([\w.]+)/.exec(line)?.[1];
  if (path === undefined) return undefined;
  const isArgument = config.args.some(
    (word) => word !== '' && path.endsWith(word.replace(/^\.\//, '')),
  );
  return isArgument ? { kind: 'file', path } : { kind: 'broken' };
};

const disk: Recogniser = (line) =>
  /ENOSPC|no space left on device/i.test(line) ? { kind: 'disk' } : undefined;

const daemon: Recogniser = (line) =>
  /Cannot connect to the Docker daemon|docker daemon is not running/i.test(line)
    ? { kind: 'daemon' }
    : undefined;

const ownAddress = /https?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]):\d+[\w/.-]*/g;

/** Where a server that says nothing here listens instead; an address of MCP before any other. */
function listensAt({ stderr, stdout }: Output): EndReason | undefined {
  const all = [...stdout, ...stderr].map(cleanLine).flatMap((line) =>
    (line.match(ownAddress) ?? []).map((text) => {
      const url = text.replace(/0\.0\.0\.0|\[::\]/, '127.0.0.1').replace(/\.$/, '');
      return { line: line.trim(), cause: { kind: 'address' as const, url } };
    }),
  );
  const at = (path: RegExp) => all.find(({ cause }) => path.test(cause.url));
  return at(/\/mcp\b/) ?? at(/\/sse\b/) ?? all[0];
}

/** In this order: what is sure before what is likely. */
const recognisers: readonly Recogniser[] = [
  packageMissing,
  version,
  network,
  disk,
  daemon,
  port,
  permission,
  runtime,
  node,
  variable,
  missingFile,
  argument,
  service,
];
