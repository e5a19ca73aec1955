import { listSecrets } from '#shared/api/server-secrets.ts';
import { CeriseError, hintOf, messageOf } from '#shared/errors/errors.ts';
import { say, type Sentence, type Words } from '#shared/errors/sentence.ts';
import { asSentence, truncate } from '#shared/text/text.ts';
import type { RequestAnswers } from '#shared/vocabulary/server-request.ts';
import type {
  ServerConfig,
  ServerFix,
  ServerRecord,
  StdioConfig,
} from '#shared/vocabulary/server.ts';
import type { TelemetryDetail } from '#shared/telemetry/telemetry.ts';
import type { Authorizer } from '../auth/authorizer.ts';
import type { BuiltinServer } from '../channels/memory-channel.ts';
import type { StdioDeps } from '../channels/stdio-channel.ts';
import type { Sandbox } from '../process/sandbox.ts';
import type { Channel, Era } from '../protocol/channel.ts';
import { McpClient, type ServerNews } from '../protocol/client.ts';
import { bodyWords } from '../http/body-words.ts';
import { assertPackage, packageRun } from '../install/package-run.ts';
import type { LogRing } from '../process/log-ring.ts';
import { environmentFolder, startedFrom } from '../bundles/bundle-launch.ts';
import { classifyError } from './classify-error.ts';
import { Connection } from './connection.ts';
import { chooseLine } from './choose-line.ts';
import { adviceFor, hintForExit, missingHeader } from './end-advice.ts';
import { launchHash } from './launch-hash.ts';
import { type HostVariables, resolveVariables } from './resolve-variables.ts';
import type { EndReason } from './end-cause.ts';
import { recogniseEnd } from './recognise-end.ts';
import { startLimitMs, watchStart } from './slow-start.ts';

/** Remembers which era a server spoke, by its launch hash, so that it is not asked again. */
export interface EraMemory {
  get(launchHash: string): Era | undefined;
  set(launchHash: string, era: Era): void;
}

/** What opening a connection needs from its surroundings. */
export interface OpenDeps extends Omit<StdioDeps, 'place'> {
  /** Where packages are installed, each in a folder of its own. */
  packagesFolder: string;
  /** What confines local servers; absent: nothing does. */
  sandbox?: Sandbox | undefined;
  builtin: (name: string, owner: string) => Promise<BuiltinServer>;
  clientInfo: { name: string; version: string };
  answers?: RequestAnswers;
  eras: EraMemory;
  /** Credentials for a server that needs a sign-in; absent: none are had. */
  authorizer?: (record: ServerRecord) => Authorizer | undefined;
  /** Variables of the host that servers may use; absent: none. */
  hostVariables?: HostVariables;
  /** The folder with the files of a bundle, by its hash; absent: there are no bundles. */
  unpack?: (hash: string) => Promise<string>;
  /** Told of every request to the server. */
  watch?: Pick<TelemetryDetail, 'requestStarted'> | undefined;
}

interface OpenOptions extends OpenDeps {
  signal: AbortSignal;
  news: ServerNews;
  /** Told what was tried to reach the server and what came of it. */
  onProbe: (words: Words) => void;
  /** Told what is being downloaded or installed, in the words of who does it; undefined once that is over. */
  onInstall: (text: string | undefined) => void;
}

/** Connects to a server and greets it, in whichever era and transport it answers. Throws CeriseError. */
export async function openConnection(
  record: ServerRecord,
  options: OpenOptions,
): Promise<Connection> {
  try {
    return await openInAnyWay(record, options);
  } catch (error) {
    throw explain(error, record.config, options);
  }
}

async function openInAnyWay(record: ServerRecord, options: OpenOptions): Promise<Connection> {
  const { config } = record;
  const { eras, onProbe } = options;
  const known = eras.get(launchHash(config));
  try {
    return await open(record, options, await createChannel(record, options), known);
  } catch (error) {
    if (options.signal.aborted) throw error;
    if (endedByProbe(config, known, error) && !reasonOf(error, config, options.log)?.cause) {
      onProbe(
        say(
          'probe-ended',
        )`The process exited on the first request; restarting it with the older handshake`,
      );
      return open(record, options, await createChannel(record, options), 'legacy');
    }
    if (config.type === 'streamableHttp' && isOldHttp(error)) {
      onProbe(say('probe-sse')`No Streamable HTTP at this URL; trying HTTP with SSE`);
      const old = { ...record, config: { ...config, type: 'sse' as const } };
      try {
        return await open(record, options, await createChannel(old, options), 'legacy');
      } catch (second) {
        throw plainer(error, second);
      }
    }
    throw error;
  }
}

