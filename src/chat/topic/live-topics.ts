import { setTimeout } from 'node:timers/promises';
import { KeyedQueue } from '#shared/async/keyed-queue.ts';
import { type CeriseError, isUnreadable } from '#shared/errors/errors.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { Topic } from '#shared/vocabulary/message.ts';
import type { JournalEntry } from '#store/conversations/events.ts';
import { unparkAnswers } from '#store/conversations/leases.ts';
import { getTopic } from '#store/conversations/topics.ts';
import type { Store } from '#store/database/store.ts';
import type { Journal } from './journal.ts';
import type { Lease, Leases } from './leases.ts';
import { LiveTopic } from './live-topic.ts';
import { type OpenTopic, readOpenTopic } from './open-topic.ts';
import type { Signals } from './signals.ts';
import { topicNotFound } from './topic-not-found.ts';
import { type FrameClock, type Viewer, Viewers } from './viewers.ts';
import { showMissed, type Watched } from './watched-topic.ts';

/** Another host holds the topic: what is wanted of it has to be handed over. */
export class HeldElsewhere extends Error {
  constructor(topicId: string) {
    super(`topic ${topicId} is held by another host`);
    this.name = 'HeldElsewhere';
  }
}

/** Milliseconds between two looks at a topic that is being left. */
const leavingMs = 5;

/** A topic that somebody here writes or watches. */
interface Entry {
  viewers: Viewers;
  /** The writer; undefined while nobody here writes. */
  live: Promise<LiveTopic> | undefined;
  /** The same once it is loaded. */
  loaded: LiveTopic | undefined;
  holders: number;
  /** Who waits to look at it or to watch it: it must not be forgotten before. */
  visitors: number;
  /** While nobody here writes: whose topic viewers watch, and up to which event they know it. */
  owner: string;
  shown: number;
}

const nobody: Omit<Entry, 'viewers'> = {
  live: undefined,
  loaded: undefined,
  holders: 0,
  visitors: 0,
  owner: '',
  shown: 0,
};

interface LiveTopicsDeps {
  store: Store;
  journal: Journal;
  limits: Pick<Limits, 'snapshotMessages'>;
  clock: FrameClock;
  onChange: (owner: string, topic: Topic) => void;
  /** Present where several hosts share the database. */
  leases?: Leases | undefined;
  signals: Signals;
}

/** Opens topics for writing and watching; each is live once, for as long as somebody writes it. */
export class LiveTopics {
  readonly #deps: LiveTopicsDeps;
  readonly #entries = new Map<string, Entry>();
  /** Loading, leaving and attaching viewers take turns for each topic. */
  readonly #queue = new KeyedQueue();
  readonly #leaseOf = new WeakMap<LiveTopic, Lease | undefined>();
  /** The whole journal, read once while everything that was left open is opened. */
  #journal: JournalEntry[] | undefined;

  constructor(deps: LiveTopicsDeps) {
    this.#deps = deps;
  }

  /** How many are written or watched here. */
  get size(): number {
    return this.#entries.size;
  }

  /** Works on a live topic; it stays live at least until `work` is done. */
  async use<T>(
    owner: string,
    topicId: string,
    work: (live: LiveTopic) => Promise<T>,
    begins?: Topic,
  ): Promise<T> {
    const live = await this.hold(owner, topicId, begins);
    try {
      return await work(live);
    } finally {
      this.release(topicId);
    }
  }

