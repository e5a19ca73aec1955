import { say } from '#shared/errors/sentence.ts';
import { CallError } from '#shared/vocabulary/call-error.ts';
import type { ToolProgress } from '#shared/vocabulary/tool.ts';
import type { CallLimits } from './call-limits.ts';
import type { StopSignal } from './stop.ts';

interface ExchangeOptions {
  limits: CallLimits;
  signal?: StopSignal | undefined;
  onProgress?: ((progress: ToolProgress) => void) | undefined;
  /** A subscription: the server may end it with a cancellation. */
  subscription?: boolean | undefined;
}

const longRunningHint = say(
  'long-running-hint',
)`It was still reporting progress. Enable Long-running calls (longRunning) for this server, or raise its timeout.`;

/** One request of ours on its way: its answer, its clocks and its end. */
export class Exchange {
  readonly id: number;
  readonly answer: Promise<unknown>;
  readonly #options: ExchangeOptions;
  readonly #giveUp: (error: CallError) => void;
  readonly #resolve: (result: unknown) => void;
  readonly #reject: (error: unknown) => void;
  #total: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  #startedAt = performance.now();
  #spent = 0;
  #hadProgress = false;
  #onAbort: (() => void) | undefined;

  /** `giveUp` is called when a clock runs out or the caller aborts; it ends the exchange. */
  constructor(id: number, options: ExchangeOptions, giveUp: (error: CallError) => void) {
    this.id = id;
    this.#options = options;
    this.#giveUp = giveUp;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.answer = promise;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#startClocks();
    if (options.signal) {
      this.#onAbort = () =>
        giveUp(new CallError('left', 'cancelled', say('call-cancelled')`The call was cancelled.`));
      options.signal.addEventListener('abort', this.#onAbort);
    }
  }

  succeed(result: unknown): void {
    this.#end();
    this.#resolve(result);
  }

  fail(error: unknown): void {
    this.#end();
    this.#reject(error);
  }

  /** A sign of life: starts the idle clock again. */
  progress(progress: ToolProgress): void {
    this.#hadProgress = true;
    this.#idle?.refresh();
    this.#options.onProgress?.(progress);
  }

  /** Only subscriptions may be ended this way: the id may be one of the server's own requests. */
  endedByServer(): void {
    if (!this.#options.subscription) return;
    this.#giveUp(
      new CallError(
        'left',
        'cancelled',
        say('server-ended-request')`The server cancelled the request.`,
      ),
    );
  }

  /** The server waits for an answer of ours: that is not its time. */
  pause(): void {
    if (!this.#total) return;
    this.#spent += performance.now() - this.#startedAt;
    this.#stopClocks();
  }

  resume(): void {
    if (!this.#total) this.#startClocks();
  }

  #startClocks(): void {
    const { total, idle } = this.#options.limits;
    this.#startedAt = performance.now();
    this.#total = setTimeout(() => this.#timeOut(total), Math.max(1, total - this.#spent));
    if (idle !== undefined) this.#idle = setTimeout(() => this.#timeOut(idle), idle);
  }

  #stopClocks(): void {
    clearTimeout(this.#total);
    clearTimeout(this.#idle);
    this.#total = undefined;
    this.#idle = undefined;
  }

  #timeOut(time: number): void {
    const seconds = Number((time / 1000).toPrecision(3));
    this.#giveUp(
      new CallError(
        'left',
        'timed_out',
        say('not-finished')`The server didn't finish within ${seconds} s.`,
        this.#hadProgress && this.#options.limits.idle === undefined
          ? { hint: longRunningHint }
          : {},
      ),
    );
  }

  #end(): void {
    this.#stopClocks();
    if (this.#onAbort) this.#options.signal?.removeEventListener('abort', this.#onAbort);
  }
}