async function open(
  record: ServerRecord,
  options: OpenOptions,
  channel: Channel,
  known: Era | undefined,
): Promise<Connection> {
  const { clientInfo, answers, news, log, eras, limits } = options;
  const note = (text: string): void => log.push('event', truncate(text, 500));
  const { config } = record;
  const start = watchStart(record.config, channel, options);
  const { signal } = start;
  const meeting = McpClient.open({
    channel,
    clientInfo,
    server: { id: record.id, name: config.name },
    ...(answers && { answers }),
    logLevel: config.logLevel ?? 'info',
    ...(known && { knownEra: known }),
    signal,
    news,
    note,
    redact: (text) => log.redact(text),
    limits: { initialiseTime: start.mostMs },
    onProbe: options.onProbe,
    watch: options.watch,
  });
  const client = await meeting.finally(() => start.end());
  eras.set(launchHash(config), client.greeting.agreement.era);
  return new Connection({ kind: channel.kind, client, note, limits });
}

/** The code of a transport is loaded at its first use, which keeps the start of the host fast. */
async function createChannel(given: ServerRecord, options: OpenOptions): Promise<Channel> {
  const { record, secrets } = resolveVariables(given, options.hostVariables ?? (() => undefined));
  const { config } = record;
  options.log.setSecrets([...listSecrets(given.config), ...secrets]);
  switch (config.type) {
    case 'stdio': {
      const [{ StdioChannel }, ready] = await Promise.all([
        import('../channels/stdio-channel.ts'),
        makeReady(config, options),
      ]);
      const { sandbox } = options;
      const { readable, writable } = ready;
      const own = sandbox?.folderOf(record.id) ?? '';
      const place = sandbox && { sandbox, own, readable, writable };
      return new StdioChannel(ready.config, { ...options, place });
    }
    case 'inMemory': {
      const { MemoryChannel } = await import('../channels/memory-channel.ts');
      return new MemoryChannel(() => options.builtin(config.builtin, record.owner));
    }
    case 'streamableHttp':
    case 'sse': {
      const { createHttpChannel } = await import('../channels/create-http-channel.ts');
      const authorizer = options.authorizer?.(record);
      const { log, limits } = options;
      return createHttpChannel(config, { authorizer, log, limits, publicOnly: record.publicOnly });
    }
  }
}

/** Some old servers end themselves at a first request they do not know. */
function endedByProbe(config: ServerConfig, known: Era | undefined, error: unknown): boolean {
  if (config.type !== 'stdio' || known !== undefined) return false;
  const isEnd = error instanceof CeriseError && error.code === 'connection_lost';
  return isEnd && error.messageSaid?.id !== 'install-failed';
}

/** A server of 2024-11-05 knows no POST at the address of its stream. */
function isOldHttp(error: unknown): boolean {
  if (!(error instanceof CeriseError)) return false;
  const { status } = (error.details ?? {}) as { status?: number };
  return error.code === 'http_error' && (status === 400 || status === 404 || status === 405);
}

/** Of two refusals the one to tell: the first, unless only the second asks for a sign-in or has words for it. */
function plainer(first: unknown, second: unknown): unknown {
  if (!(second instanceof CeriseError)) return second;
  if (second.code === 'sign_in_required' || second.code === 'cancelled') return second;
  const hasWords = (error: unknown) => /"?[a-z]/i.test(wordsIn(error) ?? '');
  return hasWords(second) && !hasWords(first) ? second : first;
}

/** What the body of a refusal said. */
function wordsIn(error: unknown): string | undefined {
  if (!(error instanceof CeriseError) || error.code !== 'http_error') return undefined;
  const { text } = (error.details ?? {}) as { text?: string };
  return text === undefined ? undefined : bodyWords(text);
}

/** What is run in the end, and the folders that it is in: it may read them, and changes nothing there. */
interface ReadyRun {
  config: StdioConfig;
  readable: string[];
  /** Where a runtime keeps the environment that it makes for a bundle. */
  writable: string[];
}

/** Unpacks or installs what the command runs, where that is a step of its own; only the run is returned. */
async function makeReady(given: StdioConfig, options: OpenOptions): Promise<ReadyRun> {
  const unpacked = await unpack(given, options);
  const { config, readable } = unpacked;
  assertPackage(config);
  if (!packageRun(config)) return unpacked;
  const { prepareRun } = await import('../install/prepare.ts');
  try {
    const prepared = await prepareRun(config, {
      ...options,
      silenceMs: startLimitMs(config, options.limits),
      onProgress: options.onInstall,
    });
    const { folder } = prepared;
    return {
      ...unpacked,
      config: prepared.config,
      readable: [...readable, ...(folder ? [folder] : [])],
    };
  } finally {
    options.onInstall(undefined);
  }
}

