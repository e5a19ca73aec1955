import type { EventBody } from '#shared/vocabulary/event.ts';
import { CommitInDoubt } from '#store/database/commit-in-doubt.ts';
import type { Db } from '#store/database/store.ts';
import { PendingEvents } from './pending-events.ts';

/** A write whose end was not heard, and what follows when it is known. */
interface Doubt {
  happened: () => Promise<boolean>;
  committed: () => void;
  taken: EventBody[];
}

/** A transaction, and what follows once it is known that it happened. */
interface Write<T> {
  rows: (tx: Db) => Promise<T>;
  /** What follows already when it survives the end of the process; may not be called. */
  written: () => void;
  committed: (result: T) => void;
}

/** What the queue asks of its topic. */
interface TopicWritesDeps {
  /** A durable transaction that only the holder of the topic can make. */
  transaction: <T>(rows: (tx: Db) => Promise<T>, written: () => void) => Promise<T>;
  /** Throws where the topic must not be written any more. */
  requireHeld: () => void;
  /** Makes sure of what may be in the journal already, before anything else is written. */
  beforeNext: () => Promise<void>;
  /** Something still waits after a write has ended. */
  onBehind: () => void;
}

/**
 * What waits to be written of one topic, and the one write that is under way. A write that happened or not,
 * because its end was not heard, holds up all others until the database says which.
 */
export class TopicWrites {
  readonly pending = new PendingEvents();
  readonly #deps: TopicWritesDeps;
  #busy: Promise<void> | undefined;
  #doubt: Doubt | undefined;

  constructor(deps: TopicWritesDeps) {
    this.#deps = deps;
  }

  /** Something is to be written, or to be found out before. */
  get isBehind(): boolean {
    return !this.pending.isEmpty || this.#doubt !== undefined;
  }

  get isBusy(): boolean {
    return this.#busy !== undefined;
  }

  get isInDoubt(): boolean {
    return this.#doubt !== undefined;
  }

  /** Resolves when no write is under way. */
  async free(): Promise<void> {
    while (this.#busy) await this.#busy;
  }

  /** Resolves when the write that is under way by now has ended, however many wait behind it. */
  async underWay(): Promise<void> {
    await this.#busy;
  }

  /** Begins a write; nobody else may before the function it gives is called. */
  lock(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#busy = promise;
    return () => {
      this.#busy = undefined;
      resolve();
      if (this.isBehind) this.#deps.onBehind();
    };
  }

  /**
   * One durable transaction that takes along what is pending, alone. Where it fails, or there is nothing to do, that
   * stays pending. Where its end was not heard, it is in doubt until the database says whether it happened.
   */
  async write<T>(plan: (taken: EventBody[]) => Promise<Write<T> | undefined>): Promise<void> {
    // Not through `free`: between its end and the lock somebody else could begin.
    while (this.#busy) await this.#busy;
    const unlock = this.lock();
    let taken: EventBody[] = [];
    let write: Write<T> | undefined;
    try {
      await this.#settle();
      taken = this.pending.take();
      write = await plan(taken);
      if (write) write.committed(await this.#deps.transaction(write.rows, write.written));
      else this.pending.restore(taken);
    } catch (error) {
      if (write && error instanceof CommitInDoubt) {
        const { committed } = write;
        const { happened, result } = error;
        this.#doubt = { happened, committed: () => committed(result as T), taken };
      } else this.pending.restore(taken);
      throw error;
    } finally {
      unlock();
    }
  }

  /** Resolves when it is known what is durable; throws while the database cannot say. */
  async settled(): Promise<void> {
    while (this.#busy) await this.#busy;
    if (!this.#doubt) return;
    const unlock = this.lock();
    await this.#settle().finally(unlock);
  }

  /** Forgets everything that waits: it is not written any more. */
  drop(): void {
    this.#doubt = undefined;
    this.pending.take();
  }

  async #settle(): Promise<void> {
    const doubt = this.#doubt;
    if (doubt) {
      const happened = await doubt.happened();
      this.#deps.requireHeld();
      this.#doubt = undefined;
      if (happened) doubt.committed();
      else this.pending.restore(doubt.taken);
    }
    await this.#deps.beforeNext();
  }
}
