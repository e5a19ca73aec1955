import { type CeriseError, isUnreadable, toErrorInfo } from '#shared/errors/errors.ts';
import { fault } from '#shared/errors/fault.ts';
import type { HostEvent } from '#shared/vocabulary/event.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import { readEventsAfter } from '#store/conversations/events.ts';
import { listInbox, trimInbox } from '#store/conversations/inbox.ts';
import { freeLeasesOfTheDead, listAbandoned } from '#store/conversations/leases.ts';
import { listTopicSeqs } from '#store/conversations/topics.ts';
import { type Doorbell, openDoorbell } from '#store/database/doorbell.ts';
import type { Commands } from '../cluster/commands.ts';
import { HeldElsewhere, type LiveTopics } from '../topic/live-topics.ts';
import { showMissed, showNext } from '../topic/watched-topic.ts';
import type { Base } from './base.ts';

/** Milliseconds between two looks at what other hosts wrote, did and left. */
const tailIntervalMs = 75;
const inboxIntervalMs = 1_000;
const takeOverIntervalMs = 2_000;
const reloadIntervalMs = 5_000;
const trimIntervalMs = 600_000;
const takenAtOnce = 20;

/** What hosts tell each other: where to look, or a small event itself. Nothing relies on it. */
type Ring =
  | { inbox: string }
  | { changed: true }
  | { calls: true }
  | { host: { owner: string; event: HostEvent } };

interface NeighboursDeps {
  databaseUrl: string;
  live: LiveTopics;
  commands: Commands;
}

/**
 * This host among others on one PostgreSQL. It shows its viewers what the others write, carries out
 * what they accepted for its topics, and takes over topics that nobody holds any more. The doorbell only
 * makes it quicker: everything is found by looking at rows as well.
 */
export class Neighbours {
  readonly #base: Base;
  readonly #deps: NeighboursDeps;
  readonly #doorbell: Doorbell;
  /** Topics that were logged as unreadable. */
  readonly #unreadable = new Set<string>();
  readonly #takingOver: Loop;
  readonly #loops: Loop[];

  constructor(base: Base, deps: NeighboursDeps) {
    this.#base = base;
    this.#deps = deps;
    const { store, instance, logger, signals, now } = base;
    this.#doorbell = openDoorbell({
      databaseUrl: deps.databaseUrl,
      instance,
      logger,
      onRing: (payload) => this.#onRing(payload),
      onReady: () => this.#reload(),
    });
    this.#takingOver = new Loop(takeOverIntervalMs, logger, () => this.takeOver());
    this.#loops = [
      this.#takingOver,
      new Loop(tailIntervalMs, logger, () => this.#showTails()),
      new Loop(inboxIntervalMs, logger, () => this.#workInboxes()),
      new Loop(reloadIntervalMs, logger, () => signals.tell('heard-changed', {})),
      new Loop(trimIntervalMs, logger, () => trimInbox(store.db, now() - trimIntervalMs)),
    ];
    signals.on('tell-changed', () => this.#ring({ changed: true }));
    signals.on('tell-command', ({ topicId }) => this.#ring({ inbox: topicId }));
    signals.on('tell-stop', () => this.#ring({ calls: true }));
    signals.on('tell-event', (host) => this.#ring({ host }));
  }

  start(): void {
    for (const loop of this.#loops) loop.start();
  }

  #ring(payload: Ring): void {
    const from = this.#base.instance;
    void this.#doorbell.ring(JSON.stringify({ from, ...payload }));
  }

  /** Takes over topics in which something is to be done and that nobody holds. How many it tried. */
  async takeOver(): Promise<number> {
    const { store } = this.#base;
    const { live, commands } = this.#deps;
    await freeLeasesOfTheDead(store.db);
    const abandoned = await listAbandoned(store.db, takenAtOnce);
    for (const { id, owner } of abandoned) {
      await fault('take-over');
      await live
        .use(owner, id, () => commands.work(id))
        .catch((error: unknown) => {
          if (isUnreadable(error)) this.#sayUnreadable(id, error);
          else if (!(error instanceof HeldElsewhere)) throw error;
        });
    }
    return abandoned.length;
  }

  /** Logs once: the topic is tried again every two seconds, in case someone restores it. */
  #sayUnreadable(topicId: string, error: CeriseError): void {
    if (this.#unreadable.has(topicId)) return;
    this.#unreadable.add(topicId);
    const fields = { topicId, ...toErrorInfo(error) };
    this.#base.logger.error(fields, 'Could not resume a topic');
  }

  /** Leaves abandoned topics to other hosts: this one is about to end. */
  async stopTakingOver(): Promise<void> {
    await this.#takingOver.close();
  }

  async close(): Promise<void> {
    await Promise.all(this.#loops.map((loop) => loop.close()));
    await this.#doorbell.close();
  }

  #onRing(payload: string): void {
    const ring = JSON.parse(payload) as Ring & { from: string };
    if (ring.from === this.#base.instance) return;
    const { events, signals, logger } = this.#base;
    const { live, commands } = this.#deps;
    if ('host' in ring) {
      events.deliver(ring.host.owner, ring.host.event);
      void signals.tell('heard-event', { event: ring.host.event });
    } else if ('changed' in ring) this.#reload();
    else if ('calls' in ring) void signals.tell('heard-stop', {});
    else if (live.find(ring.inbox))
      commands
        .work(ring.inbox)
        .catch((error: unknown) => logger.warn(toErrorInfo(error), 'A command was postponed'));
  }

  #reload(): void {
    const { signals, logger } = this.#base;
    signals
      .tell('heard-changed', {})
      .catch((error: unknown) =>
        logger.warn(toErrorInfo(error), 'Could not read changes made by another host'),
      );
  }

  async #workInboxes(): Promise<void> {
    const { store } = this.#base;
    const { live, commands } = this.#deps;
    const waiting = await listInbox(store.db, live.held());
    for (const topicId of new Set(waiting.map((row) => row.topicId))) await commands.work(topicId);
  }

  /** Shows what was written elsewhere; a topic whose journal has moved on gets a snapshot. */
  async #showTails(): Promise<void> {
    const { store } = this.#base;
    const { live } = this.#deps;
    const watched = live.watched();
    if (watched.length === 0) return;
    // In this order, so that the events read are never behind the numbers read.
    const seqs = await listTopicSeqs(
      store.db,
      watched.map(({ topicId }) => topicId),
    );
    const entries = await readEventsAfter(store.db, watched);
    const events = Map.groupBy(entries, ({ topicId }) => topicId);
    for (const { topicId } of watched) {
      const tail = (events.get(topicId) ?? []).map(({ event }) => event);
      const seq = seqs.get(topicId);
      await live.withViewers(topicId, async (shown) => {
        if (shown.loaded || shown.viewers.size === 0) return;
        const isWhole = showNext(shown, tail);
        if (!isWhole || seq === undefined || shown.shown < seq)
          await showMissed(this.#base, shown, topicId);
      });
    }
  }
}

/** Repeats work, never twice at once; a failure waits for the next time. */
class Loop {
  readonly #every: number;
  readonly #logger: Logger;
  readonly #work: () => Promise<unknown>;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(every: number, logger: Logger, work: () => Promise<unknown>) {
    this.#every = every;
    this.#logger = logger;
    this.#work = work;
  }

  start(): void {
    if (this.#closed) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#once().finally(() => this.start());
    }, this.#every).unref();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #once(): Promise<void> {
    try {
      await this.#work();
    } catch (error) {
      this.#logger.warn(toErrorInfo(error), 'Could not check the shared database');
    }
  }
}
