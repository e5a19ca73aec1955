import type { EndCause, Recogniser } from './end-cause.ts';

const disk: Recogniser = (line) =>
  /ENOSPC(?!.*watchers)|no space left on device/i.test(line) ? { kind: 'disk' } : undefined;

const daemon: Recogniser = (line) =>
  /Cannot connect to the Docker daemon|docker daemon is not running|failed to connect to the docker API|docker: error during connect|pipe\/docker\w*Engine/i.test(
    line,
  )
    ? { kind: 'daemon' }
    : undefined;

/** The engine of podman is a machine of its own where there is no Linux. */
const machine: Recogniser = (line) =>
  /Cannot connect to Podman|unable to connect to Podman socket/i.test(line)
    ? { kind: 'command', command: 'podman machine start' }
    : undefined;

const port: Recogniser = (line) => {
  if (
    !/EADDRINUSE|address already in use|port \d+ (?:is|was) (?:already )?in use|port is already allocated|Only one usage of each socket address/i.test(
      line,
    )
  )
    return undefined;
  const number = /(?::|port |', )(\d{2,5})\b/i.exec(line)?.[1];
  return { kind: 'port', ...(number !== undefined && { port: number }) };
};

const permission: Recogniser = (line) => {
  const owned = /^sudo chown -R \S+ "([^"]+)"/.exec(line)?.[1];
  if (owned === undefined && !/EACCES|EPERM|EROFS|permission denied/i.test(line)) return undefined;
  const path = owned ?? /'([^']*[/\\][^']*)'/.exec(line)?.[1];
  return { kind: 'permission', ...(path !== undefined && { path }) };
};

const runtime: Recogniser = (line) => {
  const missing =
    /spawn (\S+) ENOENT/.exec(line) ??
    /^syscall spawn (\S+)/.exec(line) ??
    /: (\S+): bad interpreter:/.exec(line) ??
    (line.includes('OCI runtime')
      ? null
      : /exec: "([^"]+)": executable file not found/.exec(line)) ??
    /^(?:\/usr\/bin\/)?env: [‘'"]?([\w.-]+)[’'"]?: No such file/.exec(line) ??
    /^(?:(?:\/usr)?(?:\/bin\/)?(?:sh|bash|zsh)|pyenv)(?:: (?:line )?\d+)?: ([\w.-]+): (?:command )?not found/.exec(
      line,
    ) ??
    /command not found: ([\w.-]+)/.exec(line) ??
    /'([\w.-]+)' is not recognized as an internal or external command/.exec(line) ??
    /^Volta error: Could not find executable "([^"]+)"/.exec(line);
  const named =
    /\b([\w-]+) executable not found|Could not find any (\w+) installation|^(Python) was not found; run/i.exec(
      line,
    ) ?? /Unable to locate a (Java) Runtime/i.exec(line);
  const program = missing?.[1] ?? named?.slice(1).find(Boolean)?.toLowerCase();
  return program === undefined ? undefined : { kind: 'runtime', program };
};

const node: Recogniser = (line, { output }) => {
  const wanted =
    /(?:requires?|needs?|minimum|at least|unsupported)\b[^.]*?\bnode(?:\.?js)?\b[^\d<>=^~]*([<>=^~]*\s*v?\d+(?:\.\d+)*)/i.exec(
      line,
    )?.[1];
  if (wanted !== undefined) return { kind: 'node', wanted };
  const upgrade = /upgrade (?:to )?Node(?:\.js)? ?v?([\d.]*\d)?/i.exec(line);
  if (upgrade) return { kind: 'node', ...(upgrade[1] && { wanted: upgrade[1] }) };
  if (!/EBADENGINE|ERR_REQUIRE_ESM|Not compatible with your version of node/.test(line))
    return undefined;
  const engine = /Required: \{"node":"([^"]+)"/.exec(output.stderr.join('\n'))?.[1];
  return { kind: 'node', ...(engine !== undefined && { wanted: engine }) };
};

/** A part that was compiled for another Node. */
const rebuild: Recogniser = (line) =>
  /compiled against a different Node\.js version|NODE_MODULE_VERSION/.test(line)
    ? { kind: 'rebuild' }
    : undefined;

/** The class files of Java 1.0 have version 45. */
const javaBefore = 44;