  /**
   * Makes a topic live, or holds the one that is. Every hold needs its release. One that `begins` is not stored yet,
   * and nobody else knows of it: whoever holds it stores it first. Throws `topic_not_found`, and HeldElsewhere where
   * another host has it.
   */
  async hold(owner: string, topicId: string, begins?: Topic): Promise<LiveTopic> {
    const entry = this.#entry(topicId);
    entry.holders += 1;
    try {
      const live = await (entry.live ??= this.#open(owner, topicId, entry, begins));
      if (live.owner !== owner || live.isDeleted) throw topicNotFound();
      return live;
    } catch (error) {
      this.release(topicId);
      throw error;
    }
  }

  /**
   * Opens topics in which answers were left open; the listener that gets those holds them. One that cannot be
   * read is told and keeps nobody from the others.
   */
  async openAll(
    topics: { id: string; owner: string }[],
    journal: JournalEntry[] | undefined,
    onUnreadable: (topicId: string, error: CeriseError) => void,
  ): Promise<void> {
    this.#journal = journal;
    try {
      for (const { id, owner } of topics)
        await this.use(owner, id, async () => undefined).catch((error: unknown) => {
          if (isUnreadable(error)) onUnreadable(id, error);
          else if (!(error instanceof HeldElsewhere)) throw error;
        });
    } finally {
      this.#journal = undefined;
    }
  }

  /** Holds a topic that is live already. */
  retain(topicId: string): void {
    this.#entry(topicId).holders += 1;
  }

  release(topicId: string): void {
    const entry = this.#entries.get(topicId);
    if (!entry) return;
    entry.holders -= 1;
    if (entry.holders > 0) return;
    const { live } = entry;
    if (!live) return this.#forget(topicId, entry);
    // What is still being written belongs to this object: it goes only when it is idle.
    void live
      .then((topic) => topic.idle())
      .then(() => this.#leave(topicId, entry, live))
      .catch(() => this.#forget(topicId, entry));
  }

  /** The topic if it is live here. */
  find(topicId: string): LiveTopic | undefined {
    return this.#entries.get(topicId)?.loaded;
  }

  /** Resolves when nobody here holds a topic any more that was deleted: only then it can be opened again. */
  async leftDeleted(topicId: string): Promise<void> {
    while (this.find(topicId)?.isDeleted) await setTimeout(leavingMs);
  }

  /** The topics that are live here. */
  held(): string[] {
    return [...this.#entries].flatMap(([id, { loaded }]) => (loaded ? [id] : []));
  }

  /** Runs work on what viewers see of a topic, while nobody loads or leaves it. */
  async withViewers<T>(topicId: string, work: (watched: Watched) => Promise<T>): Promise<T> {
    const entry = this.#entry(topicId);
    entry.visitors += 1;
    try {
      return await this.#queue.run(topicId, () => work(entry));
    } finally {
      entry.visitors -= 1;
      this.#forget(topicId, entry);
    }
  }

  /** Nobody watches through this viewer any more. */
  unwatch(topicId: string, viewer: Viewer): void {
    const entry = this.#entries.get(topicId);
    entry?.viewers.delete(viewer);
    if (entry) this.#forget(topicId, entry);
  }

  /** True where several hosts share the database. */
  get isShared(): boolean {
    return this.#deps.leases !== undefined;
  }

  /** Topics that are watched here and written, if at all, by another host. */
  watched(): { topicId: string; seq: number }[] {
    return [...this.#entries].flatMap(([topicId, { live, viewers, shown }]) =>
      live || viewers.size === 0 ? [] : [{ topicId, seq: shown }],
    );
  }

  /** Ends every viewer's stream; for shutdown. */
  endViewers(): void {
    for (const { viewers } of this.#entries.values()) viewers.endAll();
  }

  async #open(
    owner: string,
    topicId: string,
    entry: Entry,
    begins: Topic | undefined,
  ): Promise<LiveTopic> {
    const live = this.#queue.run(topicId, () => this.#load(owner, topicId, entry, begins));
    try {
      return await live;
    } catch (error) {
      entry.live = undefined;
      throw error;
    }
  }

  async #load(
    owner: string,
    topicId: string,
    entry: Entry,
    begins: Topic | undefined,
  ): Promise<LiveTopic> {
    const { store, leases, signals } = this.#deps;
    const lease = await leases?.claim(topicId);
    if (leases && !lease) throw await this.#whyNot(owner, topicId);
    try {
      const read = begins
        ? { topic: begins, seq: 0, answers: [] }
        : await readOpenTopic(store, owner, topicId, this.#journal);
      if (!read) throw topicNotFound();
      const live = this.#create(owner, entry, read, lease);
      if (entry.viewers.size > 0 && entry.shown < live.seq)
        await showMissed(this.#deps, entry, topicId);
      for (const { message, journal } of read.answers) live.adopt(message, journal);
      if (read.answers.length > 0) await unparkAnswers(store.db, topicId);
      entry.loaded = live;
      void signals.tell('topic-opened', { live, answers: read.answers });
      return live;
    } catch (error) {
      if (lease) await leases?.release(lease);
      throw error;
    }
  }

  #create(
    owner: string,
    entry: Entry,
    { topic, seq }: OpenTopic,
    lease: Lease | undefined,
  ): LiveTopic {
    const { store, journal, leases, signals, onChange } = this.#deps;
    const { viewers } = entry;
    const live: LiveTopic = new LiveTopic({
      owner,
      topic,
      seq,
      store,
      journal,
      viewers,
      onChange: (changed) => onChange(owner, changed),
      ...(lease && { fence: lease.fence, mayShow: () => performance.now() < lease.deadline }),
      onLost: () => {
        // A host that took the topic over has another fence; its lease is not touched.
        if (lease) void leases?.release(lease).catch(() => undefined);
        if (entry.loaded === live) this.#empty(entry, live);
        void signals.tell('topic-lost', { live });
      },
    });
    if (lease) lease.onLost = () => live.lose();
    this.#leaseOf.set(live, lease);
    return live;
  }

  #empty(entry: Entry, { owner, seq }: LiveTopic): void {
    Object.assign(entry, { live: undefined, loaded: undefined, owner, shown: seq });
  }

  /** This host no longer writes it: its viewers see what others write. */
  async #leave(topicId: string, entry: Entry, live: Promise<LiveTopic>): Promise<void> {
    await this.#queue.run(topicId, async () => {
      const topic = entry.loaded;
      if (entry.holders > 0 || entry.live !== live || !topic) return;
      this.#empty(entry, topic);
      const lease = this.#leaseOf.get(topic);
      // A lease that cannot be given back runs out by itself.
      if (lease) await this.#deps.leases?.release(lease).catch(() => undefined);
    });
    this.#forget(topicId, entry);
  }

  async #whyNot(owner: string, topicId: string): Promise<Error> {
    const topic = await getTopic(this.#deps.store.db, owner, topicId);
    return topic ? new HeldElsewhere(topicId) : topicNotFound();
  }

  #entry(topicId: string): Entry {
    let entry = this.#entries.get(topicId);
    if (!entry) {
      const viewers = new Viewers(this.#deps.clock);
      entry = { ...nobody, viewers };
      this.#entries.set(topicId, entry);
    }
    return entry;
  }

  #forget(topicId: string, entry: Entry): void {
    const { holders, visitors, live, viewers } = entry;
    const isUsed = holders > 0 || visitors > 0 || live !== undefined || viewers.size > 0;
    if (!isUsed && this.#entries.get(topicId) === entry) this.#entries.delete(topicId);
  }
}
