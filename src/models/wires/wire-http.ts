import type { IncomingHttpHeaders } from 'node:http';
import { createRequire } from 'node:module';
import type { Dispatcher, getGlobalDispatcher } from 'undici';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { ByteCollector } from '#shared/text/byte-collector.ts';
import { type SseEvent, SseParser } from '#shared/text/sse-parser.ts';
import { parseJson } from '#shared/vocabulary/json.ts';
import type { ModelTimes } from '#shared/vocabulary/model.ts';
import { isCrowded } from '../answers/event-data.ts';
import { cutStream } from '../failures/model-errors.ts';
import { createBodyDecoder, type BodyDecoder } from './body-decoder.ts';
import { unreadable } from './wire-json.ts';
import type { WireReader, WireRequest } from './wire.ts';

/** Models may think for minutes before they say a word. */
const usualSilenceSeconds = 600;
/** How long the end of the bytes is waited for once the answer is whole. */
const lingerMs = 2_000;
/** Reads and bytes after which it is asked whether there is room: a read is one delta, as a rule. */
const readsPerCheck = 16;
const bytesPerCheck = 4096;
const maxErrorBodyBytes = 64 * 1024;

type Controller = Dispatcher.DispatchController;

const require = createRequire(import.meta.url);

/** One request and what reads its answer. */
export interface Exchange {
  request: WireRequest;
  reader: WireReader;
  signal: AbortSignal;
  /** A promise while so much waits to be taken that no more should be read. */
  readonly room: Promise<void> | undefined;
  /** What the request goes through; undici's global one unless told. */
  dispatcher?: Dispatcher | undefined;
  /** Bytes of one event, or of an answer in one piece. */
  modelEvent: number;
  times?: ModelTimes | undefined;
}

/** Whether a connection ended without a word, as one does that was idle for too long. */
export function isUnanswered(error: unknown): boolean {
  const { answered, cause } = (error ?? {}) as { answered?: unknown; cause?: { code?: unknown } };
  return answered === false && /^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/.test(String(cause?.code));
}

/** Sends a request and reads its answer to the end. Rejects with what classifyModelError understands. */
export function exchange(options: Exchange): Promise<void> {
  return new Promise((resolve, reject) => {
    const handler = new AnswerHandler(options, resolve, reject);
    try {
      handler.send();
    } catch (error) {
      handler.fail(error);
    }
  });
}

/** The handler that undici calls: no stream and no promise between a read and its chunks. */
class AnswerHandler implements Dispatcher.DispatchHandler {
  readonly #options: Exchange;
  readonly #resolve: () => void;
  readonly #reject: (error: unknown) => void;
  readonly #onAbort = () => this.fail(this.#options.signal.reason);
  readonly #events: SseParser;
  #unchecked = 0;
  #controller: Controller | undefined;
  /**
   * How the body is taken: as events, as one JSON text, or as the reason of a failure. Its first letter
   * tells: vendors and gateways call it by wrong names.
   */
  #body: 'unknown' | 'events' | 'plain' | 'failure' = 'unknown';
  #decoder: BodyDecoder | undefined;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  readonly #kept = new ByteCollector();
  #linger: NodeJS.Timeout | undefined;
  #limit: NodeJS.Timeout | undefined;
  #done = false;

  constructor(options: Exchange, resolve: () => void, reject: (error: unknown) => void) {
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#events = new SseParser(options.modelEvent);
  }

