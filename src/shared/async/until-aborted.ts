/** Reads a stream until it ends or the signal says so, even if the stream does not listen to it. */
export function untilAborted<T>(stream: AsyncIterable<T>, signal: AbortSignal): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: () => new AbortableIterator(stream, signal) };
}

/** Not a generator: that would take twice as many promises for each batch of a model's stream. */
class AbortableIterator<T> implements AsyncIterator<T, undefined> {
  readonly #iterator: AsyncIterator<T>;
  readonly #signal: AbortSignal;
  readonly #onAbort = () => this.#giveUp?.();
  #giveUp: (() => void) | undefined;

  constructor(stream: AsyncIterable<T>, signal: AbortSignal) {
    this.#iterator = stream[Symbol.asyncIterator]();
    this.#signal = signal;
    signal.addEventListener('abort', this.#onAbort);
  }

  next(): Promise<IteratorResult<T, undefined>> {
    if (this.#signal.aborted) return this.return();
    return new Promise((resolve, reject) => {
      this.#giveUp = () => resolve(this.return());
      this.#iterator.next().then(
        (step) => resolve(step.done ? this.return() : step),
        (error: unknown) => void this.return().then(() => reject(error)),
      );
    });
  }

  async return(): Promise<IteratorResult<T, undefined>> {
    this.#signal.removeEventListener('abort', this.#onAbort);
    this.#iterator.return?.().catch(() => undefined);
    return { done: true, value: undefined };
  }
}
