import { Background } from '#shared/async/background.ts';
import { isWithin } from '#shared/async/clock.ts';
import { toErrorInfo } from '#shared/errors/errors.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import type { Blobs } from '#store/blobs/blobs.ts';
import { unfinishedImports } from '#store/conversations/imports.ts';
import { dropOldRecords } from '#store/conversations/records.ts';
import { expireTopics } from '#store/conversations/recoverable-topics.ts';
import { dropOldRuns, expiredTopics } from '#store/conversations/runs.ts';
import { sweepTopics, tidyIndex } from '#store/conversations/sweep.ts';
import { inSlices } from '#store/database/slices.ts';
import type { Store } from '#store/database/store.ts';
import { addUpAll } from '#store/usage/sums.ts';
import type { Users } from '../people/users.ts';
import { dropOldCalls } from './direct-call-records.ts';
import { settleImport } from './staged-import.ts';

/** Milliseconds between two looks for what others left, and how long an import may be silent. */
const lookIntervalMs = 20_000;
const importSilenceMs = 120_000;
const hourMs = 3_600_000;

/** Milliseconds between two times that all topics of programs are looked at. */
const runsIntervalMs = 60_000;

interface SweeperDeps {
  store: Store;
  blobs: Pick<Blobs, 'collect'>;
  users: Pick<Users, 'finishRemovals'>;
  limits: Pick<
    Limits,
    'directCallTime' | 'v1KeptTime' | 'v1StoredTime' | 'recordTime' | 'recordBytes'
  >;
  /** Removes a topic that nobody asks for any more. */
  deleteTopic: (owner: string, topicId: string) => Promise<void>;
  logger: Logger;
  /** Told of a topic that could be restored until now. */
  onExpired: (topicId: string) => void;
  now: () => number;
}

/**
 * Does in the background, in slices, what nobody waits for: the rows of what was deleted go, imports that were
 * cut are brought to their end, sums are added up, bytes that nobody refers to are dropped. Everything is found
 * by looking at rows, so that what one host leaves the next goes on with, or another. What cannot be done keeps
 * nothing else from being done.
 */
export class Sweeper {
  readonly #deps: SweeperDeps;
  readonly #sweeping = new Background((signal) => this.#sweep(signal));
  readonly #collecting = new Background((signal) => this.#collect(signal));
  #isFirst = true;
  #expiredAt = -Infinity;

  constructor(deps: SweeperDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#collecting.start(hourMs);
    this.#sweeping.start(lookIntervalMs);
  }

  /** Something was deleted that may have had bytes of its own. */
  collect(): void {
    this.#collecting.run();
  }

  /** Something was deleted, or an import was cut. */
  sweep(): void {
    this.#sweeping.run();
  }

  async close(): Promise<void> {
    await this.#sweeping.close();
    await this.#collecting.close();
  }

  async #collect(signal: AbortSignal): Promise<void> {
    const { store, blobs, limits, now } = this.#deps;
    await this.#orTell('Could not delete unused files', () => blobs.collect(signal));
    const kept = { since: now() - limits.recordTime, mostBytes: limits.recordBytes };
    await this.#orTell(cannotSweep, () => dropOldRecords(store, kept, signal));
  }

  async #sweep(signal: AbortSignal): Promise<void> {
    const { store, users } = this.#deps;
    const steps = [
      () => this.#settleImports(signal),
      () => users.finishRemovals(signal),
      () => this.#expireRuns(signal),
      () => this.#sweepRows(signal),
      () => addUpAll(store, signal),
    ];
    for (const step of steps) if (!signal.aborted) await this.#orTell(cannotSweep, step);
  }

  async #settleImports(signal: AbortSignal): Promise<void> {
    const { store, now } = this.#deps;
    // SQLite has one process: what it finds at its start nobody works on.
    const isOwn = this.#isFirst && store.dialect === 'sqlite';
    const since = isOwn ? Number.MAX_SAFE_INTEGER : now() - importSilenceMs;
    this.#isFirst = false;
    for (const left of await unfinishedImports(store.db, { since }))
      await this.#orTell(cannotSweep, () => settleImport(store, left, signal));
  }

  /** Answers of programs go some time after their end, with their topic; of chats only what a retry needs. */
  async #expireRuns(signal: AbortSignal): Promise<void> {
    const { store, limits, now } = this.#deps;
    const at = now();
    if (isWithin(this.#expiredAt, runsIntervalMs, at)) return;
    this.#expiredAt = at;
    const before = { kept: at - limits.v1KeptTime, stored: at - limits.v1StoredTime };
    let after: string | undefined = '';
    await inSlices(async () => {
      const { expired, last } = await expiredTopics(store.db, before, after ?? '');
      for (const topic of expired) if (!signal.aborted) await this.#expire(topic);
      after = last;
      return last !== undefined;
    }, signal);
    await inSlices(async () => (await dropOldRuns(store.db, before.stored)) > 0, signal);
  }

  async #expire({ owner, id }: { owner: string; id: string }): Promise<void> {
    await this.#orTell(cannotSweep, () => this.#deps.deleteTopic(owner, id));
  }

  async #sweepRows(signal: AbortSignal): Promise<void> {
    const { store, logger, onExpired, now } = this.#deps;
    await expireTopics(store, { now: now() }, onExpired, signal);
    const onFailure = (error: unknown) => logger.warn(toErrorInfo(error), cannotSweep);
    const swept = await sweepTopics(store, { signal, onFailure });
    if ((await dropOldCalls(this.#deps, signal)) || swept > 0) this.collect();
    if (swept > 0) await tidyIndex(store, signal);
  }

  async #orTell(message: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#deps.logger.warn(toErrorInfo(error), message);
    }
  }
}

const cannotSweep = 'Could not clean up deleted data';