/** Other languages whose version is too old. */
const language: Recogniser = (line) => {
  const python = /Python version \([^)]*\) does not satisfy Python([<>=!~.,\d]*\d)/.exec(line)?.[1];
  if (python !== undefined) return { kind: 'language', program: 'Python', wanted: python };
  const uv = /No interpreter found for Python ([\d.]*\d)/.exec(line)?.[1];
  if (uv !== undefined) return { kind: 'language', program: 'Python', wanted: uv };
  const dotnet = /^Framework: 'Microsoft\.\w+(?:\.\w+)*', version '([\d.]+)'/.exec(line)?.[1];
  if (dotnet !== undefined) return { kind: 'language', program: '.NET', wanted: dotnet };
  const go = /requires go >= ([\d.]*\d)/.exec(line)?.[1];
  if (go !== undefined) return { kind: 'language', program: 'Go', wanted: go };
  if (line.startsWith('No .NET SDKs were found')) return { kind: 'runtime', program: '.NET SDK' };
  const java = /UnsupportedClassVersionError.*\(class file version (\d+)/.exec(line)?.[1];
  if (java === undefined) return undefined;
  return { kind: 'language', program: 'Java', wanted: String(Number(java) - javaBefore) };
};

/** A step of its installation that is left to people. */
const command: Recogniser = (line) => {
  const words =
    /\bnpx (?:playwright install(?:-deps)?|puppeteer browsers install)(?: [\w-]+)*/.exec(line)?.[0];
  return words === undefined ? undefined : { kind: 'command', command: words };
};

const library: Recogniser = (line) => {
  const name =
    /loading shared libraries: ([^\s:]+)/.exec(line)?.[1] ??
    /\b(lib[\w.+-]+\.so[\d.]*): cannot open shared object file/.exec(line)?.[1];
  return name === undefined ? undefined : { kind: 'library', name };
};

/** Programs that fetch the package they run, with all that it needs. */
const fetchers = /(?:^|[\\/])(?:npx|npm|uvx?|pnpx?|pnpm|yarn|bunx|pipx)(?:\.(?:cmd|exe))?$/i;

const missingFile: Recogniser = (line, { config }) => {
  const path =
    /Cannot find (?:module|package) ['"]([^'"]+)['"]/.exec(line)?.[1] ??
    /can't open file '([^']+)'/.exec(line)?.[1] ??
    /(?:Module|Script) not found "([^"]+)"/.exec(line)?.[1] ??
    /Unable to access jarfile (\S+)/.exec(line)?.[1] ??
    /application to execute does not exist: '([^']+)'/.exec(line)?.[1] ??
    /Failed to change directory to `([^`]+)`/.exec(line)?.[1] ??
    /No module named '?([\w.]+?)(?:\.__main__)?(?=['\s;]|$)/.exec(line)?.[1] ??
    /cannot load such file -- ([\w./-]+)/.exec(line)?.[1] ??
    /Failed to spawn: `([^`]+)`/.exec(line)?.[1];
  if (path === undefined) return undefined;
  const isArgument = config.args.some(
    (word) => word !== '' && path.endsWith(word.replace(/^\.\//, '')),
  );
  if (isArgument) return { kind: 'file', path: foreignPath(config.args, path) ?? path };
  const isName = !/^(?:[./\\]|[A-Z]:)|:\/\//.test(path);
  const isOwn = config.command !== undefined && !fetchers.test(config.command);
  return isOwn && isName ? { kind: 'module', name: path } : { kind: 'broken' };
};

/** An argument that is no path on this machine stands behind our folder in what a program says. */
function foreignPath(args: readonly string[], path: string): string | undefined {
  return args.find((word) => /^(?:~\/|[A-Z]:\\)/i.test(word) && path.endsWith(word));
}

/** A file that it needs beside what it was told. */
const absent: Recogniser = (line) => {
  const path =
    /ENOENT: no such file or directory, \w+ '([^']+)'/.exec(line)?.[1] ??
    /No such file or directory: '([^']+)'/.exec(line)?.[1] ??
    /\b(?:open|l?stat) (\S+): no such file or directory/.exec(line)?.[1] ??
    /\b(?:file (?:was )?not found|no (?:[\w-]+ )?file found) (?:at|in):? (\/\S*\w)/i.exec(
      line,
    )?.[1] ??
    /(?:^|\s)(\.env(?:\.\w+)?) file (?:was )?not found/i.exec(line)?.[1] ??
    /\b(?:place|put|save) (\S+\.(?:json|ya?ml|toml)) in/i.exec(line)?.[1] ??
    /bind source path does not exist: (\S*\w)/.exec(line)?.[1] ??
    /(?:file|folder|directory|path) (?:does not|doesn't) exist: (\S*\w)/i.exec(line)?.[1];
  return path === undefined ? undefined : { kind: 'absent', path };
};

