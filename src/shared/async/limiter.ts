/** Bounds how many calls run at once for each key, in the order they asked. */
export class Limiter {
  readonly #limit: number;
  readonly #running = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether anything runs. */
  get isBusy(): boolean {
    return this.#running.size > 0;
  }

  /** How many wait for a place. */
  get waiting(): number {
    return this.#waiting.values().reduce((sum, queue) => sum + queue.length, 0);
  }

  /** Takes a place if one is free right now. */
  tryAcquire(key: string): boolean {
    const running = this.#running.get(key) ?? 0;
    if (running >= this.#limit) return false;
    this.#running.set(key, running + 1);
    return true;
  }

  /** Resolves with a place taken; rejects with the signal's reason, then without one. */
  async acquire(key: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.tryAcquire(key)) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const queue = this.#waiting.get(key) ?? [];
    this.#waiting.set(key, queue);
    queue.push(resolve);
    const abort = () => {
      const place = queue.indexOf(resolve);
      if (place < 0) return;
      queue.splice(place, 1);
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
    await promise.finally(() => signal.removeEventListener('abort', abort));
  }

  /** Gives a place back, to the one who waits longest. */
  release(key: string): void {
    const queue = this.#waiting.get(key);
    const next = queue?.shift();
    if (queue?.length === 0) this.#waiting.delete(key);
    if (next) return next();
    const running = (this.#running.get(key) ?? 1) - 1;
    if (running === 0) this.#running.delete(key);
    else this.#running.set(key, running);
  }
}
