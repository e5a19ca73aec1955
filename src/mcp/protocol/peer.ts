import { CeriseError, hintOf, messageOf } from '#shared/errors/errors.ts';
import { rpcCode } from '#shared/errors/rpc-code.ts';
import { say } from '#shared/errors/sentence.ts';
import { CallError } from '#shared/vocabulary/call-error.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import type { McpRequestWatch } from '#shared/telemetry/telemetry.ts';
import type { ToolProgress } from '#shared/vocabulary/tool.ts';
import type { CallLimits } from './call-limits.ts';
import type { Channel, SendOptions } from './channel.ts';
import { Exchange } from './exchange.ts';
import { InFlight } from './in-flight.ts';
import {
  type RequestId,
  RpcError,
  type RpcErrorBody,
  type RpcMessage,
  type RpcRequest,
} from './messages.ts';
import { readProgress } from './read-progress.ts';
import type { StopSignal } from './stop.ts';

/** Cannot be cancelled: nothing but these may be sent before the two sides have met. */
const greetings: ReadonlySet<string> = new Set(['initialize', 'server/discover']);

/** How one request of ours is made. */
export interface RequestOptions extends SendOptions {
  limits: CallLimits;
  signal?: StopSignal | undefined;
  onProgress?: ((progress: ToolProgress) => void) | undefined;
  /** A subscription: the server may end it with a cancellation. */
  subscription?: boolean;
  /** Told the id before anything is sent. */
  onId?: (id: number) => void;
}

/** What the peer does with what the server sends of its own accord. */
export interface PeerHandlers {
  /** Answers a request of the server, or not at all; a thrown RpcError is its error answer. */
  onRequest(
    method: string,
    params: JsonObject,
    signal: AbortSignal,
    /** The request of ours that it came for, where that is known. */
    about?: RequestId,
  ): Promise<JsonObject | undefined>;
  onNotification(method: string, params: JsonObject): void;
  /** A sentence for the server's log. */
  note(text: string): void;
  /** Why the server refused something, without secrets that it repeats; absent: as it is. */
  redact?(text: string): string;
  onClose(error?: CeriseError): void;
  /** Told of a request that is about to be sent; absent: nobody wants to know. */
  watch?(method: string, params: JsonObject, id: number): McpRequestWatch;
}

/** JSON-RPC over one channel: numbers requests, matches answers, keeps the time, cancels. */
export class RpcPeer {
  readonly #channel: Channel;
  readonly #handlers: PeerHandlers;
  readonly #exchanges = new InFlight<Exchange>();
  readonly #incoming = new Map<RequestId, AbortController>();
  #late = 0;
  #closed: CeriseError | undefined;

  constructor(channel: Channel, handlers: PeerHandlers) {
    this.#channel = channel;
    this.#handlers = handlers;
  }

  /** Answers that came after we had given up. */
  get lateAnswers(): number {
    return this.#late;
  }

  get inFlight(): number {
    return this.#exchanges.size;
  }

