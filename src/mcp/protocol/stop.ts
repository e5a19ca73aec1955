/**
 * Calls off one call. An AbortSignal that somebody listens to costs a tenth of a call (docs/performance.md), so
 * there is one only where something asks for it. The request that waits for its answer listens here.
 */
export class Stop {
  #aborted = false;
  #reason: unknown;
  #listener: (() => void) | undefined;
  #controller: AbortController | undefined;

  get aborted(): boolean {
    return this.#aborted;
  }

  /** Why, once it is aborted. */
  get reason(): unknown {
    return this.#reason;
  }

  /** The same for those who need a real one. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  abort(reason?: unknown): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason = reason;
    this.#listener?.();
    this.#controller?.abort(reason);
  }

  /** There is one listener almost always. */
  addEventListener(type: 'abort', listener: () => void): void {
    if (this.#listener) this.signal.addEventListener(type, listener);
    else this.#listener = listener;
  }

  removeEventListener(type: 'abort', listener: () => void): void {
    if (this.#listener === listener) this.#listener = undefined;
    else this.#controller?.signal.removeEventListener(type, listener);
  }
}

/** What can be called off. */
export type StopSignal = AbortSignal | Stop;

/** The same as an AbortSignal. */
export function toAbortSignal(signal: StopSignal): AbortSignal {
  return signal instanceof Stop ? signal.signal : signal;
}