  send(): void {
    const { request, signal, dispatcher = usualDispatcher(), times = {} } = this.#options;
    signal.addEventListener('abort', this.#onAbort, { once: true });
    const { origin, pathname, search } = new URL(request.url);
    const headers = { 'user-agent': 'cerise', 'accept-encoding': 'identity', ...request.headers };
    const body = Buffer.concat(request.body);
    const { silenceSeconds = usualSilenceSeconds, totalSeconds } = times;
    const silenceMs = silenceSeconds * 1000;
    const waits = { headersTimeout: silenceMs, bodyTimeout: silenceMs };
    if (totalSeconds !== undefined)
      this.#limit = setTimeout(() => this.fail(tooLong(totalSeconds)), totalSeconds * 1000).unref();
    dispatcher.dispatch(
      { origin, path: pathname + search, method: 'POST', headers, body, ...waits },
      this,
    );
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#done) controller.abort(new Error('no longer wanted'));
  }

  onResponseStart(_controller: Controller, status: number, headers: IncomingHttpHeaders): void {
    if (this.#done || status < 200) return;
    this.#status = status;
    this.#headers = headers;
    if (status >= 300) this.#body = 'failure';
    this.#decoder = createBodyDecoder(headers['content-encoding'], {
      onData: (bytes) => this.#take(bytes),
      onEnd: () => this.#ended(),
      onRoom: () => this.#controller?.resume(),
      onError: () => this.fail(cut()),
    });
  }

