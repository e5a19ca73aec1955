import { listSecrets } from '#shared/api/server-secrets.ts';
import { CeriseError, hintOf, messageOf } from '#shared/errors/errors.ts';
import { say, type Words } from '#shared/errors/sentence.ts';
import { truncate } from '#shared/text/text.ts';
import type { RequestAnswers } from '#shared/vocabulary/server-request.ts';
import type { ServerConfig, ServerRecord } from '#shared/vocabulary/server.ts';
import type { Authorizer } from '../auth/authorizer.ts';
import type { BuiltinServer } from '../channels/memory-channel.ts';
import type { StdioDeps } from '../channels/stdio-channel.ts';
import type { Sandbox } from '../process/sandbox.ts';
import type { Channel, Era } from '../protocol/channel.ts';
import { McpClient, type ServerNews } from '../protocol/client.ts';
import { classifyError } from './classify-error.ts';
import { Connection } from './connection.ts';
import { launchHash } from './launch-hash.ts';
import { type HostVariables, resolveVariables } from './resolve-variables.ts';

/** Remembers which era a server spoke, by its launch hash, so that it is not asked again. */
export interface EraMemory {
  get(launchHash: string): Era | undefined;
  set(launchHash: string, era: Era): void;
}

/** What opening a connection needs from its surroundings. */
export interface OpenDeps extends Omit<StdioDeps, 'place'> {
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
}

interface OpenOptions extends OpenDeps {
  signal: AbortSignal;
  news: ServerNews;
  /** Told what was tried to reach the server and what came of it. */
  onProbe: (words: Words) => void;
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
    if (endedByProbe(config, known, error)) {
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
      return open(record, options, await createChannel(old, options), 'legacy');
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
  const { clientInfo, answers, signal, news, log, eras, limits } = options;
  const note = (text: string): void => log.push('event', truncate(text, 500));
  const { config } = record;
  const client = await McpClient.open({
    channel,
    clientInfo,
    server: { id: record.id, name: config.name },
    ...(answers && { answers }),
    logLevel: config.logLevel ?? 'info',
    ...(known && { knownEra: known }),
    signal,
    news,
    note,
    limits,
    onProbe: options.onProbe,
  });
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
      const { StdioChannel } = await import('../channels/stdio-channel.ts');
      const { sandbox } = options;
      const place = sandbox && { sandbox, own: sandbox.folderOf(record.id) };
      return new StdioChannel(config, { ...options, place });
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
  return error instanceof CeriseError && error.code === 'connection_lost';
}

/** A server of 2024-11-05 knows no POST at the address of its stream. */
function isOldHttp(error: unknown): boolean {
  if (!(error instanceof CeriseError)) return false;
  const { status } = (error.details ?? {}) as { status?: number };
  return error.code === 'http_error' && (status === 400 || status === 404 || status === 405);
}

/** The failure as a person should read it, with the last words of the process. */
function explain(error: unknown, config: ServerConfig, { log, signal }: OpenOptions): CeriseError {
  if (signal.aborted)
    return new CeriseError('cancelled', say('connecting-cancelled')`Connection cancelled.`);
  const failure = classifyError(error, 'connect');
  if (config.type !== 'stdio' || log.lastError === undefined) return failure;
  if (failure.code !== 'connection_lost' && failure.code !== 'timed_out') return failure;
  const { code, details } = failure;
  const message = say(
    'last-words',
  )`${messageOf(failure)} Its last output: ${truncate(log.lastError, 500)}`;
  return new CeriseError(code, message, { hint: hintOf(failure), details, cause: error });
}
