import { limits } from '#shared/limits.ts';
import type { ServerConfig } from '#shared/server.ts';

/** How long a call may take. `idle` counts from the last sign of progress. */
export interface CallLimits {
  idle?: number;
  total: number;
}

/**
 * A server's own `timeout` is the total of a call; `longRunning` makes it the longest silence, under a
 * total of ten minutes (or of the timeout, where that is longer).
 */
export function callLimits(config: Pick<ServerConfig, 'timeout' | 'longRunning'>): CallLimits {
  const time = config.timeout === undefined ? limits.callIdleTime : config.timeout * 1000;
  if (!config.longRunning) return { total: time };
  return { idle: time, total: Math.max(limits.callTotalTime, time) };
}

/** Why a call was ended from our side. */
export interface Ending {
  code: 'timed_out' | 'cancelled';
  message: string;
}

/** Watches one call: its signal fires on the caller's abort, on silence and at the total. */
export class CallWatch {
  readonly #controller = new AbortController();
  readonly #limits: CallLimits;
  readonly #caller: AbortSignal | undefined;
  readonly #totalTimer: NodeJS.Timeout;
  #idleTimer: NodeJS.Timeout | undefined;
  #ending: Ending | undefined;

  constructor(callLimits: CallLimits, caller?: AbortSignal) {
    this.#limits = callLimits;
    this.#caller = caller;
    this.#totalTimer = setTimeout(() => this.#timeOut(callLimits.total), callLimits.total);
    caller?.addEventListener('abort', this.#onAbort, { once: true });
    if (caller?.aborted) this.#onAbort();
    this.alive();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get ending(): Ending | undefined {
    return this.#ending;
  }

  /** Starts the idle limit anew. */
  alive(): void {
    const { idle } = this.#limits;
    if (idle === undefined || this.#ending) return;
    if (this.#idleTimer) this.#idleTimer.refresh();
    else this.#idleTimer = setTimeout(() => this.#timeOut(idle), idle);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#totalTimer);
    clearTimeout(this.#idleTimer);
    this.#caller?.removeEventListener('abort', this.#onAbort);
  }

  readonly #onAbort = (): void => this.#end('cancelled', 'The call was cancelled.');

  #timeOut(time: number): void {
    this.#end('timed_out', `The tool did not finish within ${time / 1000} seconds.`);
  }

  #end(code: Ending['code'], message: string): void {
    if (this.#ending) return;
    this.#ending = { code, message };
    this.#controller.abort(message);
  }
}
