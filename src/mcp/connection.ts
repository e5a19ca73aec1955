import {
  Client,
  type Implementation,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { CeriseError } from '#shared/errors.ts';
import type { JsonObject } from '#shared/json.ts';
import { limits } from '#shared/limits.ts';
import type { ServerConfig } from '#shared/server.ts';
import { truncate } from '#shared/text.ts';
import type { ToolProgress, ToolResult } from '#shared/tool.ts';
import { type CallLimits, CallWatch } from './call-limits.ts';
import { classifyError, type Phase } from './classify-error.ts';
import { firstOpening, nextOpening, type Opening } from './era.ts';
import { ProgressRouter } from './progress-router.ts';
import { collectTools, type McpTool, toolPageSchema } from './tool-list.ts';
import { rawToolResultSchema, toToolResult } from './tool-result.ts';
import { createTransport, type TransportDependencies } from './transports.ts';

const modernVersion = '2026-07-28';
/** Our own clocks decide; the SDK's is set out of the way. */
const noTimeout = 2 ** 31 - 1;
const farewellTime = 1000;
const pingTime = 5000;

/** How to open a connection and whom to tell about it. */
export interface ConnectionOptions extends TransportDependencies {
  config: ServerConfig;
  clientInfo: Implementation;
  signal: AbortSignal;
  onToolsChanged: () => void;
  /** The connection ended, whoever ended it. Called once. */
  onClose: () => void;
}

/** One tool call on an open connection. */
export interface ConnectionCall {
  name: string;
  arguments: JsonObject;
  limits: CallLimits;
  signal?: AbortSignal;
  onProgress?: (progress: ToolProgress) => void;
}

/** Connects and greets the server within its limit. Throws CeriseError. */
export async function openConnection(options: ConnectionOptions): Promise<Connection> {
  const { config, log } = options;
  let opening = firstOpening(config.type);
  let first: unknown;
  for (;;) {
    try {
      return await open(options, opening);
    } catch (error) {
      first ??= error;
      const next = nextOpening(config.type, opening, error);
      // A process that refused the handshake said why at once; over HTTP the handshake says more.
      if (!next) throw explain(config.type === 'stdio' ? first : error, options);
      log.push('event', `opening as ${opening} failed, trying ${next}`);
      opening = next;
    }
  }
}

/** An open connection to one server. */
export class Connection {
  readonly #client: Client;
  readonly #transport: Transport;
  readonly #progress: ProgressRouter;
  readonly #note: (text: string) => void;

  constructor(parts: {
    client: Client;
    transport: Transport;
    progress: ProgressRouter;
    note: (text: string) => void;
  }) {
    this.#client = parts.client;
    this.#transport = parts.transport;
    this.#progress = parts.progress;
    this.#note = parts.note;
  }

  get protocolVersion(): string | undefined {
    return this.#client.getNegotiatedProtocolVersion();
  }

  /** Every tool of the server, over all pages. */
  async listTools(): Promise<McpTool[]> {
    if (!this.#client.getServerCapabilities()?.tools) return [];
    const signal = AbortSignal.timeout(limits.initialiseTime);
    return this.#attempt('list', () =>
      collectTools(
        (cursor) =>
          this.#client.request(
            { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
            toolPageSchema,
            { signal, timeout: noTimeout },
          ),
        this.#note,
      ),
    );
  }

  /**
   * Sends `tools/call` once, never again. On expiry or abort the server is told to stop and the call
   * fails as `timed_out` or `cancelled`; a connection that dies meanwhile gives `outcome_unknown`.
   */
  async callTool(call: ConnectionCall): Promise<ToolResult> {
    using watch = new CallWatch(call.limits, call.signal);
    using progress = this.#progress.open((step) => {
      watch.alive();
      call.onProgress?.(step);
    });
    const _meta = { progressToken: progress.token };
    try {
      watch.signal.throwIfAborted();
      const raw = await this.#client.request(
        { method: 'tools/call', params: { name: call.name, arguments: call.arguments, _meta } },
        rawToolResultSchema,
        { signal: watch.signal, timeout: noTimeout },
      );
      return toToolResult(raw);
    } catch (error) {
      const { ending } = watch;
      if (ending) throw new CeriseError(ending.code, ending.message, { cause: error });
      throw classifyError(error, 'call');
    }
  }

  /** Throws CeriseError unless the server answers. */
  async ping(): Promise<void> {
    const modern = this.#client.getProtocolEra() === 'modern';
    await this.#attempt('list', () =>
      modern
        ? this.#client.discover({ timeout: pingTime })
        : this.#client.ping({ timeout: pingTime }),
    );
  }

  /** Ends the connection and, for stdio, the process. Never throws. */
  async close(): Promise<void> {
    if (this.#transport instanceof StreamableHTTPClientTransport) await this.#leaveSession();
    await this.#transport
      .close()
      .catch((error: unknown) => this.#note(`closing: ${String(error)}`));
  }

  async #leaveSession(): Promise<void> {
    const transport = this.#transport as StreamableHTTPClientTransport;
    const leaving = transport
      .terminateSession()
      .catch((error: unknown) => this.#note(`leaving the session: ${String(error)}`));
    await withDeadline(leaving, farewellTime, () => undefined);
  }

  async #attempt<T>(phase: Phase, action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (error) {
      throw classifyError(error, phase);
    }
  }
}