  onResponseData(controller: Controller, bytes: Buffer): void {
    if (this.#done) return;
    if (!this.#decoder) this.#take(bytes);
    else if (!this.#decoder.write(bytes)) controller.pause();
  }

  onResponseEnd(): void {
    clearTimeout(this.#linger);
    if (this.#decoder && !this.#done) this.#decoder.end();
    else this.#ended();
  }

  #take(bytes: Buffer): void {
    if (this.#done) return;
    try {
      if (this.#body === 'unknown') this.#body = kindOf(bytes);
      if (this.#body === 'events') this.#readEvents(bytes);
      else this.#keep(bytes);
    } catch (error) {
      this.fail(error);
    }
  }

  #ended(): void {
    if (this.#done) return;
    try {
      if (this.#body === 'failure') throw this.#refusal();
      if (this.#body === 'plain') this.#readPlain();
      else readEvents(this.#options.reader, this.#events.end());
      this.#finish();
    } catch (error) {
      this.fail(error);
    }
  }

  onResponseError(_controller: Controller | null, error: Error): void {
    clearTimeout(this.#linger);
    this.fail({ url: this.#options.request.url, cause: error, answered: this.#status !== 0 });
  }

  /** Leaves the vendor; what was read stays. */
  fail(error: unknown): void {
    if (!this.#settle()) return;
    this.#controller?.abort(new Error('no longer wanted'));
    this.#reject(error);
  }

  #readEvents(bytes: Buffer): void {
    const { reader } = this.#options;
    readEvents(reader, this.#events.push(bytes));
    if (this.#events.isLosing) throw endless();
    if (reader.finished) this.#finish();
    if (reader.isFull) return this.#controller?.abort(new Error('no longer wanted'));
    if (reader.finished || reader.settled) return this.#awaitEnd();
    this.#unchecked += 1;
    if (bytes.length >= bytesPerCheck || this.#unchecked >= readsPerCheck) this.#checkRoom();
  }

  #checkRoom(): void {
    this.#unchecked = 0;
    const { room } = this.#options;
    if (!room) return;
    this.#controller?.pause();
    void room.then(() => this.#controller?.resume());
  }

  /**
   * The answer is whole. Its bytes end now, as a rule; then the connection can be used again. Some
   * vendors say so with every piece of it: the wait begins again with what still comes.
   */
  #awaitEnd(): void {
    clearTimeout(this.#linger);
    this.#linger = setTimeout(() => {
      this.#finish();
      this.#controller?.abort(new Error('no longer wanted'));
    }, lingerMs).unref();
  }

  #keep(bytes: Buffer): void {
    this.#kept.append(bytes);
    if (this.#body === 'failure' && this.#kept.size > maxErrorBodyBytes) throw this.#refusal();
    if (this.#kept.size > this.#options.modelEvent) {
      throw new CeriseError(
        'model_failed',
        say('provider-answer-large')`The model provider's response is too large.`,
      );
    }
  }

  /** Some servers answer in one piece although a stream was asked for, Google's as a list. */
  #readPlain(): void {
    const body = this.#kept.text().replace(/^\uFEFF/, '');
    const isList = /^\s*\[/.test(body);
    if (isList && isCrowded(body)) throw unreadable('The response has too many values.');
    const list = isList ? parseJson(body) : undefined;
    const events = Array.isArray(list) ? list.map((event) => JSON.stringify(event)) : [body];
    for (const data of events) this.#options.reader.read({ event: '', data });
  }

  #finish(): void {
    if (this.#done) return;
    const { reader } = this.#options;
    if (!reader.finished) reader.close();
    if (!reader.finished) throw reader.unfinished ?? cut();
    this.#settle();
    this.#resolve();
  }

  #refusal(): unknown {
    const { url } = this.#options.request;
    const responseBody = new TextDecoder().decode(
      this.#kept.bytes().subarray(0, maxErrorBodyBytes),
    );
    if (this.#status < 400) return moved(this.#headers['location']);
    return {
      statusCode: this.#status,
      url,
      responseHeaders: this.#headers,
      data: parseErrorBody(responseBody),
      responseBody,
    };
  }

  /** False if it was over already. */
  #settle(): boolean {
    if (this.#done) return false;
    this.#done = true;
    clearTimeout(this.#limit);
    // What is packed may be endless, and nobody wants the rest of it.
    this.#decoder?.stop();
    this.#options.signal.removeEventListener('abort', this.#onAbort);
    return true;
  }
}

/**
 * Gives a reader the events of one read for as long as it wants more. Servers keep a connection open with events
 * of empty data. Throws what the reader throws, and CeriseError where an event is endless.
 */
export function readEvents(
  reader: Pick<WireReader, 'read' | 'finished'>,
  events: SseEvent[],
): void {
  for (const event of events) {
    if (reader.finished) return;
    if ('tooLarge' in event) throw endless();
    if (event.data !== '') reader.read(event);
  }
}

/** The one of undici, which is large and loaded with the first request. */
function usualDispatcher(): Dispatcher {
  const undici = require('undici') as { getGlobalDispatcher: typeof getGlobalDispatcher };
  return undici.getGlobalDispatcher();
}

/** What a body is that begins like this. */
function kindOf(bytes: Buffer): 'unknown' | 'events' | 'plain' {
  const [first] = bytes
    .toString('latin1')
    .replace(/^\u00EF\u00BB\u00BF/, '')
    .trimStart();
  if (first === undefined) return 'unknown';
  if (first === '<') throw unreadable('The response is a web page.');
  return first === '{' || first === '[' ? 'plain' : 'events';
}

/** The vendor's error object, which some wrap into a list. */
function parseErrorBody(body: string): unknown {
  const value = parseJson(body);
  return Array.isArray(value) ? value[0] : value;
}

function endless(): CeriseError {
  return new CeriseError(
    'model_failed',
    say('event-without-end')`The model provider sent an event that is too large.`,
  );
}

function tooLong(seconds: number): CeriseError {
  return new CeriseError(
    'model_failed',
    say('answer-over-time')`The answer took longer than the total timeout of ${seconds} s.`,
    {
      hint: say(
        'answer-over-time-hint',
      )`Try again, or raise the total timeout in the provider's settings.`,
    },
  );
}

function cut(): CeriseError {
  return new CeriseError(cutStream.code, cutStream.message, cutStream);
}

function moved(location: string | string[] | undefined): CeriseError {
  const to = typeof location === 'string' && URL.canParse(location) ? new URL(location) : undefined;
  const message = to
    ? say('provider-moved-to')`The model provider has moved to ${to.origin + to.pathname}.`
    : say('provider-moved')`The model provider has moved to another URL.`;
  return new CeriseError('model_failed', message, {
    hint: say('change-base-url')`Change the base URL in the provider's settings.`,
  });
}
