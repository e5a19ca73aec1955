import type { Implementation } from '@modelcontextprotocol/client';
import { CeriseError } from '#shared/errors.ts';
import type { JsonObject } from '#shared/json.ts';
import type { Logger } from '#shared/ports.ts';
import type { ServerRecord, ServerState } from '#shared/server.ts';
import type { ToolProgress, ToolResult } from '#shared/tool.ts';
import { callLimits } from './call-limits.ts';
import type { Connection } from './connection.ts';
import { launchHash } from './launch-hash.ts';
import { LogRing } from './log-ring.ts';
import type { McpProcessTracker } from './process-tracker.ts';
import { holdError, isHeld, restingState, secretsOf } from './server-hold.ts';
import type { McpTool } from './tool-list.ts';
import { ToolsCache } from './tools-cache.ts';
import type { BuiltinServer } from './transports.ts';

/** What a server is doing, and why in a sentence a person can act on. */
export interface ServerStatus {
  state: ServerState;
  reason?: string;
  since: number;
}

/** A call to one tool. `callId` names it for `abortTool`. */
export interface ToolCallRequest {
  serverId: string;
  name: string;
  arguments: JsonObject;
  callId: string;
  signal?: AbortSignal;
  onProgress?: (progress: ToolProgress) => void;
}

/** What a managed server needs from the service. */
export interface ManagedServerDependencies {
  builtin: (name: string) => Promise<BuiltinServer>;
  tracker: McpProcessTracker;
  logger: Logger;
  clientInfo: Implementation;
  onStatus: (serverId: string, status: ServerStatus) => void;
}

interface Attempt {
  controller: AbortController;
  promise: Promise<Connection>;
}

/** One configured server: its connection, its list of tools and the calls that run on it. */
export class ManagedServer {
  readonly log = new LogRing();
  readonly #dependencies: ManagedServerDependencies;
  readonly #tools = new ToolsCache(() => this.connect().then((open) => open.listTools()));
  readonly #calls = new Map<string, AbortController>();
  #record: ServerRecord;
  #hash: string;
  #status: ServerStatus;
  #attempt: Attempt | undefined;
  #connection: Connection | undefined;

  constructor(record: ServerRecord, dependencies: ManagedServerDependencies) {
    this.#dependencies = dependencies;
    this.#record = record;
    this.#hash = launchHash(record.config);
    this.#status = { state: restingState(record), since: Date.now() };
    this.log.setSecrets(secretsOf(record));
  }

  get record(): ServerRecord {
    return this.#record;
  }

  get status(): ServerStatus {
    return this.#status;
  }

