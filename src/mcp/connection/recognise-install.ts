import { decodePercent } from '#shared/text/decode-percent.ts';
import type { Recogniser } from './end-cause.ts';

/** What npm, pnpm, yarn, bun, deno, uv, pip, docker, podman and dotnet write of a package that they cannot find. */
const packageMissing: Recogniser = (line) => {
  const tagged = /No match found for version (\S+)/.exec(line);
  if (tagged) return { kind: 'version', spec: tagged[1] ?? '' };
  const npm =
    /(?:requested resource )?'((?:@[^/'\s]+\/)?[^@'\s]+)@[^']*'.*(?:could not be found|is not in (?:this|the npm) registry)/.exec(
      line,
    );
  const others =
    /^((?:@[\w.-]+\/)?[\w.-]+) is not in the npm registry/.exec(line) ??
    /((?:@[\w.-]+\/)?[\w.-]+)@npm:\S+: Package not found/.exec(line) ??
    /GET https?:\/\/[^/\s]+\/(\S+) - 404$/.exec(line) ??
    /(?:npm package '|JSR package not found: )([^'\s]+)(?!\S*' matching)/.exec(line) ??
    /^(\S+) is not found in NuGet feeds/.exec(line);
  const uv = /(?:Because |^)(?:\W*)([\w.-]+) was not found in the package registry/.exec(line);
  const pip = /No matching distribution found for ([\w.-]+)$/.exec(line);
  const image =
    /(?:pull access denied for|in) ([^\s,]+?)(?:,|: requested access to the resource is denied)/.exec(
      line,
    );
  const name = (npm ?? others ?? uv ?? pip ?? image)?.[1];
  return name === undefined ? undefined : { kind: 'package', name: decodePercent(name) };
};

const version: Recogniser = (line) => {
  const npm = /No (?:matching version found|versions available) for (\S+?)(?:\.?$|\s)/.exec(line);
  const uv = /there is no version of ([\w.=-]+)/.exec(line);
  const pip = /No matching distribution found for ([\w.-]+==\S+)/.exec(line);
  const image =
    /manifest for (\S+) not found|docker:\/\/(\S+): .*manifest unknown/.exec(line) ?? undefined;
  const others =
    /^Version \S+ of package (\S+) is not found/.exec(line) ??
    /^(?:error: )?Could not find (?:version of|npm package) '([^']+)' (?:that )?match/.exec(line) ??
    /^go: (\S+@\S+): .*unknown revision/.exec(line);
  const spec = (npm ?? uv ?? pip ?? others)?.[1] ?? image?.[1] ?? image?.[2];
  return spec === undefined ? undefined : { kind: 'version', spec };
};

const network: Recogniser = (line) => {
  const npm = /request to \S+ failed, reason/.test(line);
  const uv =
    /Failed to (?:fetch|download)|Could not fetch URL|Failed loading https|proxy\.golang\.org.*dial tcp/i.test(
      line,
    );
  const image = /registry\S*: .*dial tcp|Client\.Timeout exceeded|TLS handshake timeout/.test(line);
  const busy =
    /^(?:Service Unavailable|Bad Gateway|Gateway Time-?out|Internal Server Error|Method Not Allowed|Proxy Authentication Required) - |^Socket timeout|^This is a problem related to network|integrity checksum failed/i;
  return npm || uv || image || busy.test(line) ? { kind: 'network' } : undefined;
};

/** A repository that Git cannot read. */
const git: Recogniser = (line) =>
  /Could not read from remote repository|could not read Username for|git@\S+: Permission denied \(publickey|Repository not found|repository '.*' not found|Git operation failed/i.test(
    line,
  )
    ? { kind: 'git' }
    : undefined;

/** A registry that wants to know who asks. */
const registry: Recogniser = (line) => {
  const npm =
    /requires you to be logged in to|Unable to authenticate|Incorrect or missing password|^40[13] (?:Forbidden|Unauthorized) - GET/i;
  if (npm.test(line)) return { kind: 'registry', sign: 'npm login' };
  const image = /Error response from daemon: .*\/v2\/.*(?:denied|unauthorized|forbidden)/i;
  return image.test(line) ? { kind: 'registry', sign: 'docker login' } : undefined;
};

const platform: Recogniser = (line) =>
  /Unsupported platform for|no matching manifest for \S+|Exec format error|version `GLIBC\w*_[\d.]+' not found/i.test(
    line,
  )
    ? { kind: 'platform' }
    : undefined;

/** Parts that are compiled at the installation. */
const build: Recogniser = (line) =>
  /^(?:Failed to build|gyp ERR! find)\b|node-gyp rebuild|build backend returned an error/.test(line)
    ? { kind: 'build' }
    : undefined;

/** A script that a package runs at its installation, as npm names it above what the script wrote. */
const script: Recogniser = (line) => {
  const command = /^command (?:\S*sh -c|\S*cmd(?:\.exe)? \/d \/s \/c) (.+)$/.exec(line)?.[1];
  return command === undefined ? undefined : { kind: 'script', command };
};

/** A program of the package that is not there, and packages that exclude each other. */
const otherProgram: Recogniser = (line) => {
  if (
    /is not provided by package|could not determine executable to run|The executable `[^`]+` was not found|executable script not found in package/.test(
      line,
    )
  )
    return { kind: 'argument' };
  return /ERESOLVE (?:unable|could not) |Unsupported URL Type|Invalid package\.json/.test(line)
    ? { kind: 'broken' }
    : undefined;
};

/** What goes wrong before a program runs at all. In this order: what is sure before what is likely. */
export const installRecognisers: readonly Recogniser[] = [
  platform,
  git,
  registry,
  packageMissing,
  version,
  network,
  otherProgram,
];

/** These only tell where nothing else does: what they need is named by other lines. */
export const buildRecognisers: readonly Recogniser[] = [build, script];
