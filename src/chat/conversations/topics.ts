import { randomUUIDv7 } from 'node:crypto';
import type { SearchHit } from '#shared/api/api.ts';
import type { TopicListQuery, TopicUses } from '#shared/api/topic-api.ts';
import { CeriseError, isUnreadable } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { HostEvent, TopicChange, TopicPatch } from '#shared/vocabulary/event.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { Conversation, Message, Topic } from '#shared/vocabulary/message.ts';
import { getAssistant } from '#store/configuration/assistants.ts';
import { loadConversation } from '#store/conversations/conversation.ts';
import { deleteMessages, listTree } from '#store/conversations/delete-messages.ts';
import { listInbox } from '#store/conversations/inbox.ts';
import { cutToBlocks, type MessagePage, readPage } from '#store/conversations/message-page.ts';
import { getMessage } from '#store/conversations/messages.ts';
import { hideTopic, restoreTopic } from '#store/conversations/recoverable-topics.ts';
import { searchText } from '#store/conversations/search.ts';
import { listTopics } from '#store/conversations/topic-list.ts';
import { listUses } from '#store/conversations/topic-uses.ts';
import { deleteTopic, getTopic, insertTopic, updateTopic } from '#store/conversations/topics.ts';
import type { Db, Store } from '#store/database/store.ts';
import type { Commands, RunCommand } from '../cluster/commands.ts';
import type { Remember } from '../cluster/idempotency.ts';
import { assertStill } from '../people/visitor.ts';
import type { Servers } from '../servers/servers.ts';
import type { SessionServers } from '../servers/session-servers.ts';
import type { LiveTopic } from '../topic/live-topic.ts';
import type { LiveTopics } from '../topic/live-topics.ts';
import { messageNotFound, topicNotFound } from '../topic/topic-not-found.ts';
import type { Viewer } from '../topic/viewers.ts';
import { attachToLive, attachToRows } from '../topic/watched-topic.ts';
import type { Turns } from '../turn/turns.ts';
import { withAccepted } from './accepted-messages.ts';
import { leafWithout, subtree } from './message-tree.ts';

interface TopicsDeps {
  store: Store;
  limits: Pick<Limits, 'snapshotMessages' | 'snapshotBlocks' | 'undoTime'>;
  live: LiveTopics;
  turns: Turns;
  commands: Commands;
  servers: Pick<Servers, 'check'>;
  sessions: Pick<SessionServers, 'topicDeleted' | 'topicHidden'>;
  sweeper: { sweep(): void };
  /** Throws `quota_exceeded` for somebody who keeps as much as they may. */
  checkRoom(owner: string): Promise<void>;
  emit: (owner: string, event: HostEvent) => void;
  now: () => number;
}

/** Everything people do with topics except talking in them. */
export class Topics {
  readonly #deps: TopicsDeps;
  readonly #update: RunCommand<'topic-update'>;
  readonly #arrange: RunCommand<'topic-arrange'>;
  readonly #delete: RunCommand<'topic-delete'>;
  readonly #hide: RunCommand<'topic-hide'>;
  readonly #deleteMessage: RunCommand<'message-delete'>;

