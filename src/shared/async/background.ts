/** Work that is done in the background, every so often and whenever somebody asks for it; never twice at once. */
export class Background {
  readonly #work: (signal: AbortSignal) => Promise<void>;
  readonly #closing = new AbortController();
  #running: Promise<void> | undefined;
  #isWanted = false;
  #timer: NodeJS.Timeout | undefined;

  /** `work` tells of its failures itself; the signal ends it early. */
  constructor(work: (signal: AbortSignal) => Promise<void>) {
    this.#work = work;
  }

  /** Now, and then every so many milliseconds. */
  start(every: number): void {
    this.run();
    this.#timer = setInterval(() => this.run(), every).unref();
  }

  /** Does it soon; while it is done, once more after it. */
  run(): void {
    this.#isWanted = true;
    this.#running ??= this.#run();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    while (this.#isWanted && !signal.aborted) {
      this.#isWanted = false;
      await this.#work(signal);
    }
    // In the same step as the last look: who asks from here on begins again.
    this.#running = undefined;
  }
}
