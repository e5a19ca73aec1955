import type { Arrival } from './run-request.ts';

/**
 * The tries of requests that are on their way on this host. A client sends a request again when it gave up on the try
 * before, which may be anywhere by then: a retry goes on once those before it are in the store, or never will be.
 */
export class RunTries {
  readonly #open = new Map<string, Set<RunTry>>();

  /** Tries of the same name repeat each other. */
  async enter<T>(
    name: string,
    { isRetry, signal }: Arrival,
    now: number,
    work: (own: RunTry) => Promise<T>,
  ): Promise<T> {
    const open = this.#open.get(name) ?? new Set();
    this.#open.set(name, open);
    const before = isRetry ? [...open] : [];
    const own = new RunTry(signal, now);
    open.add(own);
    try {
      await Promise.all(before.map(({ decided }) => decided));
      return await work(own);
    } finally {
      own.end();
      open.delete(own);
      if (open.size === 0) this.#open.delete(name);
    }
  }
}

/** One try of a request, from its arrival to the moment when others find it in the store. */
export class RunTry {
  readonly #decided = Promise.withResolvers<void>();
  #isBeingStored = false;
  readonly arrivedAt: number;
  /** Another try that came into the store after this moment takes the place of this one. */
  since: number;

  constructor(signal: AbortSignal, now: number) {
    this.arrivedAt = now;
    this.since = now - 1;
    const leave = () => {
      if (!this.#isBeingStored) this.end();
    };
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
  }

  /** Resolves when it is in the store, or will never be. */
  get decided(): Promise<void> {
    return this.#decided.promise;
  }

  /** From here on it is stored although its client leaves. */
  stores(): void {
    this.#isBeingStored = true;
  }

  end(): void {
    this.#decided.resolve();
  }
}
