import { setTimeout } from 'node:timers/promises';

/** The requests that have no answer yet. A stream of events has its answer once it is open. */
export class RequestsInFlight {
  /** How many there were so far. */
  seen = 0;
  readonly #running = new Set<Promise<unknown>>();

  /** Counts a request until it has its answer, whatever that is. */
  track<T>(answer: T | Promise<T>): T | Promise<T> {
    this.seen += 1;
    if (!(answer instanceof Promise)) return answer;
    const running: Promise<unknown> = answer
      .catch(() => undefined)
      .then(() => this.#running.delete(running));
    this.#running.add(running);
    return answer;
  }

  /** Resolves when all that are in flight now have their answer, or after `time`. */
  async settle(time: number): Promise<void> {
    const giveUp = new AbortController();
    const late = setTimeout(time, undefined, { signal: giveUp.signal }).catch(() => undefined);
    await Promise.race([Promise.all(this.#running), late]);
    giveUp.abort();
  }
}