  constructor(deps: TopicsDeps) {
    this.#deps = deps;
    const { commands } = deps;
    this.#update = commands.define('topic-update', ({ owner, topicId }, change) =>
      this.#updateHere(owner, topicId, change),
    );
    this.#arrange = commands.define('topic-arrange', ({ owner, topicId }, change) =>
      this.#updateHere(owner, topicId, change),
    );
    this.#delete = commands.define('topic-delete', ({ owner, topicId }) =>
      this.#deleteHere(owner, topicId),
    );
    this.#hide = commands.define('topic-hide', ({ owner, topicId }, _, also) =>
      this.#hideHere(owner, topicId, (tx) => also(tx, null)),
    );
    this.#deleteMessage = commands.define('message-delete', ({ owner, topicId }, { messageId }) =>
      this.#deleteMessageHere(owner, topicId, messageId),
    );
  }

  async create(
    owner: string,
    input: Partial<Record<'title' | 'assistantId' | 'model', string | undefined>>,
    remember?: Remember<Topic>,
  ): Promise<Topic> {
    const assistantId = input.assistantId ?? 'default';
    await this.#checkAssistant(owner, assistantId);
    await this.#deps.checkRoom(owner);
    const at = this.#deps.now();
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
    await this.#deps.store.transaction(async (tx) => {
      await assertStill(tx, this.#deps.store.dialect, owner);
      await insertTopic(tx, owner, topic);
      await remember?.(tx, topic);
    });
    this.#deps.emit(owner, { type: 'topic-changed', topic });
    return topic;
  }

  /** Those that a query asks for, the most recently used first. */
  async list(owner: string, query: TopicListQuery): Promise<Topic[]> {
    const { limit, before, archived, pinned, ...filter } = query;
    const which = { ...filter, archived: archived === '1', pinned: pinned === '1' };
    return listTopics(this.#deps.store.db, owner, { limit, before }, which, this.#deps.now());
  }

  /** The models and servers that a list can be filtered by. */
  async uses(owner: string): Promise<TopicUses> {
    return listUses(this.#deps.store.db, owner);
  }

  /** Finds titles and blocks by their words, or the blocks of one topic alone. */
  async search(owner: string, query: string, topicId?: string): Promise<SearchHit[]> {
    const most = topicId === undefined ? 50 : 200;
    return query.trim() === '' ? [] : searchText(this.#deps.store.db, owner, query, most, topicId);
  }

  async update(owner: string, topicId: string, change: TopicChange): Promise<Topic> {
    if (change.mcp) await this.#checkNew(owner, topicId, change.mcp.selectedServers);
    if (change.systemPrompt ?? change.parameters ?? change.mcp) await this.#deps.checkRoom(owner);
    const { pinned, archived, ...patch } = change;
    const isArranged = pinned !== undefined || archived !== undefined;
    if (isArranged) return this.#arrange({ owner, topicId }, change);
    return this.#update({ owner, topicId }, patch);
  }

  async #updateHere(owner: string, topicId: string, change: TopicChange): Promise<Topic> {
    if (change.assistantId) await this.#checkAssistant(owner, change.assistantId);
    return this.#deps.live.use(owner, topicId, (live) =>
      live.serially(async () => {
        if (change.activeLeafId) await this.#checkMessage(live, change.activeLeafId);
        const patch = toPatch(live.topic, change, this.#deps.now());
        await live.commit({
          events: [{ type: 'topic-update', patch }],
          inRows: true,
          rows: (tx) => updateTopic(tx, owner, topicId, patch),
        });
        return live.topic;
      }),
    );
  }

  /** What was chosen before may be gone by now, and stays; what is new must be there. */
  async #checkNew(owner: string, topicId: string, chosen: readonly string[]): Promise<void> {
    const topic = await getTopic(this.#deps.store.db, owner, topicId);
    if (!topic) throw topicNotFound();
    const before = new Set(topic.mcp?.selectedServers);
    await this.#deps.servers.check(
      owner,
      chosen.filter((server) => !before.has(server)),
    );
  }

  /**
   * Deletes a topic with everything in it; what runs in it is stopped first, its servers last. With `undo` it can be
   * restored for a time, and goes after that.
   */
  async delete(owner: string, topicId: string, { undo = false } = {}): Promise<void> {
    if (undo) await this.#hide({ owner, topicId }, null);
    else await this.#delete({ owner, topicId }, null);
  }

  async #deleteHere(owner: string, topicId: string): Promise<null> {
    await this.#end(owner, topicId, (tx) => deleteTopic(tx, owner, topicId));
    this.#deps.sweeper.sweep();
    await this.#deps.sessions.topicDeleted(topicId);
    return null;
  }

  async #hideHere(owner: string, topicId: string, also: (tx: Db) => Promise<void>): Promise<null> {
    const until = this.#deps.now() + this.#deps.limits.undoTime;
    await this.#end(owner, topicId, async (tx) => {
      // First: what other hosts wait for is forgotten with the topic, unless it is done.
      await also(tx);
      return hideTopic(tx, owner, topicId, until);
    });
    await this.#deps.sessions.topicHidden(topicId);
    return null;
  }

  /** Shows a topic again that was deleted a moment ago. One that is there stays as it is. */
  async restore(owner: string, topicId: string): Promise<Topic> {
    await this.#deps.live.leftDeleted(topicId);
    const restored = await this.#deps.store.transaction((tx) => restoreTopic(tx, owner, topicId));
    const topic = await getTopic(this.#deps.store.db, owner, topicId);
    if (!topic) throw topicNotFound();
    if (restored) this.#deps.emit(owner, { type: 'topic-changed', topic });
    return topic;
  }

  /** Stops what runs in a topic and takes it from everybody, by the rows that `remove` changes. */
  async #end(owner: string, topicId: string, remove: (tx: Db) => Promise<boolean>): Promise<void> {
    await this.#deps.live
      .use(owner, topicId, (live) =>
        // In line with what is accepted, so that no answer begins that nobody stops.
        live.serially(async () => {
          await this.#deps.turns.stopTopic(topicId);
          await live.commit({ events: [{ type: 'topic-delete' }], inRows: true, rows: remove });
          live.isDeleted = true;
          live.viewers.endAll();
        }),
      )
      .catch(async (error: unknown) => {
        if (!isUnreadable(error)) throw error;
        // Nobody can open it, so nobody writes in it.
        await this.#deps.store.transaction(remove);
      });
    this.#deps.emit(owner, { type: 'topic-deleted', topicId });
  }

  /** Deletes a message and what hangs below it; refuses while something of that runs. */
  async deleteMessage(owner: string, messageId: string): Promise<void> {
    const message = await getMessage(this.#deps.store.db, owner, messageId);
    if (!message) throw messageNotFound();
    const { topicId } = message;
    await this.#deleteMessage({ owner, topicId }, { messageId });
  }

  async #deleteMessageHere(owner: string, topicId: string, messageId: string): Promise<null> {
    await this.#deps.live.use(owner, topicId, (live) =>
      live.serially(async () => {
        const tree = await listTree(this.#deps.store.db, topicId);
        const gone = subtree(tree, messageId);
        if (gone.length === 0) return;
        if (gone.some(({ isOpen }) => isOpen)) throw stillRuns();
        const messageIds = gone.map(({ id }) => id);
        const activeLeafId = leafWithout(tree, messageId, live.topic.activeLeafId);
        await live.commit({
          events: [{ type: 'messages-delete', messageIds, activeLeafId }],
          inRows: true,
          rows: (tx) => deleteMessages(tx, topicId, messageIds, activeLeafId),
        });
      }),
    );
    this.#deps.sweeper.sweep();
    return null;
  }

  /** The topic with its newest messages, or its newest blocks only, exactly as of `seq`. */
  async snapshot(owner: string, topicId: string, blocks?: number): Promise<Conversation> {
    if (!this.#deps.live.isShared)
      return this.#deps.live.use(owner, topicId, (live) => this.#readSnapshot(live, blocks));
    return this.#deps.live.withViewers(topicId, async ({ loaded }) => {
      if (loaded?.owner === owner && !loaded.isDeleted) return this.#readSnapshot(loaded, blocks);
      const page = { limit: this.#deps.limits.snapshotMessages, blocks };
      // In this order: what is carried out in between is then among the messages.
      const inbox = await listInbox(this.#deps.store.db, [topicId]);
      const found = await loadConversation(this.#deps.store, owner, topicId, page);
      if (!found) throw topicNotFound();
      return withAccepted(cutToBlocks(found, blocks ?? this.#deps.limits.snapshotBlocks), inbox);
    });
  }

  async earlierMessages(
    owner: string,
    topicId: string,
    page: MessagePage,
  ): Promise<{ messages: Message[]; hasEarlier: boolean }> {
    if (!(await getTopic(this.#deps.store.db, owner, topicId))) throw topicNotFound();
    const read = await readPage(this.#deps.store.db, topicId, page);
    const live = this.#deps.live.find(topicId);
    // What is translated there has its newest block in memory; a page of blocks is cut already.
    if (!live || page.blocks !== undefined) return read;
    return { ...read, messages: read.messages.map((each) => live.message(each.id) ?? each) };
  }

  /**
   * Attaches a viewer after the event `after`: it first gets what it missed, or a snapshot if that
   * is no longer kept (of its newest `blocks` only, if given), then everything that happens. Nothing
   * is lost or repeated in between. Resolves to a function that detaches it.
   */
  async watch(
    owner: string,
    topicId: string,
    after: number | undefined,
    viewer: Viewer,
    blocks?: number,
  ): Promise<() => void> {
    if (this.#deps.live.isShared) return this.#watchShared(owner, topicId, after, viewer, blocks);
    const live = await this.#deps.live.hold(owner, topicId);
    const detach = () => {
      live.viewers.delete(viewer);
      this.#deps.live.release(topicId);
    };
    try {
      await attachToLive(live, after, viewer, () => this.#readSnapshot(live, blocks));
      return detach;
    } catch (error) {
      detach();
      throw error;
    }
  }

  /** Who only watches does not hold the topic: another host may write it at any moment. */
  async #watchShared(
    owner: string,
    topicId: string,
    after: number | undefined,
    viewer: Viewer,
    blocks: number | undefined,
  ): Promise<() => void> {
    const topic = { owner, id: topicId };
    await this.#deps.live.withViewers(topicId, async (watched) => {
      const { loaded } = watched;
      if (loaded && (loaded.owner !== owner || loaded.isDeleted)) throw topicNotFound();
      if (loaded)
        await attachToLive(loaded, after, viewer, () => this.#readSnapshot(loaded, blocks));
      else
        await attachToRows(
          { store: this.#deps.store, limits: this.#deps.limits },
          watched,
          topic,
          after,
          viewer,
          blocks,
        );
    });
    return () => this.#deps.live.unwatch(topicId, viewer);
  }

  async #readSnapshot(live: LiveTopic, blocks?: number): Promise<Conversation> {
    const page = { limit: this.#deps.limits.snapshotMessages, blocks };
    const read = await live.snapshot(() => readPage(this.#deps.store.db, live.id, page));
    return cutToBlocks(read, blocks ?? this.#deps.limits.snapshotBlocks);
  }

  async #checkAssistant(owner: string, assistantId: string): Promise<void> {
    if (await getAssistant(this.#deps.store.db, owner, assistantId)) return;
    throw new CeriseError(
      'assistant_not_found',
      say('assistant-gone')`This assistant doesn't exist.`,
    );
  }

  async #checkMessage(live: LiveTopic, messageId: string): Promise<void> {
    const message = await getMessage(this.#deps.store.db, live.owner, messageId);
    if (message?.topicId === live.id) return;
    throw new CeriseError(
      'message_not_found',
      say('message-elsewhere')`This message isn't in this chat.`,
    );
  }
}

/** What a change comes to: pinned and archived exclude each other, and what was pinned before keeps its place. */
function toPatch(topic: Topic, change: TopicChange, now: number): TopicPatch {
  const { pinned, archived, ...patch } = change;
  return {
    ...patch,
    ...(patch.title !== undefined && { titled: true }),
    ...(pinned === true && { pinnedAt: topic.pinnedAt ?? now, archived: null }),
    ...(archived === true && { pinnedAt: null, archived }),
    ...(pinned === false && { pinnedAt: null }),
    ...(archived === false && { archived: null }),
  };
}

function stillRuns(): CeriseError {
  return new CeriseError(
    'conflict',
    say('part-being-written')`An answer in this part of the chat is still running.`,
    {
      hint: say('stop-it-first')`Stop it first.`,
    },
  );
}
