import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { type SseEvent, SseParser } from '#shared/text/sse-parser.ts';
import { CallError } from '#shared/vocabulary/call-error.ts';
import { classifyStatus } from '../http/http-errors.ts';
import type { OutgoingRequest, ResponseHead, ResponseSink, Sending } from '../http/http-message.ts';
import {
  type Agreement,
  type Channel,
  type ChannelEvents,
  type SendOptions,
} from '../protocol/channel.ts';
import type { RequestId, RpcMessage } from '../protocol/messages.ts';
import { sendAuthorized } from './http-authorized.ts';
import { type CallOwner, HttpCall } from './http-call.ts';
import { isEventStream } from './http-event-stream.ts';
import { checkAddress, configuredHeaders } from './http-headers.ts';
import { InitializedGate, isInitialized } from './initialized-gate.ts';
import { crowdedAnswerId, oversizedAnswer, oversizedAnswerId } from './oversized-answer.ts';
import { MessageReader } from './read-messages.ts';
import type { HttpChannelOptions } from './streamable-http-channel.ts';
import { failUnsent } from './unsent.ts';

/**
 * A channel over HTTP+SSE as 2024-11-05 had it: one stream of events brings everything, messages go by
 * POST to the address its first event names. When the stream ends, so does the channel.
 */
export function createSseChannel(options: HttpChannelOptions): Channel {
  return new SseChannel(options);
}

/** Somebody waits for the channel to open. */
interface Opening {
  events: ChannelEvents;
  resolve: () => void;
  reject: (error: CeriseError) => void;
}

class SseChannel implements Channel {
  readonly kind = 'sse';
  readonly #options: HttpChannelOptions;
  readonly #posts = new Set<HttpCall>();
  readonly #gate = new InitializedGate();
  readonly #reader: MessageReader;
  readonly #owner: CallOwner;
  #ownHeaders: Record<string, string> = {};
  #opening: Opening | undefined;
  #events: ChannelEvents | undefined;
  #version: string | undefined;
  #endpoint: URL | undefined;
  #stream: Sending | undefined;
  #closed = false;

