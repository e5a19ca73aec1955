interface Waiting {
  name: string;
  enter: () => void;
}

/**
 * A few places for everybody. Whoever has some takes another only where more than that many are free, so that no two or
 * three of them keep out the next one.
 */
export class SharedPlaces {
  #free: number;
  readonly #taken = new Map<string, number>();
  readonly #waiting: Waiting[] = [];

  constructor(places: number) {
    this.#free = places;
  }

  /** Resolves to what gives the place back; rejects with the signal's reason, then without one. */
  async take(name: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { name, enter: resolve };
    this.#waiting.push(waiting);
    this.#admit();
    const abort = () => {
      const place = this.#waiting.indexOf(waiting);
      if (place < 0) return;
      this.#waiting.splice(place, 1);
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
    await promise.finally(() => signal.removeEventListener('abort', abort));
    return () => this.#giveBack(name);
  }

  #giveBack(name: string): void {
    const left = this.#takenBy(name) - 1;
    if (left === 0) this.#taken.delete(name);
    else this.#taken.set(name, left);
    this.#free += 1;
    this.#admit();
  }

  /** In the order in which they asked, but for those who have enough. */
  #admit(): void {
    for (;;) {
      const next = this.#waiting.findIndex(({ name }) => this.#free > this.#takenBy(name));
      const [entering] = next < 0 ? [] : this.#waiting.splice(next, 1);
      if (!entering) return;
      this.#free -= 1;
      this.#taken.set(entering.name, this.#takenBy(entering.name) + 1);
      entering.enter();
    }
  }

  #takenBy(name: string): number {
    return this.#taken.get(name) ?? 0;
  }
}
