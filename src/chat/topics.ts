import { randomUUIDv7 } from 'node:crypto';
import type { SearchHit } from '#shared/api.ts';
import { CeriseError } from '#shared/errors.ts';
import type { HostEvent, TopicPatch } from '#shared/event.ts';
import { limits } from '#shared/limits.ts';
import type { Conversation, Message, Topic } from '#shared/message.ts';
import { getAssistant } from '#store/assistants.ts';
import { getMessage, listMessages } from '#store/messages.ts';
import { searchText } from '#store/search.ts';
import type { Store } from '#store/store.ts';
import { deleteTopic, getTopic, insertTopic, listTopics, updateTopic } from '#store/topics.ts';
import type { BlobCollector } from './blob-collector.ts';
import type { Remember } from './idempotency.ts';
import type { LiveTopic } from './live-topic.ts';
import { type LiveTopics, topicNotFound } from './live-topics.ts';
import type { SessionServers } from './session-servers.ts';
import type { Turns } from './turns.ts';
import { durableFrame, type Viewer } from './viewers.ts';

/** Everything people do with topics except talking in them. */
export class Topics {
  readonly #store: Store;
  readonly #live: LiveTopics;
  readonly #turns: Turns;
  readonly #sessions: Pick<SessionServers, 'topicDeleted'>;
  readonly #collector: Pick<BlobCollector, 'collect'>;
  readonly #emit: (owner: string, event: HostEvent) => void;
  readonly #now: () => number;

  constructor(parts: {
    store: Store;
    live: LiveTopics;
    turns: Turns;
    sessions: Pick<SessionServers, 'topicDeleted'>;
    collector: Pick<BlobCollector, 'collect'>;
    emit: (owner: string, event: HostEvent) => void;
    now: () => number;
  }) {
    this.#store = parts.store;
    this.#live = parts.live;
    this.#turns = parts.turns;
    this.#sessions = parts.sessions;
    this.#collector = parts.collector;
    this.#emit = parts.emit;
    this.#now = parts.now;
  }

  async create(
    owner: string,
    input: { title?: string; assistantId?: string; model?: string },
    remember?: Remember<Topic>,
  ): Promise<Topic> {
    const assistantId = input.assistantId ?? 'default';
    await this.#checkAssistant(owner, assistantId);
    const at = this.#now();
    const topic: Topic = {
      id: randomUUIDv7(),
      title: input.title ?? '',
      titled: input.title !== undefined,
      assistantId,
      ...(input.model && { model: input.model }),
      activeLeafId: null,
      isLoading: false,
      createdAt: at,
      updatedAt: at,
    };
    await this.#store.transaction(async (tx) => {
      await insertTopic(tx, owner, topic);
      await remember?.(tx, topic);
    });
    this.#emit(owner, { type: 'topic-changed', topic });
    return topic;
  }

  async list(owner: string, page: { limit: number; before?: string }): Promise<Topic[]> {
    return listTopics(this.#store.db, owner, page);
  }

  async search(owner: string, query: string): Promise<SearchHit[]> {
    return query.trim() === '' ? [] : searchText(this.#store.db, owner, query, 50);
  }

  async update(owner: string, topicId: string, change: TopicPatch): Promise<Topic> {
    if (change.assistantId) await this.#checkAssistant(owner, change.assistantId);
    return this.#live.use(owner, topicId, (live) =>
      live.serially(async () => {
        if (change.activeLeafId) await this.#checkMessage(live, change.activeLeafId);
        const patch = { ...change, ...(change.title !== undefined && { titled: true }) };
        await live.commit({
          events: [{ type: 'topic-update', patch }],
          inRows: true,
          rows: (tx) => updateTopic(tx, owner, topicId, patch),
        });
        return live.topic;
      }),
    );
  }

  /** Deletes a topic with everything in it; what runs in it is stopped first, its servers last. */
  async delete(owner: string, topicId: string): Promise<void> {
    await this.#live.use(owner, topicId, async (live) => {
      await this.#turns.stopTopic(topicId);
      await live.commit({
        events: [{ type: 'topic-delete' }],
        inRows: true,
        rows: (tx) => deleteTopic(tx, owner, topicId),
      });
      live.isDeleted = true;
      live.viewers.endAll();
    });
    this.#emit(owner, { type: 'topic-deleted', topicId });
    this.#collector.collect();
    await this.#sessions.topicDeleted(topicId);
  }

  /** The topic with its newest messages, exactly as of `seq`. */
  async snapshot(owner: string, topicId: string): Promise<Conversation> {
    return this.#live.use(owner, topicId, (live) => this.#readSnapshot(live));
  }

  async earlierMessages(
    owner: string,
    topicId: string,
    page: { before?: string; limit: number },
  ): Promise<{ messages: Message[]; hasEarlier: boolean }> {
    if (!(await getTopic(this.#store.db, owner, topicId))) throw topicNotFound();
    return listMessages(this.#store.db, topicId, page);
  }

  /**
   * Attaches a viewer after the event `after`: it first gets what it missed, or a snapshot if that
   * is no longer kept, then everything that happens. Nothing is lost or repeated in between.
   * Resolves to a function that detaches it.
   */
  async watch(
    owner: string,
    topicId: string,
    after: number | undefined,
    viewer: Viewer,
  ): Promise<() => void> {
    const live = await this.#live.hold(owner, topicId);
    const detach = () => {
      live.viewers.delete(viewer);
      this.#live.release(topicId);
    };
    try {
      const missed = after === undefined ? undefined : live.eventsAfter(after);
      const frames = missed
        ? missed.map(durableFrame).join('')
        : snapshotFrame(await this.#readSnapshot(live));
      viewer.send(new TextEncoder().encode(frames), true);
      live.viewers.add(viewer);
      return detach;
    } catch (error) {
      detach();
      throw error;
    }
  }

  async #readSnapshot(live: LiveTopic): Promise<Conversation> {
    const page = { limit: limits.snapshotMessages };
    return live.snapshot(() => listMessages(this.#store.db, live.id, page));
  }

  async #checkAssistant(owner: string, assistantId: string): Promise<void> {
    if (await getAssistant(this.#store.db, owner, assistantId)) return;
    throw new CeriseError('assistant_not_found', 'There is no such assistant.');
  }

  async #checkMessage(live: LiveTopic, messageId: string): Promise<void> {
    const message = await getMessage(this.#store.db, live.owner, messageId);
    if (message?.topicId === live.id) return;
    throw new CeriseError('message_not_found', 'The message is not in this topic.');
  }
}

function snapshotFrame(conversation: Conversation): string {
  const { seq } = conversation;
  const event = { seq, type: 'snapshot', conversation };
  return `id: ${seq}\ndata: ${JSON.stringify(event)}\n\n`;
}