  constructor(options: HttpChannelOptions) {
    this.#options = options;
    this.#reader = new MessageReader(options.limits.mcpMessageParts);
    this.#owner = {
      send: (request, sink) => this.#send(request, sink),
      limits: options.limits,
      redact: (text) => options.log.redact(text),
      onMessage: (message) => this.#events?.onMessage(message),
      onSettled: (call, error) => this.#settled(call, error),
      onDone: (call) => void this.#posts.delete(call),
      hearsOtherwise: () => true,
    };
  }

  async open(events: ChannelEvents): Promise<void> {
    checkAddress(this.#options.url);
    this.#ownHeaders = configuredHeaders(this.#options.headers);
    if (this.#closed)
      throw new CeriseError('cancelled', say('connecting-cancelled')`Connection cancelled.`);
    const { url, limits } = this.#options;
    const time = limits.initialiseTime;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#opening = { events, resolve, reject };
    this.#stream = this.#send(
      {
        method: 'GET',
        url,
        headers: { accept: 'text/event-stream' },
        ownHeaders: this.#ownHeaders,
        repeatable: true,
        leavesOrigin: true,
      },
      new StreamSink(
        limits.mcpMessage,
        (event, base) => this.#receive(event, base),
        (error) => this.#end(error),
      ),
    );
    const timer = setTimeout(() => this.#end(noEndpoint(url, time)), time);
    return promise.finally(() => clearTimeout(timer));
  }

  send(message: RpcMessage, options?: SendOptions): void {
    if (this.#closed || !this.#endpoint) return failUnsent(this.#events, message);
    this.#reader.noteSent(message);
    if (!this.#gate.holds(message, options)) this.#post(this.#endpoint, message, options);
  }

  cancel(id: RequestId): boolean {
    this.#gate.drop(id);
    return false;
  }

  agree({ version }: Agreement): void {
    this.#version = version;
  }

  async close(): Promise<void> {
    this.#end();
  }

  #post(url: URL, message: RpcMessage, options: SendOptions | undefined): void {
    const repeatable = options?.repeatable ?? false;
    const kind = { modern: false, inSession: false, repeatable, answeredElsewhere: true };
    const call = new HttpCall(message, kind, this.#owner);
    this.#posts.add(call);
    const firstByteTime = this.#options.limits.initialiseTime;
    call.start({
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(this.#version !== undefined && { 'mcp-protocol-version': this.#version }),
      },
      // A redirect may have led the stream elsewhere: what was configured stays behind.
      ...(url.origin === this.#options.url.origin && { ownHeaders: this.#ownHeaders }),
      body: JSON.stringify(message),
      repeatable,
      ...((repeatable || call.id === undefined) && { firstByteTime }),
      leavesOrigin: false,
    });
  }

  #send(request: OutgoingRequest, sink: ResponseSink): Sending {
    const { http, authorizer, url } = this.#options;
    const isHome = request.url.origin === url.origin;
    return sendAuthorized(http, request, sink, isHome ? authorizer : undefined);
  }

  #settled(call: HttpCall, error: CallError | undefined): void {
    const { id, message } = call;
    if (error && id !== undefined) this.#events?.onRequestFailed(id, error);
    else if (error) {
      const what = 'method' in message ? message.method : 'an answer';
      this.#note(`${what} did not arrive: ${error.message}`);
    }
    if (!isInitialized(message)) return;
    for (const held of this.#gate.open()) this.send(held.message, held.options);
  }

  #receive(event: SseEvent, base: URL): void {
    if (event.event === 'endpoint') return this.#setEndpoint(event, base);
    if (event.event !== 'message') return;
    if ('tooLarge' in event) return this.#tooLarge(event.tooLarge);
    if (event.data === '') return;
    try {
      for (const message of this.#reader.read(event.data)) this.#events?.onMessage(message);
    } catch (error) {
      const id = error instanceof CallError ? crowdedAnswerId(event.data) : undefined;
      if (id !== undefined) this.#events?.onRequestFailed(id, error as CallError);
      else this.#note(`skipped an event: ${String(error)}`);
    }
  }

  /** Throws CeriseError: a server must not send our messages, and our credentials, to somebody else. */
  #setEndpoint(event: SseEvent, base: URL): void {
    if (this.#endpoint) return;
    const target = 'data' in event ? URL.parse(event.data.trim(), base) : null;
    if (target?.origin !== base.origin || target.username !== '' || target.password !== '') {
      throw new CeriseError(
        'address_blocked',
        say(
          'messages-elsewhere',
        )`${base.host} asked for messages to be sent to a different origin, so nothing was sent.`,
        { hint: say('check-address')`Check this server's URL.` },
      );
    }
    this.#endpoint = target;
    this.#events = this.#opening?.events;
    this.#opening?.resolve();
    this.#opening = undefined;
  }

  #tooLarge({ head, tail }: { head: string; tail: string }): void {
    const id = oversizedAnswerId(head, tail);
    if (id === undefined) this.#note('skipped a message that is too large');
    else this.#events?.onRequestFailed(id, oversizedAnswer(this.#options.limits.mcpMessage));
  }

  #end(error?: CeriseError): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#stream?.abort();
    for (const call of this.#posts) call.abort();
    this.#posts.clear();
    void this.#options.http.close();
    this.#opening?.reject(
      error ?? new CeriseError('cancelled', say('connecting-cancelled')`Connection cancelled.`),
    );
    this.#events?.onClose(error);
  }

  #note(text: string): void {
    this.#options.log.push('event', text);
  }
}

/** Reads the one stream of events. */
class StreamSink implements ResponseSink {
  readonly #onEvent: (event: SseEvent, base: URL) => void;
  readonly #onEnd: (error: CeriseError) => void;
  readonly #parser: SseParser;
  #head: ResponseHead | undefined;

  constructor(
    mcpMessage: number,
    onEvent: (event: SseEvent, base: URL) => void,
    onEnd: (error: CeriseError) => void,
  ) {
    this.#parser = new SseParser(mcpMessage);
    this.#onEvent = onEvent;
    this.#onEnd = onEnd;
  }

  onHead(head: ResponseHead): void {
    const { status, headers, url } = head;
    if (status !== 200) {
      throw classifyStatus({ status, headers, host: url.host, text: '', repeatable: true });
    }
    if (!isEventStream(head)) {
      const message = say('no-event-stream')`${url.host} has no event stream at this URL.`;
      throw new CeriseError('unreadable_response', message, {
        hint: say('no-event-stream-hint')`Check the path. It often ends with /sse.`,
      });
    }
    this.#head = head;
  }

  onData(chunk: Buffer): void {
    if (!this.#head) return;
    for (const event of this.#parser.push(chunk)) this.#onEvent(event, this.#head.url);
  }

  onEnd(): void {
    this.#onEnd(
      new CeriseError(
        'connection_lost',
        say('server-ended-connection')`The server closed the connection.`,
      ),
    );
  }

  onError(error: CeriseError): void {
    this.#onEnd(error);
  }
}

function noEndpoint(url: URL, time: number): CeriseError {
  const message = say(
    'no-message-address',
  )`${url.host} didn't say where to send messages within ${time / 1000} s.`;
  return new CeriseError('timed_out', message, {
    hint: say('no-message-address-hint')`The server may use Streamable HTTP instead of SSE.`,
  });
}
