import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { undici } from '#mcp/http/undici.ts';
import { toErrorInfo } from '#shared/errors/errors.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import type { Span, SpanSink } from './span.ts';
import { writeBatch, writeSpan } from './write-spans.ts';

/** Where spans are sent, and as whose. */
export interface OtlpOptions {
  /** The whole address, with its path. */
  url: string;
  headers?: Record<string, string>;
  /** What is said of this host with every batch. */
  resource?: Record<string, string>;
  compress?: boolean;
  /** Milliseconds that one request may take. */
  timeoutMs?: number;
  /** For tests: milliseconds between batches, and before the first repeat. */
  batchMs?: number;
  retryMs?: number;
}

/** Spans that wait at most; beyond it new ones are dropped and counted. */
const maxWaiting = 2048;
const maxBatch = 512;
const maxTries = 5;
/** Milliseconds that the end of the host waits for the last batches. */
const closingMs = 3_000;
/** Milliseconds between two lines in the log. */
const quietMs = 60_000;
const compressed = promisify(gzip);

/**
 * Sends spans to an OpenTelemetry collector as OTLP over HTTP, in JSON. Batches go out every few seconds; what a
 * collector refuses for the moment is tried again with growing pauses; nothing here makes a turn wait.
 */
export class OtlpExporter implements SpanSink {
  readonly #options: OtlpOptions;
  readonly #logger: Pick<Logger, 'warn'>;
  /** As they are sent: a text is less to keep, and to collect, than all the objects of a span. */
  #waiting: string[] = [];
  #dropped = 0;
  #saidAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  readonly #closing = new AbortController();

  constructor(options: OtlpOptions, logger: Pick<Logger, 'warn'>) {
    this.#options = options;
    this.#logger = logger;
  }

  add(span: Span): void {
    if (this.#waiting.length >= maxWaiting) {
      this.#dropped += 1;
      return;
    }
    this.#waiting.push(writeSpan(span));
    if (this.#waiting.length >= maxBatch) void this.flush();
    else this.#flushLater();
  }

  /** Sends what waits now; one batch after the other. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
      if (this.#waiting.length > 0) this.#flushLater();
    });
    return this.#sending;
  }

  #flushLater(): void {
    const { batchMs = 5_000 } = this.#options;
    this.#timer ??= setTimeout(() => void this.flush(), batchMs).unref();
  }

  async close(): Promise<void> {
    const end = setTimeout(() => this.#closing.abort(), closingMs);
    try {
      while (this.#waiting.length > 0 && !this.#closing.signal.aborted) await this.flush();
      await this.#sending;
    } finally {
      clearTimeout(end);
      clearTimeout(this.#timer);
    }
  }

  /** What comes meanwhile goes along only as whole batches: a request for each few spans costs more than they do. */
  async #sendAll(): Promise<void> {
    let left = this.#waiting.length;
    while ((left > 0 || this.#waiting.length >= maxBatch) && !this.#closing.signal.aborted) {
      const batch = this.#waiting.slice(0, maxBatch);
      this.#waiting = this.#waiting.slice(maxBatch);
      left -= batch.length;
      await this.#send(batch).catch((error: unknown) => {
        this.#dropped += batch.length;
        this.#complain(toErrorInfo(error).message);
      });
    }
    if (this.#dropped > 0) this.#complain('The queue is full.');
  }

  async #send(batch: string[]): Promise<void> {
    const { resource = {}, compress, headers, retryMs = 1_000 } = this.#options;
    const plain = writeBatch(batch, resource);
    const body = compress ? await compressed(plain) : Buffer.from(plain);
    const sent = {
      ...headers,
      'content-type': 'application/json',
      ...(compress && { 'content-encoding': 'gzip' }),
    };
    for (let tries = 1; ; tries += 1) {
      const answer = await this.#post(body, sent);
      if (answer === 'taken') return;
      if (answer.final || tries >= maxTries || this.#closing.signal.aborted)
        throw new Error(answer.reason);
      const wait = answer.afterMs ?? retryMs * 2 ** (tries - 1) * (0.5 + Math.random());
      await pause(wait, undefined, { signal: this.#closing.signal, ref: false });
    }
  }

  /** The address may hold a key: no error that names it goes any further. */
  async #post(
    body: Buffer,
    headers: Record<string, string>,
  ): Promise<'taken' | { final: boolean; reason: string; afterMs?: number }> {
    const { url, timeoutMs = 10_000 } = this.#options;
    const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), this.#closing.signal]);
    let answer: Dispatcher.ResponseData;
    try {
      answer = await undici().request(url, { method: 'POST', headers, body, signal });
      await answer.body.dump();
    } catch {
      return { final: false, reason: 'The collector cannot be reached.' };
    }
    const { statusCode: status } = answer;
    if (status >= 200 && status < 300) return 'taken';
    const isForNow = [429, 502, 503, 504].includes(status);
    const after = Number(answer.headers['retry-after'] ?? Number.NaN);
    const wait = Number.isFinite(after) ? { afterMs: Math.min(after, 60) * 1000 } : {};
    return { final: !isForNow, reason: `The collector answered ${status}.`, ...wait };
  }

  #complain(reason: string): void {
    if (performance.now() - this.#saidAt < quietMs) return;
    this.#saidAt = performance.now();
    this.#logger.warn({ reason, dropped: this.#dropped }, 'Could not send traces');
    this.#dropped = 0;
  }
}
