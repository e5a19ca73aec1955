import { CeriseError } from '#shared/errors.ts';
import type { Topic } from '#shared/message.ts';
import type { Store } from '#store/store.ts';
import { getTopic, getTopicSeq } from '#store/topics.ts';
import type { Journal } from './journal.ts';
import { LiveTopic } from './live-topic.ts';
import { type FrameClock, Viewers } from './viewers.ts';

/** Opens topics for writing and watching; each is live once, for as long as somebody holds it. */
export class LiveTopics {
  readonly #store: Store;
  readonly #journal: Journal;
  readonly #clock: FrameClock;
  readonly #onChange: (owner: string, topic: Topic) => void;
  readonly #open = new Map<string, { topic: Promise<LiveTopic>; holders: number }>();

  constructor(parts: {
    store: Store;
    journal: Journal;
    clock: FrameClock;
    onChange: (owner: string, topic: Topic) => void;
  }) {
    this.#store = parts.store;
    this.#journal = parts.journal;
    this.#clock = parts.clock;
    this.#onChange = parts.onChange;
  }

  /** Works on a live topic; it stays live at least until `work` is done. */
  async use<T>(owner: string, topicId: string, work: (live: LiveTopic) => Promise<T>): Promise<T> {
    const live = await this.hold(owner, topicId);
    try {
      return await work(live);
    } finally {
      this.release(topicId);
    }
  }

  /** Makes a topic live, or holds the one that is. Every hold needs its release. */
  async hold(owner: string, topicId: string): Promise<LiveTopic> {
    let entry = this.#open.get(topicId);
    if (!entry) {
      entry = { topic: this.#load(owner, topicId), holders: 0 };
      this.#open.set(topicId, entry);
    }
    entry.holders += 1;
    try {
      const live = await entry.topic;
      if (live.owner !== owner || live.isDeleted) throw topicNotFound();
      return live;
    } catch (error) {
      this.release(topicId);
      throw error;
    }
  }

  release(topicId: string): void {
    const entry = this.#open.get(topicId);
    if (!entry) return;
    entry.holders -= 1;
    if (entry.holders > 0) return;
    // What is still being written belongs to this object: it goes only when it is idle.
    void entry.topic
      .then((live) => live.idle())
      .catch(() => undefined)
      .then(() => {
        if (entry.holders === 0 && this.#open.get(topicId) === entry) this.#open.delete(topicId);
      });
  }

  /** Ends every viewer's stream; for shutdown. */
  async endViewers(): Promise<void> {
    for (const { topic } of this.#open.values()) (await topic).viewers.endAll();
  }

  async #load(owner: string, topicId: string): Promise<LiveTopic> {
    const topic = await getTopic(this.#store.db, owner, topicId);
    if (!topic) throw topicNotFound();
    const seq = await getTopicSeq(this.#store.db, topicId);
    return new LiveTopic({
      owner,
      topic,
      seq: (seq?.nextSeq ?? 1) - 1,
      store: this.#store,
      journal: this.#journal,
      viewers: new Viewers(this.#clock),
      onChange: (changed) => this.#onChange(owner, changed),
    });
  }
}

export function topicNotFound(): CeriseError {
  return new CeriseError('topic_not_found', 'There is no such topic.', {
    hint: 'It may have been deleted; list the topics to see which there are.',
  });
}
