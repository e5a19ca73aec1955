import { CeriseError } from '#shared/errors/errors.ts';
import type { SseEvent } from '#shared/text/sse-parser.ts';
import type { CallError } from '#shared/vocabulary/call-error.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { Authorizer } from '../auth/authorizer.ts';
import type { Http } from '../http/http-client.ts';
import {
  headerOf,
  type OutgoingRequest,
  type ResponseHead,
  type ResponseSink,
  type Sending,
} from '../http/http-message.ts';
import type { LogRing } from '../process/log-ring.ts';
import {
  type Agreement,
  type Channel,
  type ChannelEvents,
  type SendOptions,
} from '../protocol/channel.ts';
import type { RequestId, RpcMessage } from '../protocol/messages.ts';
import { sendAuthorized } from './http-authorized.ts';
import { type CallOwner, HttpCall } from './http-call.ts';
import { HttpEventStream } from './http-event-stream.ts';
import { checkAddress, configuredHeaders, modernHeaders, modernVersionOf } from './http-headers.ts';
import { InitializedGate, isInitialized } from './initialized-gate.ts';
import { readMessages } from './read-messages.ts';
import { failUnsent } from './unsent.ts';

const farewellMs = 1_000;

/** What a channel over HTTP needs. `http` is its own: it is closed with the channel. */
export interface HttpChannelOptions {
  url: URL;
  /** The ones an admin configured. */
  headers: Record<string, string>;
  authorizer?: Authorizer | undefined;
  http: Http;
  log: LogRing;
  limits: Pick<Limits, 'mcpMessage' | 'mcpMessageParts' | 'initialiseTime'>;
}

/** A channel over Streamable HTTP, in both eras: one POST a message, answers as JSON or as events. */
export function createStreamableHttpChannel(options: HttpChannelOptions): Channel {
  return new StreamableHttpChannel(options);
}

class StreamableHttpChannel implements Channel {
  readonly kind = 'streamableHttp';
  readonly #options: HttpChannelOptions;
  /** Requests that have no answer yet. */
  readonly #calls = new Map<RequestId, HttpCall>();
  /** All for which something may still come. */
  readonly #open = new Set<HttpCall>();
  readonly #gate = new InitializedGate();
  readonly #owner: CallOwner;
  #ownHeaders: Record<string, string> = {};
  #events: ChannelEvents | undefined;
  #agreement: Agreement | undefined;
  #session: string | undefined;
  #stream: HttpEventStream | undefined;
  #closed = false;