  async open(): Promise<void> {
    await this.#channel.open({
      onMessage: (message, about) => this.#receive(message, about),
      onRequestFailed: (id, error) => this.#take(id)?.fail(error),
      onClose: (error) => this.#ended(error),
    });
  }

  /** The server's result. Rejects with RpcError (its answer) or CallError (ours). */
  request(method: string, params: JsonObject, options: RequestOptions): Promise<unknown> {
    const { signal } = options;
    if (this.#closed) return Promise.reject(closedBefore(this.#closed));
    if (signal?.aborted) return Promise.reject(cancelled());
    const id = this.#exchanges.nextId();
    const exchange = new Exchange(id, options, (error) => this.#giveUp(exchange, method, error));
    this.#exchanges.add(exchange);
    options.onId?.(id);
    if (options.onProgress) {
      params = withMeta(params, { progressToken: id });
    }
    // A subscription lasts as long as its connection, and says nothing of the server's speed.
    const watch = options.subscription ? undefined : this.#handlers.watch?.(method, params, id);
    if (watch?.traceparent !== undefined)
      params = withMeta(params, { traceparent: watch.traceparent });
    this.#channel.send({ jsonrpc: '2.0', id, method, params }, options);
    if (this.#incoming.size > 0) exchange.pause();
    return watch ? watched(exchange.answer, watch) : exchange.answer;
  }

  notify(method: string, params?: JsonObject): void {
    if (!this.#closed) this.#channel.send({ jsonrpc: '2.0', method, ...(params && { params }) });
  }

  /** Ends every request and the channel. Never throws. */
  async close(): Promise<void> {
    this.#ended();
    await this.#channel.close();
  }

  #receive(message: RpcMessage, about?: RequestId): void {
    if (!('method' in message)) {
      const exchange = this.#take(message.id);
      if (!exchange) this.#late++;
      else if (message.error === undefined) exchange.succeed(message.result);
      else exchange.fail(new RpcError(this.#errorBody(message.error)));
      return;
    }
    const params = isJsonObject(message.params) ? message.params : {};
    if ('id' in message && message.id !== undefined) void this.#answer(message, params, about);
    else this.#notified(message.method, params);
  }

  #notified(method: string, params: JsonObject): void {
    if (method === 'notifications/progress') {
      const found = readProgress(params);
      if (found) this.#exchange(found.token)?.progress(found.progress);
    } else if (method === 'notifications/cancelled') {
      const id = params.requestId as RequestId;
      this.#incoming.get(id)?.abort();
      this.#exchange(id)?.endedByServer();
    } else this.#handlers.onNotification(method, params);
  }

  async #answer(
    { id, method }: RpcRequest,
    params: JsonObject,
    about: RequestId | undefined,
  ): Promise<void> {
    const controller = new AbortController();
    if (this.#incoming.size === 0) for (const each of this.#exchanges.values()) each.pause();
    this.#incoming.set(id, controller);
    try {
      const result = await this.#handlers.onRequest(method, params, controller.signal, about);
      if (result && !controller.signal.aborted) this.#reply(id, { result });
    } catch (error) {
      this.#handlers.note(`answering ${method}: ${String(error)}`);
      if (!controller.signal.aborted) this.#reply(id, { error: toRpcError(error) });
    } finally {
      this.#incoming.delete(id);
      if (this.#incoming.size === 0) for (const each of this.#exchanges.values()) each.resume();
    }
  }

  #errorBody(error: unknown): RpcErrorBody {
    const body = toErrorBody(error);
    return { ...body, message: this.#handlers.redact?.(body.message) ?? body.message };
  }

  #reply(id: RequestId, answer: { result: JsonObject } | { error: RpcErrorBody }): void {
    if (!this.#closed) this.#channel.send({ jsonrpc: '2.0', id, ...answer });
  }

  /** Ends a request from our side and tells the server, in the way its transport has for it. */
  #giveUp(exchange: Exchange, method: string, error: CallError): void {
    if (!this.#exchanges.delete(exchange.id)) return;
    const told = this.#channel.cancel(exchange.id);
    if (!told && !greetings.has(method)) {
      this.notify('notifications/cancelled', {
        requestId: exchange.id,
        reason: error.message,
      });
    }
    exchange.fail(error);
  }

  #ended(error?: CeriseError): void {
    if (this.#closed) return;
    this.#closed =
      error ??
      new CeriseError(
        'connection_lost',
        say('server-ended-connection')`The server closed the connection.`,
      );
    const lost = CallError.of(this.#closed, 'left');
    for (const exchange of this.#exchanges.values()) exchange.fail(lost);
    this.#exchanges.clear();
    for (const controller of this.#incoming.values()) controller.abort();
    this.#handlers.onClose(error);
  }

  /** Some servers send numbers back as strings. */
  #exchange(id: RequestId): Exchange | undefined {
    return this.#exchanges.get(Number(id));
  }

  #take(id: RequestId): Exchange | undefined {
    const exchange = this.#exchange(id);
    if (exchange) this.#exchanges.delete(exchange.id);
    return exchange;
  }
}

function withMeta(params: JsonObject, more: JsonObject): JsonObject {
  const meta = isJsonObject(params._meta) ? params._meta : {};
  return { ...params, _meta: { ...meta, ...more } };
}

/** The same answer, whose end is told: by a code only, never by what a server wrote. */
async function watched(answer: Promise<unknown>, watch: McpRequestWatch): Promise<unknown> {
  try {
    const result = await answer;
    watch.end(isJsonObject(result) && result['isError'] === true ? 'tool_error' : undefined);
    return result;
  } catch (error) {
    if (error instanceof RpcError) watch.end(String(error.code));
    else watch.end(error instanceof CeriseError ? error.code : 'internal');
    throw error;
  }
}

function closedBefore(error: CeriseError): CallError {
  const hint = hintOf(error);
  return new CallError('never-left', 'connection_lost', messageOf(error), { hint });
}

function cancelled(): CallError {
  const message = say('request-cancelled')`The request was cancelled.`;
  return new CallError('never-left', 'cancelled', message);
}

function toErrorBody(error: unknown): RpcErrorBody {
  const { code, message, data } = isJsonObject(error) ? error : {};
  return {
    code: typeof code === 'number' ? code : rpcCode.internalError,
    message: typeof message === 'string' ? message : "The server didn't give a reason.",
    data,
  };
}

/** What a server learns of a failure on our side: never more than its kind. */
function toRpcError(error: unknown): RpcErrorBody {
  if (error instanceof RpcError) return { code: error.code, message: error.message };
  if (error instanceof CeriseError && error.code === 'denied')
    return { code: rpcCode.rejectedByUser, message: 'The user rejected the request.' };
  return { code: rpcCode.internalError, message: "The request couldn't be completed." };
}