  /** Takes a new record. The connection goes on unless what is run or reached has changed. */
  async update(record: ServerRecord): Promise<void> {
    const hash = launchHash(record.config);
    const keep = hash === this.#hash && !isHeld(restingState(record));
    this.#record = record;
    this.#hash = hash;
    this.log.setSecrets(secretsOf(record));
    if (!keep) await this.stop();
    else if (isHeld(this.#status.state)) this.#setStatus('idle');
  }

  /** The open connection, the one being opened, or a new one. */
  connect(): Promise<Connection> {
    const held = holdError(this.#record);
    if (held) return Promise.reject(held);
    if (this.#connection) return Promise.resolve(this.#connection);
    if (!this.#attempt) {
      const controller = new AbortController();
      const promise = Promise.resolve().then(() => this.#open(controller));
      this.#attempt = { controller, promise };
    }
    return this.#attempt.promise;
  }

  /** Ends connection, process and running calls. The next use connects again. */
  async stop(): Promise<void> {
    for (const call of this.#calls.values()) call.abort();
    const attempt = this.#attempt;
    const connection = this.#connection;
    this.#attempt = undefined;
    this.#connection = undefined;
    this.#tools.reset();
    this.#setStatus(restingState(this.#record));
    attempt?.controller.abort();
    await Promise.all([
      attempt?.promise.then((late) => late.close(), ignoreAborted),
      connection?.close(),
    ]);
  }

  async checkConnectivity(): Promise<boolean> {
    try {
      const connection = await this.connect();
      await connection.ping();
      return true;
    } catch (error) {
      if (!(error instanceof CeriseError)) throw error;
      this.log.push('event', `not reachable: ${error.message}`);
      return false;
    }
  }

  async listTools(): Promise<McpTool[]> {
    this.#assertFree();
    return this.#tools.get();
  }

  /** Like `listTools`, but waits no longer than the connect limit and not at all for a dead server. */
  async listToolsSoon(): Promise<McpTool[]> {
    this.#assertFree();
    return this.#tools.getSoon();
  }

  async callTool(request: ToolCallRequest): Promise<ToolResult> {
    const { callId, name } = request;
    this.#assertCallable(request);
    const controller = new AbortController();
    this.#calls.set(callId, controller);
    const signal = request.signal
      ? AbortSignal.any([request.signal, controller.signal])
      : controller.signal;
    const started = performance.now();
    const fields = {
      serverId: this.#record.id,
      server: this.#record.config.name,
      tool: name,
      callId,
    };
    try {
      const connection = await abortable(this.connect(), signal);
      const { onProgress } = request;
      const result = await connection.callTool({
        name,
        arguments: request.arguments,
        limits: callLimits(this.#record.config),
        signal,
        onProgress: (progress) => onProgress?.(progress),
      });
      const outcome = result.isError ? 'tool_error' : 'succeeded';
      this.#dependencies.logger.info({ ...fields, outcome, ms: since(started) }, 'tool call ended');
      return result;
    } catch (error) {
      const outcome = error instanceof CeriseError ? error.code : 'internal';
      this.#dependencies.logger.warn(
        { ...fields, outcome, ms: since(started) },
        'tool call failed',
      );
      throw error;
    } finally {
      this.#calls.delete(callId);
    }
  }

  /** Whether such a call was running. */
  abortTool(callId: string): boolean {
    const call = this.#calls.get(callId);
    call?.abort();
    return call !== undefined;
  }

  async #open(controller: AbortController): Promise<Connection> {
    try {
      if (controller.signal.aborted)
        throw new CeriseError('cancelled', 'Connecting was cancelled.');
      this.#setStatus('connecting');
      this.log.forgetLastError();
      const connection = await this.#openConnection(controller.signal);
      if (controller.signal.aborted) {
        await connection.close();
        throw new CeriseError('cancelled', 'Connecting was cancelled.');
      }
      this.#attempt = undefined;
      this.#connection = connection;
      this.log.push('event', `connected, protocol ${connection.protocolVersion}`);
      this.#setStatus('connected');
      return connection;
    } catch (error) {
      if (!controller.signal.aborted) this.#connectFailed(error);
      throw error;
    }
  }

  /** The SDK is loaded here, at the first connection, to keep the start of the host fast. */
  async #openConnection(signal: AbortSignal): Promise<Connection> {
    const { openConnection } = await import('./connection.ts');
    const { builtin, tracker, clientInfo } = this.#dependencies;
    let connection: Connection | undefined;
    let ended = false;
    connection = await openConnection({
      config: this.#record.config,
      clientInfo,
      signal,
      builtin,
      tracker,
      log: this.log,
      onToolsChanged: () => this.#tools.invalidate(),
      onClose: () => {
        ended = true;
        if (connection) this.#connectionLost(connection);
      },
    });
    if (ended) throw new CeriseError('connection_lost', 'The server ended the connection.');
    return connection;
  }

  #connectFailed(error: unknown): void {
    const failure =
      error instanceof CeriseError
        ? error
        : new CeriseError('internal', 'Connecting failed for a reason of our own.', {
            cause: error,
          });
    this.#attempt = undefined;
    const { status } = (failure.details ?? {}) as { status?: number };
    const reason = [failure.message, failure.hint].filter(Boolean).join(' ');
    this.log.push('event', `connecting failed: ${reason}`);
    this.#setStatus(status === 401 ? 'needs-auth' : 'failed', this.log.redact(reason));
  }

  #connectionLost(connection: Connection): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    this.#tools.invalidate();
    const words = this.log.lastError ? ` Its last words: ${this.log.lastError}` : '';
    this.log.push('event', 'the connection ended');
    this.#setStatus('failed', `The server ended. The next use starts it again.${words}`);
    void connection.close();
  }

  #assertCallable({ callId, name }: ToolCallRequest): void {
    if (this.#calls.has(callId)) {
      throw new CeriseError('conflict', `A call with the id ${callId} is running already.`);
    }
    if (this.#record.config.disabledTools?.includes(name)) {
      throw new CeriseError('tool_not_found', `The tool ${name} is switched off.`, {
        hint: `Switch it on in the settings of ${this.#record.config.name}.`,
      });
    }
  }

  #assertFree(): void {
    const held = holdError(this.#record);
    if (held) throw held;
  }

  #setStatus(state: ServerState, reason?: string): void {
    if (state === this.#status.state && reason === this.#status.reason) return;
    this.#status = { state, ...(reason && { reason }), since: Date.now() };
    this.#dependencies.onStatus(this.#record.id, this.#status);
  }
}

function since(started: number): number {
  return Math.round(performance.now() - started);
}

function ignoreAborted(error: unknown): void {
  if (!(error instanceof CeriseError)) throw error;
}

async function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(new CeriseError('cancelled', 'The call was cancelled.'));
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  return Promise.race([promise, aborted]).finally(() =>
    signal.removeEventListener('abort', onAbort),
  );
}
