import { toErrorInfo } from '#shared/errors/errors.ts';
import { fault } from '#shared/errors/fault.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import { trimEvents, trimTopics } from '#store/conversations/events.ts';
import type { JournalRow, Store } from '#store/database/store.ts';
import { JournalTrouble } from './journal-trouble.ts';

/** How many rows of ended answers SQLite's journal may hold. */
const trimAfter = 2000;
/** Milliseconds that events of ended answers stay for hosts that read them late. */
const sharedMs = 30_000;

export type JournalLimits = Pick<Limits, 'journalTick' | 'journalTickPostgres'>;

/** Milliseconds between two writes of streamed text. Other instances read it from PostgreSQL. */
export function journalTick(
  dialect: Store['dialect'],
  liveTopics: number,
  limits: JournalLimits,
): number {
  if (dialect === 'postgres') return limits.journalTickPostgres;
  return liveTopics < 50 ? limits.journalTick : 2 * limits.journalTick;
}

/** What a live topic hands over: rows to write, and what happens once they are or are not. */
export interface JournalBatch {
  rows: JournalRow[];
  written(ids: (number | undefined)[]): void;
  /** Nothing was written: the topic keeps everything for the next try. */
  failed(): void;
}

/** A live topic as the journal sees it. `take` is undefined when there is nothing or it is busy. */
export interface JournalSource {
  /** Something waits to be written, or is being written. */
  readonly isBehind: boolean;
  take(): JournalBatch | undefined;
}

/**
 * Writes the pending events of all live topics in one transaction a tick, or at the end of the
 * present macrotask where a viewer's blocks change shape. A failed write is tried again at the next
 * tick; nothing is dropped.
 */
export class Journal {
  readonly #store: Store;
  readonly #logger: Logger;
  readonly #trouble: JournalTrouble;
  readonly #limits: JournalLimits;
  #tickedAt = 0;
  readonly #waiting = new Set<JournalSource>();
  readonly #urgent = new Set<JournalSource>();
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;
  #writing: Promise<boolean> | undefined;
  /** Rows by the running answer they tell of. */
  readonly #rows = new Map<string, number[]>();
  /** Events of shared topics that rows say as well: up to which number. */
  readonly #folded = new Map<string, number>();
  #trimTimer: NodeJS.Timeout | undefined;
  #lastId = 0;
  /** Since when each topic has had something to write; what another write took along is found out when asked. */
  readonly #behindSince = new Map<JournalSource, number>();
  #deadRows = 0;

  constructor(store: Store, logger: Logger, limits: JournalLimits) {
    this.#store = store;
    this.#logger = logger;
    this.#trouble = new JournalTrouble(logger);
    this.#limits = limits;
  }

  /** Milliseconds between two writes. */
  get tick(): number {
    return journalTick(this.#store.dialect, 1, this.#limits);
  }

  /** Milliseconds for which the oldest event waits to be written. */
  get lagMs(): number {
    const now = performance.now();
    let oldest = now;
    for (const [source, since] of this.#behindSince)
      if (source.isBehind) oldest = Math.min(oldest, since);
      else this.#behindSince.delete(source);
    return now - oldest;
  }

  /** Writes this topic's pending events at the next tick. */
  later(source: JournalSource): void {
    this.#waiting.add(source);
    this.#keepTime(source);
    this.#timer ??= setTimeout(() => this.#onTick(), this.tick);
  }

  /** Writes this topic's pending events when the present macrotask ends. */
  soon(source: JournalSource): void {
    this.#waiting.delete(source);
    this.#urgent.add(source);
    this.#keepTime(source);
    this.#immediate ??= setImmediate(() => {
      this.#immediate = undefined;
      void this.#write(this.#urgent);
    });
  }

