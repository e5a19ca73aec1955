/** What can be called off: an AbortSignal, or the `Stop` of a single call. */
export interface StopSignal {
  readonly aborted: boolean;
  /** Why, once it is aborted. */
  readonly reason?: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * Calls off one call, at less cost than an AbortController that somebody listens to. There is one
 * listener almost always: the request that waits for its answer.
 */
export class Stop implements StopSignal {
  #aborted = false;
  #reason: unknown;
  #listener: (() => void) | undefined;
  #others: (() => void)[] | undefined;

  get aborted(): boolean {
    return this.#aborted;
  }

  get reason(): unknown {
    return this.#reason;
  }

  abort(reason?: unknown): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason = reason;
    const others = this.#others ?? [];
    this.#others = undefined;
    this.#listener?.();
    this.#listener = undefined;
    for (const listener of others) listener();
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    if (!this.#listener) this.#listener = listener;
    else this.#others = [...(this.#others ?? []), listener];
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    if (this.#listener === listener) this.#listener = undefined;
    else this.#others = this.#others?.filter((other) => other !== listener);
  }
}

/** The same as an AbortSignal, for those who need a real one. */
export function toAbortSignal(signal: StopSignal): AbortSignal {
  if (signal instanceof AbortSignal) return signal;
  const controller = new AbortController();
  if (signal.aborted) controller.abort(signal.reason);
  else signal.addEventListener('abort', () => controller.abort(signal.reason));
  return controller.signal;
}
