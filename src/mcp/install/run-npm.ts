import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { systemCode } from '#shared/errors/system-code.ts';
import type { StdioConfig } from '#shared/vocabulary/server.ts';
import { type Line, LineReader } from '../channels/line-reader.ts';
import type { LogRing } from '../process/log-ring.ts';
import type { McpProcessTracker } from '../process/process-tracker.ts';
import { installAccess, type Sandbox } from '../process/sandbox.ts';
import { startProcess } from '../process/start-process.ts';
import { isCredential, npmPlaces, scriptPlaces } from './npm-places.ts';
import { Silence } from './silence.ts';

const maxLineBytes = 4096;
const maxOutputChars = 64 * 1024;

/** A registry that cannot be reached is told of in seconds: the server is tried again anyway. */
const soonAgain = {
  npm_config_fetch_retry_mintimeout: '1000',
  npm_config_fetch_retry_maxtimeout: '5000',
};

/** What running npm needs from its surroundings. */
export interface NpmDeps {
  tracker: McpProcessTracker;
  log: LogRing;
  signal: AbortSignal;
  /** What confines it; absent: nothing does. */
  sandbox?: Sandbox | undefined;
  /** How long it may neither write nor work, in milliseconds. */
  silenceMs: number;
  /** Told what it is doing, in its own words. */
  onProgress: (text: string) => void;
}

/** What npm is to do. */
export interface NpmRun {
  args: string[];
  cwd: string;
  /** Packages whose own scripts run: they see no credentials, no cache, and write what they like to this folder. */
  scripts?: { packages: readonly string[]; folder: string };
}

/**
 * Runs npm to its end and returns what it printed. It gets no variables of the server but those that
 * are meant for npm. An abort, or silence, ends it with everything it started. Throws CeriseError.
 */
export async function runNpm(
  { command, env, registryUrl, name }: StdioConfig,
  { args, cwd, scripts }: NpmRun,
  { tracker, log, signal, sandbox, silenceMs, onProgress }: NpmDeps,
): Promise<string> {
  const npm = command.replace(/(npx|npm)((?:\.(?:cmd|exe))?)$/i, 'npm$2');
  const all = npmVariables(env);
  const forNpm = scripts ? withoutCredentials(all) : all;
  const places =
    sandbox && (scripts ? scriptPlaces(scripts.folder, all, scripts.packages) : npmPlaces(forNpm));
  const config: StdioConfig = {
    type: 'stdio',
    name,
    command: npm,
    args,
    env: { ...soonAgain, ...forNpm, ...places?.env },
    cwd,
    ...(registryUrl !== undefined && { registryUrl }),
  };
  // Of the person's files it sees the settings and the cache of npm, of our data only where it works.
  const place = sandbox &&
    places && {
      sandbox,
      own: cwd,
      access: installAccess,
      readable: sandbox.outsideData(places.readable),
      writable: sandbox.outsideData(places.writable),
    };
  const child = await startProcess(config, { tracker, log, signal, place });
  let output = '';
  let isSilent = false;
  const close = (): void => {
    killGroup(child.pid);
    void child.close();
  };
  const silence = new Silence({
    limitMs: silenceMs,
    activity: () => tracker.activity(child.id),
    onSilent: () => {
      isSilent = true;
      close();
    },
  });
  const hear = (line: Line): void => {
    silence.touch();
    const text = ('text' in line ? line.text : line.head).trim();
    if (text === '') return;
    if (!isFetch(text)) log.push('stderr', text);
    if (!/^npm (?:warn|notice)\b/i.test(text)) onProgress(progressText(text));
  };
  const stderr = new LineReader(maxLineBytes);
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk).forEach(hear));
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    silence.touch();
    output = (output + text).slice(-maxOutputChars);
  });
  signal.addEventListener('abort', close, { once: true });
  if (signal.aborted) close();
  try {
    child.stdin.end();
    const { code, signal: killedBy } = await child.exited;
    stderr.flush().forEach(hear);
    await child.close();
    signal.throwIfAborted();
    if (isSilent) throw tooSilent(silenceMs);
    if (code === 0) return output;
    const ending = killedBy ?? say('exit-code')`code ${code ?? 0}`;
    throw new CeriseError(
      'connection_lost',
      say('install-failed')`Installing the package failed with ${ending}.`,
    );
  } finally {
    silence.stop();
    signal.removeEventListener('abort', close);
  }
}

/** Nothing it does has to be finished: what it wrote is thrown away. */
function killGroup(pid: number): void {
  if (process.platform === 'win32') return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // It has just ended by itself.
    if (systemCode(error) !== 'ESRCH') throw error;
  }
}

function tooSilent(silenceMs: number): CeriseError {
  const seconds = Math.round(silenceMs / 1000);
  return new CeriseError(
    'timed_out',
    say('install-silent')`The installation made no progress for ${seconds} s and was stopped.`,
    {
      hint: say('install-silent-hint')`Check the network, or raise the server's start timeout.`,
    },
  );
}

/** What of a server's variables is about npm, its way to the registry and downloads; the others are the server's own. */
function npmVariables(env: Record<string, string>): Record<string, string> {
  const forNpm =
    /^(?:npm_config_.*|path|home|(?:https?|no|all)_proxy|node_extra_ca_certs|\w+_skip_(?:\w+_)?download|\w+_(?:mirror|(?:download|binary)_(?:base_url|host)))$/i;
  return Object.fromEntries(Object.entries(env).filter(([name]) => forNpm.test(name)));
}

function withoutCredentials(env: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isCredential(name)));
}

const fetched = /^npm http (?:fetch \S+ \d+|cache) (\S+)/;

/** A line about one download: there are hundreds, so they are progress and no log. */
function isFetch(text: string): boolean {
  return fetched.test(text);
}

/** A line of npm as people read it: of a download only what it was. */
function progressText(text: string): string {
  const source = fetched.exec(text)?.[1];
  if (source === undefined) return text;
  const named = source.replace(/@https?:.*$/, '');
  const path = named.replace(/^[a-z]+:\/\/[^/]*\//i, '').replace(/[?#].*$/, '');
  return path.replaceAll(/%2f/gi, '/').replaceAll('%40', '@');
}