const address: Recogniser = (line) => {
  const host =
    /(?:ECONNREFUSED|ETIMEDOUT|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN) ([\w.:[\]-]+)/.exec(
      line,
    )?.[1] ??
    /error sending request for url \(https?:\/\/([^/)]+)/.exec(line)?.[1] ??
    /Cannot connect to host (\S*\w)/.exec(line)?.[1] ??
    /Connect Timeout Error \(attempted address(?:es)?: ([\w.:[\]-]*\w)/.exec(line)?.[1] ??
    /\bdial tcp (?:lookup )?([\w.:[\]-]*\w)/.exec(line)?.[1];
  const [, name, number] = /server at "([^"]+)".*, port (\d+) failed/.exec(line) ?? [];
  const place = host ?? (name === undefined ? undefined : `${name}:${number}`);
  return place === undefined ? undefined : { kind: 'service', address: place };
};

/** A certificate of another authority, as companies put before everything. */
const certificate: Recogniser = (line) =>
  /self[- ]signed certificate|CERTIFICATE_VERIFY_FAILED|unable to (?:get local issuer|verify the first) certificate|UNABLE_TO_(?:VERIFY|GET)\w*|SELF_SIGNED_CERT\w*|x509: certificate|invalid peer certificate|CERT_HAS_EXPIRED|certificate has expired|ERR_TLS_CERT_ALTNAME|valid certification path/i.test(
    line,
  )
    ? { kind: 'certificate' }
    : undefined;

const terminal: Recogniser = (line) =>
  /(?:std(?:in|out)|input(?: device)?|output) (?:is not|isn't|must be|not) an? (?:TTY|(?:interactive )?terminal)|setRawMode is not a function|Raw mode is not supported|(?:requires?|needs?|(?:run|used) in) an? (?:TTY|interactive terminal)|inappropriate ioctl for device/i.test(
    line,
  )
    ? { kind: 'terminal' }
    : undefined;

/** A question at the end of what it wrote, which it waits with. */
export const prompt = (line = ''): EndCause | undefined =>
  /^\?\s|\[y\/n\]|\(y\/n\)|\(yes\/no\)|\b(?:enter|type|press|choose|select|input|paste|continue|proceed|password|passphrase)\b.*[?:>]$/i.test(
    line,
  )
    ? { kind: 'prompt' }
    : undefined;

const display: Recogniser = (line) =>
  /Missing X server|cannot open display|without (?:having )?a? ?(?:XServer|X server) running/i.test(
    line,
  )
    ? { kind: 'display' }
    : undefined;

/** Errors that nobody's settings cause. */
export const crash = (line = ''): EndCause | undefined =>
  /^(?:\S+: )?(?:SyntaxError|ReferenceError|AttributeError|NameError|IndentationError|ImportError|TypeError)\b(?!.*(?:Invalid URL|fetch failed|\bJSON\b|authentication method|directory does not exist))|nil pointer dereference|index out of range|NullPointerException|Segmentation fault|segmentation violation|core dumped|UnhandledPromiseRejection|PHP (?:Fatal|Parse) error/.test(
    line,
  )
    ? { kind: 'crash' }
    : undefined;

const unreachable =
  /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT/;

const service: Recogniser = (line) => {
  const failed =
    /fetch failed|socket hang up|network error|connection refused|could not connect to|connection timeout|Name or service not known/i.test(
      line,
    );
  return failed || unreachable.test(line) ? { kind: 'service' } : undefined;
};

/** What of this machine it lacks. In this order: what is sure before what is likely. */
export const machineRecognisers: readonly Recogniser[] = [
  disk,
  daemon,
  machine,
  terminal,
  display,
  port,
  permission,
  runtime,
  language,
  command,
  library,
  rebuild,
  node,
];
export const certificateRecognisers: readonly Recogniser[] = [certificate];
export const fileRecognisers: readonly Recogniser[] = [missingFile];
export const serviceRecognisers: readonly Recogniser[] = [address, service, absent];

const ownAddress = /https?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]):\d+[\w/.-]*/g;
const ownPort =
  /\b(?:listening|running|started|starting|serving|available|ready)\b.*?(?:\bport:? ?|(?<=[\s*]):)(\d{2,5})\b/i;

/** The addresses at which a program says that it listens. */
export function addressesIn(line: string): string[] {
  return (line.match(ownAddress) ?? []).map((text) =>
    text.replace(/0\.0\.0\.0|\[::\]/, '127.0.0.1').replace(/\.$/, ''),
  );
}

/** Where most serve MCP on the port that a program says it listens on. */
export function portAddressesIn(line: string): string[] {
  const port = ownPort.exec(line)?.[1];
  return port === undefined ? [] : [`http://127.0.0.1:${port}/mcp`];
}
