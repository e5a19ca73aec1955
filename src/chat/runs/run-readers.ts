import { randomUUID } from 'node:crypto';
import { toErrorInfo } from '#shared/errors/errors.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { Run } from '#shared/api/v1-api.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import { isLastReader, setReader } from '#store/conversations/runs.ts';
import type { Store } from '#store/database/store.ts';

interface ReadersDeps {
  store: Store;
  limits: Pick<Limits, 'v1Grace'>;
  logger: Logger;
  stop(run: Run): Promise<void>;
}

/**
 * The readers of runs. When the last one leaves, the answer is stopped after a moment: its client may come back, to
 * this host or to another one, which the run's row says.
 */
export class RunReaders {
  readonly #deps: ReadersDeps;
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(deps: ReadersDeps) {
    this.#deps = deps;
  }

  /** A name for a new reader. */
  newName(): string {
    return randomUUID();
  }

  /** Makes a new reader the one that decides on the end of a run. */
  async take(run: Run): Promise<string> {
    const reader = this.newName();
    await setReader(this.#deps.store.db, run.id, reader);
    return reader;
  }

  /** A reader left before the end. */
  left(run: Run, reader: string): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#stopUnlessRead(run, reader).catch((error: unknown) =>
        this.#deps.logger.warn(
          { runId: run.id, ...toErrorInfo(error) },
          'Could not stop the answer of a client that left',
        ),
      );
    }, this.#deps.limits.v1Grace).unref();
    this.#timers.add(timer);
  }

  /** No answer is stopped because this host ends. */
  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  async #stopUnlessRead(run: Run, reader: string): Promise<void> {
    if (await isLastReader(this.#deps.store.db, run.id, reader)) await this.#deps.stop(run);
  }
}
