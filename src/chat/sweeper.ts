import { toErrorInfo } from '#shared/errors.ts';
import type { Limits } from '#shared/limits.ts';
import type { Logger } from '#shared/ports.ts';
import type { Blobs } from '#store/blobs.ts';
import { leftImports } from '#store/imports.ts';
import type { Store } from '#store/store.ts';
import { addUpAll } from '#store/sums.ts';
import { sweepTopics, tidyIndex } from '#store/sweep.ts';
import { BlobCollector } from './blob-collector.ts';
import { dropOldCalls } from './direct-call-records.ts';
import { settleImport } from './staged-import.ts';
import type { Users } from './users.ts';

/** Milliseconds between two looks for what others left, and how long an import may be silent. */
const lookEvery = 20_000;
const importSilence = 120_000;

interface SweeperParts {
  store: Store;
  blobs: Pick<Blobs, 'collect'>;
  users: Pick<Users, 'finishRemovals'>;
  limits: Pick<Limits, 'directCallTime'>;
  logger: Logger;
  now: () => number;
}

/**
 * Does in the background, in slices, what nobody waits for: the rows of what was deleted go, imports that were
 * cut are brought to their end, sums are added up. Everything is found by looking at rows, so that what one
 * host leaves the next goes on with, or another.
 */
export class Sweeper {
  readonly #parts: SweeperParts;
  readonly #collector: BlobCollector;
  readonly #closing = new AbortController();
  #running: Promise<void> | undefined;
  #isWanted = false;
  #isFirst = true;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: SweeperParts) {
    this.#parts = parts;
    this.#collector = new BlobCollector(parts.blobs, parts.logger);
  }

  start(): void {
    this.#collector.start();
    this.sweep();
    this.#timer = setInterval(() => this.sweep(), lookEvery).unref();
  }

  /** Something was deleted that may have had bytes of its own. */
  collect(): void {
    this.#collector.collect();
  }

  /** In the background; while one runs, once more after it. */
  sweep(): void {
    this.#isWanted = true;
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort();
    await this.#running;
    await this.#collector.close();
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    while (this.#isWanted && !signal.aborted) {
      this.#isWanted = false;
      try {
        await this.#once(signal);
      } catch (error) {
        this.#parts.logger.warn(toErrorInfo(error), 'What was deleted could not be swept');
      }
    }
  }

  async #once(signal: AbortSignal): Promise<void> {
    const { store, users, now } = this.#parts;
    // SQLite has one process: what it finds at its start nobody works on.
    const isOwn = this.#isFirst && store.dialect === 'sqlite';
    const since = isOwn ? Number.MAX_SAFE_INTEGER : now() - importSilence;
    this.#isFirst = false;
    for (const left of await leftImports(store.db, { since })) await settleImport(store, left);
    await users.finishRemovals();
    const swept = await sweepTopics(store, { signal });
    if ((await dropOldCalls(this.#parts, signal)) || swept > 0) this.#collector.collect();
    if (swept > 0) await tidyIndex(store, signal);
    await addUpAll(store, signal);
  }
}