/** A bundle is started from where it is unpacked on this machine. */
async function unpack(config: StdioConfig, options: OpenOptions): Promise<ReadyRun> {
  const { bundle } = config;
  if (!bundle || !options.unpack) return { config, readable: [], writable: [] };
  const folder = await options.unpack(bundle.hash);
  const started = startedFrom(config, bundle, folder);
  const beside = environmentFolder(started, folder);
  return { config: started, readable: [folder], writable: beside ? [beside] : [] };
}

/** The failure as a person should read it: with what the process said of it, and what to do about it. */
function explain(error: unknown, config: ServerConfig, { log, signal }: OpenOptions): CeriseError {
  if (signal.aborted)
    return new CeriseError('cancelled', say('connecting-cancelled')`Connection cancelled.`);
  const failure = classifyError(error, 'connect');
  if (config.type !== 'stdio') return withHeaderFix(failure);
  if (failure.code === 'protocol_error') return withVariableFix(failure, config, log);
  const reason = reasonOf(failure, config, log);
  if (!reason) return failure;
  const { line, cause } = reason;
  const advice = cause && adviceFor(cause, config);
  const fact = startFact(failure);
  const message = line === undefined ? fact : withOutput(fact, line);
  const { hint = hintOf(failure) ?? endHint(failure) ?? unexplained, ...told } = advice ?? {};
  const details = { ...(failure.details as object | undefined), ...told };
  return new CeriseError(failure.code, message, { hint, details, cause: error });
}

/** What its exit code or signal alone tells. */
function endHint({ messageSaid }: CeriseError): Words | undefined {
  const [ending] = messageSaid?.values ?? [];
  return messageSaid?.id === 'process-ended-with' && ending !== undefined
    ? hintForExit(ending)
    : undefined;
}

const unexplained: Words = say(
  'fix-unexplained',
)`Check its log, and its documentation for the variables and arguments it needs.`;

/** What happened, as it is said of a start: there was nothing to finish yet. */
function startFact(failure: CeriseError): Words {
  const { id, values: [seconds] = [] } = failure.messageSaid ?? {};
  if (id !== 'not-finished' || typeof seconds !== 'number') return messageOf(failure);
  return say('start-timed-out')`The server didn't respond within ${seconds} s.`;
}

/** A server that names the header it misses is told what it needs. */
function withHeaderFix(failure: CeriseError): CeriseError {
  const name = missingHeader(wordsIn(failure) ?? '');
  if (name === undefined) return failure;
  const fix: ServerFix = { kind: 'header', name };
  const hint = say('fix-header')`Add the header ${name} to this server.`;
  const details = { ...(failure.details as object | undefined), fix };
  return new CeriseError(failure.code, messageOf(failure), { hint, details, cause: failure });
}

/** A server that answers with a refusal may have written which variable it misses. */
function withVariableFix(failure: CeriseError, config: StdioConfig, log: LogRing): CeriseError {
  const stderr = [failure.message, ...log.output.stderr];
  const { cause } = recogniseEnd({ output: { stderr, stdout: [] }, config });
  if (cause?.kind !== 'variable') return failure;
  const { hint, ...told } = adviceFor(cause, config);
  const details = { ...(failure.details as object | undefined), ...told };
  return new CeriseError(failure.code, messageOf(failure), { hint, details, cause: failure });
}

/** What a process wrote that explains its end; undefined where that is not the question. */
function reasonOf(error: unknown, config: ServerConfig, log: LogRing): EndReason | undefined {
  if (config.type !== 'stdio' || !(error instanceof CeriseError)) return undefined;
  if (error.code !== 'connection_lost' && error.code !== 'timed_out') return undefined;
  // An installation that stopped is no server that serves something else.
  const silent = error.code === 'timed_out' && error.messageSaid?.id !== 'install-silent';
  return recogniseEnd({ output: log.output, silent, config });
}

/** The end of a server that was connected, with the line that tells most of it and what to do about that. */
export function explainLoss(error: CeriseError, config: ServerConfig, log: LogRing): CeriseError {
  if (config.type !== 'stdio') return error;
  const line = chooseLine(log.output);
  const { code, details } = error;
  const message = line === undefined ? messageOf(error) : withOutput(messageOf(error), line);
  const kept = { details, cause: error };
  const stderr = line === undefined ? [] : [line];
  const { cause } = recogniseEnd({ output: { stderr, stdout: [] }, config });
  // It worked before, so it is tried again whatever the line says.
  const hint = cause ? adviceFor(cause, config).hint : (hintOf(error) ?? unexplained);
  return new CeriseError(code, message, { hint, ...kept });
}

/** A failure with the words of the process. */
function withOutput(message: Words, line: string): Sentence {
  return say('last-words')`${message} It reported: ${asSentence(truncate(line, 500))}`;
}
