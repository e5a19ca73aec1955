import { Rereading } from '#shared/async/rereading.ts';

/**
 * Writes what a person wants, one write at a time and always the newest: wishes that come faster than
 * they are written neither overtake nor undo each other.
 */
export class LatestWish<T> {
  /** What was wished for last. */
  wanted: T;
  readonly #writing: Rereading;

  constructor(first: T, write: (wanted: T) => Promise<unknown>) {
    this.wanted = first;
    this.#writing = new Rereading(async () => void (await write(this.wanted)));
  }

  /** Resolves when the newest wish is written, be it this one or a later one. */
  wish(next: T): Promise<void> {
    this.wanted = next;
    return this.#writing.load();
  }
}
