import { toErrorInfo } from '#shared/errors.ts';
import { limits } from '#shared/limits.ts';
import type { Logger } from '#shared/ports.ts';
import type { JournalRow, Store } from '#store/store.ts';

/** What a live topic hands over: rows to write, and what happens once they are or are not. */
export interface JournalBatch {
  rows: JournalRow[];
  written(ids: number[]): void;
  /** Nothing was written: the topic keeps everything for the next try. */
  failed(): void;
}

/** A live topic as the journal sees it. `take` is undefined when there is nothing or it is busy. */
export interface JournalSource {
  take(): JournalBatch | undefined;
}

/**
 * Writes the pending events of all live topics in one transaction a tick, or at the end of the
 * present macrotask where a viewer's blocks change shape. A failed write is tried again at the next
 * tick; nothing is dropped.
 */
export class Journal {
  private readonly store: Store;
  private readonly logger: Logger;
  private readonly tick: number;
  private readonly waiting = new Set<JournalSource>();
  private readonly urgent = new Set<JournalSource>();
  private timer: NodeJS.Timeout | undefined;
  private immediate: NodeJS.Immediate | undefined;
  private writing: Promise<void> | undefined;

  constructor(store: Store, logger: Logger, tick?: number) {
    this.store = store;
    this.logger = logger;
    this.tick =
      tick ?? (store.dialect === 'sqlite' ? limits.journalTick : limits.journalTickPostgres);
  }

  /** Writes this topic's pending events at the next tick. */
  later(source: JournalSource): void {
    this.waiting.add(source);
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.flush();
    }, this.tick);
  }

  /** Writes this topic's pending events when the present macrotask ends. */
  soon(source: JournalSource): void {
    this.waiting.delete(source);
    this.urgent.add(source);
    this.immediate ??= setImmediate(() => {
      this.immediate = undefined;
      void this.write(this.urgent);
    });
  }

  /** Writes everything that is pending now; resolves when it was tried. */
  async flush(): Promise<void> {
    await this.write(this.urgent);
    await this.write(this.waiting);
  }

  /** Stops the timers after a last flush. */
  async close(): Promise<void> {
    await this.flush();
    clearTimeout(this.timer);
    clearImmediate(this.immediate);
  }

  private async write(sources: Set<JournalSource>): Promise<void> {
    while (this.writing) await this.writing;
    const batches = [...sources].flatMap((source) => source.take() ?? []);
    sources.clear();
    if (batches.length === 0) return;
    this.writing = this.writeBatches(batches);
    await this.writing;
  }

  private async writeBatches(batches: JournalBatch[]): Promise<void> {
    try {
      const ids = await this.store.appendEvents(
        batches.flatMap(({ rows }) => rows),
        'relaxed',
      );
      let next = 0;
      for (const batch of batches) batch.written(ids.slice(next, (next += batch.rows.length)));
    } catch (error) {
      this.logger.error(
        { ...toErrorInfo(error) },
        'The journal could not be written; trying again',
      );
      for (const batch of batches) batch.failed();
    } finally {
      this.writing = undefined;
    }
  }
}