  /** Writes everything that is pending now; resolves when it was tried. */
  async flush(): Promise<void> {
    await this.#write(this.#urgent);
    await this.#write(this.#waiting);
    if (this.#deadRows >= trimAfter) await this.#trim();
  }

  /** Rows that tell of a running answer, in order. */
  wrote(messageId: string, ids: number[]): void {
    const rows = this.#rows.get(messageId);
    if (rows) rows.push(...ids);
    else this.#rows.set(messageId, ids);
    this.#lastId = Math.max(this.#lastId, ids.at(-1) ?? 0);
  }

  /**
   * An answer is folded into rows. Rows of many answers share SQLite's pages, so there its events stay
   * until the oldest part of the journal can go as a whole. Where other hosts read the journal, those of
   * the topic up to a number stay for as long as somebody may still be on the way to them.
   */
  folded(messageId: string, shared?: { topicId: string; seq: number }): void {
    if (shared) this.trimLater(shared);
    else this.#deadRows += this.#rows.get(messageId)?.length ?? 0;
    this.#rows.delete(messageId);
  }

  /** Lets events of a shared topic go after a while. */
  trimLater({ topicId, seq }: { topicId: string; seq: number }): void {
    this.#folded.set(topicId, seq);
    this.#trimTimer ??= setTimeout(() => {
      this.#trimTimer = undefined;
      void this.#trimShared();
    }, sharedMs).unref();
  }

  /** Stops the timers after a last flush. */
  async close(): Promise<void> {
    await this.flush();
    if (this.#store.dialect === 'sqlite') await this.#trim();
    clearTimeout(this.#trimTimer);
    await this.#trimShared();
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
  }

  /** The more topics wait, the later: each row then holds more text, and fewer bytes are written. */
  #onTick(): void {
    this.#timer = undefined;
    const wait = journalTick(this.#store.dialect, this.#waiting.size, this.#limits);
    const late = this.#tickedAt + wait - performance.now();
    if (late > 1) {
      this.#timer = setTimeout(() => this.#onTick(), late);
      return;
    }
    this.#tickedAt = performance.now();
    void this.flush();
  }

  async #trim(): Promise<void> {
    const oldest = [...this.#rows.values()].map(([first]) => first ?? this.#lastId + 1);
    this.#deadRows = 0;
    await this.#tidy(() => trimEvents(this.#store.db, Math.min(this.#lastId + 1, ...oldest)));
  }

  async #trimShared(): Promise<void> {
    const folded = [...this.#folded].map(([topicId, seq]) => ({ topicId, seq }));
    this.#folded.clear();
    await this.#tidy(() => trimTopics(this.#store.db, folded));
  }

  /** What is not trimmed now goes with a later trim. */
  async #tidy(trim: () => Promise<unknown>): Promise<void> {
    try {
      await trim();
    } catch (error) {
      this.#logger.warn(toErrorInfo(error), 'Could not trim old events');
    }
  }

  async #write(sources: Set<JournalSource>): Promise<void> {
    while (this.#writing) await this.#writing;
    const batches: JournalBatch[] = [];
    const taken: JournalSource[] = [];
    for (const source of sources) {
      const batch = source.take();
      if (batch) {
        batches.push(batch);
        taken.push(source);
      } else if (!source.isBehind) this.#behindSince.delete(source);
    }
    sources.clear();
    if (batches.length === 0) return;
    const at = performance.now();
    this.#writing = this.#writeBatches(batches).finally(() => (this.#writing = undefined));
    if (!(await this.#writing)) return;
    // What came during the write is no older than it.
    for (const source of taken)
      if (source.isBehind) this.#behindSince.set(source, at);
      else this.#behindSince.delete(source);
  }

  #keepTime(source: JournalSource): void {
    if (!this.#behindSince.has(source)) this.#behindSince.set(source, performance.now());
  }

  /** Whether it could. */
  async #writeBatches(batches: JournalBatch[]): Promise<boolean> {
    try {
      await fault('journal-tick');
      const ids = await this.#store.appendEvents(
        batches.flatMap(({ rows }) => rows),
        'relaxed',
      );
      await fault('journal-written');
      this.#trouble.wrote();
      let next = 0;
      for (const batch of batches) batch.written(ids.slice(next, (next += batch.rows.length)));
      return true;
    } catch (error) {
      this.#trouble.failed(error);
      for (const batch of batches) batch.failed();
      return false;
    }
  }
}
