import { toErrorInfo } from '#shared/errors.ts';
import type { Logger } from '#shared/ports.ts';
import type { Blobs } from '#store/blobs.ts';

const hour = 3_600_000;

/** Drops stored bytes that nobody refers to: at start, every hour, and after something was deleted. */
export class BlobCollector {
  readonly #blobs: Pick<Blobs, 'collect'>;
  readonly #logger: Logger;
  readonly #closing = new AbortController();
  #running: Promise<void> | undefined;
  #isWanted = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(blobs: Pick<Blobs, 'collect'>, logger: Logger) {
    this.#blobs = blobs;
    this.#logger = logger;
  }

  start(): void {
    this.collect();
    this.#timer = setInterval(() => this.collect(), hour).unref();
  }

  /** In the background; while one runs, once more after it. */
  collect(): void {
    this.#isWanted = true;
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
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
      try {
        await this.#blobs.collect(signal);
      } catch (error) {
        this.#logger.warn(toErrorInfo(error), 'Unused files could not be dropped');
      }
    }
  }
}