  constructor(options: HttpChannelOptions) {
    this.#options = options;
    this.#owner = {
      send: (request, sink) => this.#send(request, sink),
      limits: options.limits,
      redact: (text) => options.log.redact(text),
      resume: (sink, lastEventId) => this.#openStream(sink, lastEventId),
      onHead: (call, head) => this.#takeSession(call, head),
      onMessage: (message, about) => this.#events?.onMessage(message, about),
      onSettled: (call, error) => this.#settled(call, error),
      onDone: (call) => void this.#open.delete(call),
      onSessionLost: (error) => this.#sessionLost(error),
      hearsOtherwise: () => this.#stream !== undefined,
    };
  }

  async open(events: ChannelEvents): Promise<void> {
    checkAddress(this.#options.url);
    this.#ownHeaders = configuredHeaders(this.#options.headers);
    this.#events = events;
  }

  send(message: RpcMessage, options?: SendOptions): void {
    if (this.#closed) return failUnsent(this.#events, message);
    if (!this.#gate.holds(message, options)) this.#post(message, options);
  }

  cancel(id: RequestId): boolean {
    this.#gate.drop(id);
    return this.#drop(id)?.kind.modern ?? this.#agreement?.era === 'modern';
  }

  agree(agreement: Agreement): void {
    this.#agreement = agreement;
  }

  async close(): Promise<void> {
    const session = this.#session;
    if (this.#closed) return;
    this.#end();
    if (session !== undefined) await this.#sayGoodbye(session);
    await this.#options.http.close();
  }

  #drop(id: RequestId): HttpCall | undefined {
    const call = this.#calls.get(id);
    if (!call) return undefined;
    this.#calls.delete(id);
    this.#open.delete(call);
    call.abort();
    return call;
  }

  #post(message: RpcMessage, options: SendOptions | undefined): void {
    const version = modernVersionOf(message);
    if (greets(message)) this.#session = undefined;
    const kind = {
      modern: version !== undefined,
      inSession: version === undefined && this.#session !== undefined,
      repeatable: options?.repeatable ?? false,
    };
    const call = new HttpCall(message, kind, this.#owner);
    this.#open.add(call);
    if (call.id !== undefined) this.#calls.set(call.id, call);
    call.start(this.#request(call, this.#headers(message, version, options?.headers)));
  }

  #headers(
    message: RpcMessage,
    version: string | undefined,
    mirrored: Record<string, string> | undefined,
  ): Record<string, string> {
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    if (version === undefined) {
      return greets(message) ? headers : Object.assign(headers, this.#sessionHeaders());
    }
    for (const name in mirrored) headers[name.toLowerCase()] = mirrored[name] ?? '';
    return Object.assign(headers, modernHeaders(message, version));
  }

  #sessionHeaders(): Record<string, string> {
    return {
      ...(this.#agreement && { 'mcp-protocol-version': this.#agreement.version }),
      ...(this.#session !== undefined && { 'mcp-session-id': this.#session }),
    };
  }

  #request(call: HttpCall, headers: Record<string, string>): OutgoingRequest {
    const { url, limits } = this.#options;
    const firstByteTime = limits.initialiseTime;
    const { repeatable } = call.kind;
    return {
      method: 'POST',
      url,
      headers,
      ownHeaders: this.#ownHeaders,
      body: JSON.stringify(call.message),
      repeatable,
      ...((repeatable || call.id === undefined) && { firstByteTime }),
      leavesOrigin: true,
    };
  }

  #send(request: OutgoingRequest, sink: ResponseSink): Sending {
    return sendAuthorized(this.#options.http, request, sink, this.#options.authorizer);
  }

  #takeSession(call: HttpCall, { status, headers }: ResponseHead): void {
    if (call.kind.modern || !greets(call.message) || status > 299) return;
    const session = headerOf(headers, 'mcp-session-id');
    if (session === undefined) return;
    if (/^[\x21-\x7E]{1,4096}$/.test(session)) this.#session = session;
    else this.#note("the server sent a session ID that can't be sent back");
  }

  #settled(call: HttpCall, error: CallError | undefined): void {
    const { id, message } = call;
    if (id !== undefined) {
      if (this.#calls.delete(id) && error) this.#events?.onRequestFailed(id, error);
      return;
    }
    const what = 'method' in message ? message.method : 'an answer';
    if (error) this.#note(`${what} did not arrive: ${error.message}`);
    if (isInitialized(message)) this.#greeted(error === undefined);
  }

  /** The handshake is over: what waited goes out, and the server may speak of its own accord. */
  #greeted(accepted: boolean): void {
    if (this.#closed) return;
    if (accepted) this.#listen();
    for (const { message, options } of this.#gate.open()) this.send(message, options);
  }

  #listen(): void {
    this.#stream?.close();
    this.#stream = new HttpEventStream({
      open: (sink, lastEventId) => this.#openStream(sink, lastEventId),
      onEvent: (event) => this.#hear(event),
      onGone: (error, wasOpen) => this.#streamGone(error, wasOpen),
      mcpMessage: this.#options.limits.mcpMessage,
      maxFailures: Number.POSITIVE_INFINITY,
    });
    this.#stream.start('now');
  }

  #openStream(sink: ResponseSink, lastEventId: string | undefined): Sending {
    const request: OutgoingRequest = {
      method: 'GET',
      url: this.#options.url,
      headers: {
        accept: 'text/event-stream',
        ...this.#sessionHeaders(),
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      },
      ownHeaders: this.#ownHeaders,
      repeatable: true,
      leavesOrigin: true,
    };
    return this.#send(request, sink);
  }

  #hear(event: SseEvent): void {
    if (event.event !== 'message') return;
    if ('tooLarge' in event) return this.#note('skipped a message that is too large');
    if (event.data === '') return;
    try {
      for (const message of readMessages(event.data, this.#options.limits.mcpMessageParts)) {
        if (!('method' in message)) this.#drop(message.id);
        this.#events?.onMessage(message);
      }
    } catch (error) {
      this.#note(`skipped an event: ${String(error)}`);
    }
  }

  /** Not every server speaks of its own accord; one that did and no longer knows us has lost the session. */
  #streamGone(error: CeriseError, wasOpen: boolean): void {
    this.#stream = undefined;
    const { status } = (error.details ?? {}) as { status?: number };
    if (wasOpen && status === 404 && this.#session !== undefined) this.#sessionLost(error);
    else this.#note(`no server-initiated stream: ${error.message}`);
  }

  #sessionLost({ message, hint, details }: CeriseError): void {
    this.#session = undefined;
    this.#note(message);
    this.#end(new CeriseError('connection_lost', message, { hint, details }));
    void this.#options.http.close();
  }

  async #sayGoodbye(session: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const request: OutgoingRequest = {
      method: 'DELETE',
      url: this.#options.url,
      headers: { ...this.#sessionHeaders(), 'mcp-session-id': session },
      ownHeaders: this.#ownHeaders,
      repeatable: true,
      leavesOrigin: true,
    };
    // Whatever comes back: the session is over for us.
    const sending = this.#send(request, {
      onHead: () => resolve(),
      onData: () => resolve(),
      onEnd: resolve,
      onError: () => resolve(),
    });
    const timer = setTimeout(resolve, farewellMs);
    await promise;
    clearTimeout(timer);
    sending.abort();
  }

  #end(error?: CeriseError): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#session = undefined;
    this.#stream?.close();
    for (const call of this.#open) call.abort();
    this.#calls.clear();
    this.#open.clear();
    this.#events?.onClose(error);
  }

  #note(text: string): void {
    this.#options.log.push('event', text);
  }
}

function greets(message: RpcMessage): boolean {
  return 'method' in message && message.method === 'initialize';
}