async function open(options: ConnectionOptions, opening: Opening): Promise<Connection> {
  const { config, log, signal } = options;
  const transport = await createTransport(config, options);
  const client = createClient(options, opening);
  const progress = new ProgressRouter();
  progress.attach(transport);
  const time = config.type === 'stdio' ? limits.initialiseTime : limits.connectTime;
  const giveUp = (): void => {
    transport.close().catch((error: unknown) => log.push('event', `closing: ${String(error)}`));
  };
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    signal.throwIfAborted();
    await withDeadline(client.connect(transport, { timeout: noTimeout, signal }), time, () => {
      throw new CeriseError(
        'timed_out',
        `The server did not answer within ${time / 1000} seconds.`,
      );
    });
  } catch (error) {
    giveUp();
    throw error;
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
  Object.assign(client, { onclose: options.onClose });
  return new Connection({ client, transport, progress, note: (text) => log.push('event', text) });
}

function createClient({ clientInfo, log, onToolsChanged }: ConnectionOptions, opening: Opening) {
  const mode = opening === 'modern' ? { pin: modernVersion } : opening;
  const client = new Client(clientInfo, {
    capabilities: {},
    versionNegotiation: { mode, probe: { timeoutMs: limits.connectTime / 2 } },
  });
  const onerror = (error: Error): void => log.push('event', truncate(error.message, 500));
  Object.assign(client, { onerror });
  // Progress was delivered before the SDK sees it.
  client.setNotificationHandler('notifications/progress', () => undefined);
  client.setNotificationHandler('notifications/tools/list_changed', () => onToolsChanged());
  client.setNotificationHandler('notifications/message', ({ params }) => {
    const text = typeof params.data === 'string' ? params.data : JSON.stringify(params.data);
    log.push('log', `${params.level}: ${text}`);
  });
  return client;
}

/** The failure of an opening as a person should read it, with the last words of the process. */
function explain(error: unknown, { config, log, signal }: ConnectionOptions): CeriseError {
  if (signal.aborted) return new CeriseError('cancelled', 'Connecting was cancelled.');
  const failure = classifyError(error, 'connect');
  if (config.type !== 'stdio' || log.lastError === undefined) return failure;
  if (failure.code !== 'connection_lost' && failure.code !== 'timed_out') return failure;
  const { code, hint, details } = failure;
  const message = `${failure.message} Its last words: ${truncate(log.lastError, 500)}`;
  return new CeriseError(code, message, { hint, details, cause: error });
}

async function withDeadline<T, E>(
  promise: Promise<T>,
  time: number,
  onExpiry: () => E,
): Promise<T | E> {
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<E>((resolve, reject) => {
    timer = setTimeout(() => {
      try {
        resolve(onExpiry());
      } catch (error) {
        reject(error);
      }
    }, time);
  });
  return Promise.race([promise, expiry]).finally(() => clearTimeout(timer));
}
