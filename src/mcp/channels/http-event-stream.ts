import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { type SseEvent, SseParser } from '#shared/text/sse-parser.ts';
import { classifyStatus } from '../http/http-errors.ts';
import {
  headerOf,
  type ResponseHead,
  type ResponseSink,
  type Sending,
} from '../http/http-message.ts';
import { asHeaderValue } from './http-headers.ts';

const defaultRetryMs = 1_000;
const minRetryMs = 100;
const maxRetryMs = 10 * 60_000;
const maxBackOffMs = 60_000;
/** A stream that lived this long was worth opening. */
const longLifeMs = 1_000;
/** Refusals that may pass. */
const passing: ReadonlySet<number> = new Set([408, 425, 429]);

/** How a stream is opened, and who hears of it. */
export interface EventStreamOptions {
  /** Asks for the stream; the id is that of the last event that was seen. */
  open(sink: ResponseSink, lastEventId: string | undefined): Sending;
  onEvent(event: SseEvent): void;
  /** It will not come back. `wasOpen`: it had been there. */
  onGone(error: CeriseError, wasOpen: boolean): void;
  /** Bytes of the largest message. */
  mcpMessage: number;
  /** How many times in a row it may fail. */
  maxFailures: number;
  lastEventId?: string;
  retry?: number | undefined;
}

/** An event stream that is opened again, from where it was, whenever it ends. */
export class HttpEventStream implements ResponseSink {
  readonly #options: EventStreamOptions;
  #lastEventId: string;
  #retry: number | undefined;
  #parser: SseParser | undefined;
  #sending: Sending | undefined;
  #timer: NodeJS.Timeout | undefined;
  #openedAt: number | undefined;
  #wasOpen = false;
  #gotEvent = false;
  #failures = 0;
  #closed = false;

  constructor(options: EventStreamOptions) {
    this.#options = options;
    this.#lastEventId = options.lastEventId ?? '';
    this.#retry = options.retry;
  }

  /** Opens it, at once or after the time the server wants. */
  start(when: 'now' | 'later'): void {
    if (when === 'now') this.#connect();
    else this.#connectIn(this.#pause());
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#sending?.abort();
  }

  onHead(head: ResponseHead): void {
    const { status, headers, url } = head;
    if (status === 200 && isEventStream(head)) {
      this.#openedAt = performance.now();
      this.#wasOpen = true;
      this.#parser = new SseParser(this.#options.mcpMessage, this.#lastEventId);
      return;
    }
    const host = url.host;
    const error = classifyStatus({ status, headers, host, text: '', repeatable: true });
    if (status < 500 && !passing.has(status)) this.#gone(error);
    else throw error;
  }

  onData(chunk: Buffer): void {
    for (const event of this.#parser?.push(chunk) ?? []) {
      if (this.#closed) return;
      this.#gotEvent = true;
      this.#options.onEvent(event);
    }
  }

  onEnd(): void {
    this.#again(
      new CeriseError('connection_lost', say('events-ended')`The server closed its event stream.`),
    );
  }

  onError(error: CeriseError): void {
    this.#again(error);
  }

  #connect(): void {
    this.#openedAt = undefined;
    this.#gotEvent = false;
    this.#sending = this.#options.open(this, asHeaderValue(this.#lastEventId));
  }

  #again(error: CeriseError): void {
    if (this.#closed) return;
    this.#lastEventId = this.#parser?.lastEventId ?? this.#lastEventId;
    this.#retry = this.#parser?.retry ?? this.#retry;
    this.#parser = undefined;
    const lived = this.#openedAt === undefined ? 0 : performance.now() - this.#openedAt;
    this.#failures = this.#gotEvent || lived > longLifeMs ? 0 : this.#failures + 1;
    if (this.#failures > this.#options.maxFailures) this.#gone(error);
    else this.#connectIn(this.#pause());
  }

  #connectIn(time: number): void {
    this.#timer = setTimeout(() => this.#connect(), time);
  }

  /** What the server wants, and more each time it fails. */
  #pause(): number {
    const wanted = Math.min(Math.max(this.#retry ?? defaultRetryMs, minRetryMs), maxRetryMs);
    if (this.#failures <= 1) return wanted;
    return Math.max(wanted, Math.min(defaultRetryMs * 2 ** (this.#failures - 1), maxBackOffMs));
  }

  #gone(error: CeriseError): void {
    if (this.#closed) return;
    this.close();
    this.#options.onGone(error, this.#wasOpen);
  }
}

/** Whether the body of an answer is a stream of events. */
export function isEventStream({ headers }: ResponseHead): boolean {
  return /^\s*text\/event-stream\b/i.test(headerOf(headers, 'content-type') ?? '');
}
