import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';

/** How long a server that failed is left alone by those who cannot wait. */
const failureMemoryMs = 30_000;
/** A server may announce so many changes a second; more are taken together. */
const promptChanges = 5;
const secondMs = 1000;

/** What was loaded, and how long the server says it may be kept. */
export interface Loaded<T> {
  value: T;
  ttlMs?: number;
  /** There was more than is used. */
  cut?: true;
}

interface Entry<T> {
  promise: Promise<Loaded<T>>;
  startedAt: number;
  freshUntil: number;
  settled: boolean;
}

/** A value of a server: asked for once at a time, kept for a while or until it changes. */
export class Cached<T> {
  readonly #load: () => Promise<Loaded<T>>;
  readonly #time: number;
  readonly #changes = { since: 0, count: 0 };
  #entry: Entry<T> | undefined;
  #last: Loaded<T> | undefined;
  #failure: { error: CeriseError; at: number } | undefined;

  /** `time` is how long a value is kept when the server does not say. */
  constructor(time: number, load: () => Promise<Loaded<T>>) {
    this.#time = time;
    this.#load = load;
  }

  async get(): Promise<T> {
    const cached = this.#entry;
    if (cached && Date.now() < cached.freshUntil) return (await cached.promise).value;
    const entry: Entry<T> = {
      promise: this.#load(),
      startedAt: Date.now(),
      freshUntil: Infinity,
      settled: false,
    };
    this.#entry = entry;
    void this.#settle(entry);
    return (await entry.promise).value;
  }

  /**
   * For those who cannot wait: fails at once for a server that failed just now, and for one that has
   * been asked for longer than `patience` already.
   */
  async getUnlessStuck(patience: number): Promise<T> {
    const now = Date.now();
    if (this.#failure && now - this.#failure.at < failureMemoryMs) throw this.#failure.error;
    const stuck = this.#entry && !this.#entry.settled && now - this.#entry.startedAt > patience;
    if (stuck) throw stillStarting();
    return this.get();
  }

  /** The last value, if the server has not said since that it changed: for those whom a late change is told. */
  async getKnown(patience: number): Promise<T> {
    return this.age !== undefined && this.#last ? this.#last.value : this.getUnlessStuck(patience);
  }

  /** The last value that was loaded, however old; undefined if there was none. */
  peek(): T | undefined {
    return this.#last?.value;
  }

  /** Whether the last value is only a part of what the server has. */
  get isCut(): boolean {
    return this.#last?.cut ?? false;
  }

  /** Milliseconds since the kept value was asked for. */
  get age(): number | undefined {
    return this.#entry?.settled ? Date.now() - this.#entry.startedAt : undefined;
  }

  /** The server says it changed. A flood of such news is taken together once a second. */
  invalidate(): void {
    const now = Date.now();
    if (now - this.#changes.since >= secondMs)
      Object.assign(this.#changes, { since: now, count: 0 });
    this.#changes.count += 1;
    if (this.#changes.count <= promptChanges) this.#entry = undefined;
    else if (this.#entry) {
      this.#entry.freshUntil = Math.min(this.#entry.freshUntil, this.#changes.since + secondMs);
    }
  }

  /** Forgets everything, a failure too: the next attempt has a new chance. */
  reset(): void {
    this.#entry = undefined;
    this.#failure = undefined;
    this.#last = undefined;
  }

  async #settle(entry: Entry<T>): Promise<void> {
    try {
      const loaded = await entry.promise;
      const { ttlMs } = loaded;
      const until = Date.now() + Math.max(0, ttlMs ?? this.#time);
      entry.freshUntil = Math.min(entry.freshUntil, until);
      if (this.#entry !== entry) return;
      this.#last = loaded;
      this.#failure = undefined;
    } catch (error) {
      if (this.#entry !== entry) return;
      this.#entry = undefined;
      if (error instanceof CeriseError) this.#failure = { error, at: Date.now() };
    } finally {
      entry.settled = true;
    }
  }
}

/** What is said of a server that has not answered yet. */
export function stillStarting(): CeriseError {
  return new CeriseError('timed_out', say('still-starting')`The server is still starting.`, {
    hint: say('still-starting-hint')`Its tools will be available once it has started.`,
  });
}
