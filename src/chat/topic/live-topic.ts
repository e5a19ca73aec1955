import { setTimeout } from 'node:timers/promises';
import { fault } from '#shared/errors/fault.ts';
import type { EventBody } from '#shared/vocabulary/event.ts';
import type { Conversation, Message, Topic } from '#shared/vocabulary/message.ts';
import { isMessageOpen, isMessageRunning } from '#shared/vocabulary/message.ts';
import { reduceMessage } from '#shared/vocabulary/reduce.ts';
import { insertEvents } from '#store/conversations/events.ts';
import { LeaseLost, requireFence } from '#store/conversations/leases.ts';
import { finishMessage } from '#store/conversations/messages.ts';
import { setTopicSeq } from '#store/conversations/topics.ts';
import type { Db, Store } from '#store/database/store.ts';
import { EventTail } from './event-tail.ts';
import { ChangedMessages } from './changed-messages.ts';
import type { Journal, JournalBatch, JournalSource } from './journal.ts';
import { messageOf, type NumberedEvent, numberEvents, toJournalRows } from './numbered-event.ts';
import { topicNotFound } from './topic-not-found.ts';
import { TopicWrites } from './topic-writes.ts';
import type { Viewers } from './viewers.ts';

type EndEvent = Extract<EventBody, { type: 'message-end' }>;

/** Events together with the rows they belong to: both are committed, or neither. */
export interface Change {
  events: EventBody[];
  rows?(tx: Db): Promise<unknown>;
  /** What follows from it: called once, even if it was in doubt and its caller has given up. */
  committed?(): void;
  /**
   * True if the rows alone say all that the events say. The journal then need not keep them, except
   * where other hosts read it to show them.
   */
  inRows?: boolean;
}

/**
 * The single writer of one topic while somebody writes or watches it. It numbers events, keeps what
 * is not yet durable, and shows viewers each event once it is committed. State in here is exactly
 * the durable state, overlaid on the rows when a snapshot is read.
 */
export class LiveTopic implements JournalSource {
  readonly owner: string;
  topic: Topic;
  /** True once the topic is deleted: nothing may be written to it any longer. */
  isDeleted = false;
  /** True once another host writes it: nothing of what is written here counts any more. */
  isLost = false;
  /** The last durable event. */
  seq: number;
  readonly viewers: Viewers;
  readonly #fence: number | undefined;
  readonly #onLost: () => void;
  readonly #mayShow: () => boolean;
  /** The first event of each running answer: what came before all of them is in rows. */
  readonly #firstSeqs = new Map<string, number>();
  readonly #store: Store;
  readonly #journal: Journal;
  readonly #onChange: (topic: Topic) => void;
  readonly #messages = new ChangedMessages();
  readonly #tail: EventTail;
  readonly #writes = new TopicWrites({
    transaction: (rows, written) => this.#transaction(rows, written),
    requireHeld: () => this.#requireHeld(),
    beforeNext: () => this.#journalAgain(),
    onBehind: () => this.#journal.later(this),
  });
  #accepting: Promise<unknown> = Promise.resolve();
  /** True while the first of what is pending may be in the journal already. */
  #mayBeWritten = false;

  constructor(deps: {
    owner: string;
    topic: Topic;
    seq: number;
    store: Store;
    journal: Journal;
    viewers: Viewers;
    onChange: (topic: Topic) => void;
    /** Where topics are leased: the number every write is conditional on, and who hears of its loss. */
    fence?: number;
    /** Whether text may be shown before it is durable. */
    mayShow?: () => boolean;
    onLost?: () => void;
  }) {
    this.owner = deps.owner;
    this.topic = deps.topic;
    this.seq = deps.seq;
    this.#tail = new EventTail(deps.seq);
    this.#store = deps.store;
    this.#journal = deps.journal;
    this.viewers = deps.viewers;
    this.#onChange = deps.onChange;
    this.#fence = deps.fence;
    this.#mayShow = deps.mayShow ?? (() => true);
    this.#onLost = deps.onLost ?? (() => undefined);
  }

  get id(): string {
    return this.topic.id;
  }

  /** Resolves when nothing is being written and nothing waits to be. */
  async idle(): Promise<void> {
    while (!this.isLost && (this.#writes.isBusy || this.#writes.isBehind)) {
      await this.#journal.flush();
      await this.#writes.free();
      if (this.#writes.isBehind) await setTimeout(this.#journal.tick);
    }
  }

  /** The durable state of a message that changed since this topic became live. */
  message(messageId: string): Message | undefined {
    return this.#messages.get(messageId);
  }

  /** Holds a message that is about to change as its rows say it. */
  keep(message: Message): void {
    if (!this.#messages.get(message.id)) this.#messages.set(message);
  }

  /** Takes over an answer that an earlier process left unfinished, as its journal tells it. */
  adopt(message: Message, journal: { id: number; seq: number }[]): void {
    this.#messages.set(message);
    this.topic = { ...this.topic, isLoading: true };
    this.#firstSeqs.set(message.id, journal[0]?.seq ?? this.seq + 1);
    const ids = journal.map(({ id }) => id);
    if (!this.#isShared) this.#journal.wrote(message.id, ids);
  }

  /** Another host writes this topic: whatever waits here is not written any more. */
  lose(): void {
    if (this.isLost) return;
    this.isLost = true;
    this.#writes.drop();
    this.viewers.forgetProvisional();
    this.#onLost();
  }

  /** One after the other: what decides on the state of the topic and then changes it. */
  async serially<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#accepting.then(() => {
      if (this.isDeleted) throw topicNotFound();
      return work();
    });
    this.#accepting = result.catch(() => undefined);
    return result;
  }

  /** Reads rows and moves them on to exactly `seq` by what this topic knows of since. */
  async snapshot(
    read: () => Promise<Pick<Conversation, 'messages' | 'hasEarlier'>>,
  ): Promise<Conversation> {
    // What was streamed so far is made durable: a snapshot is not behind what others see.
    if (!this.#writes.pending.isEmpty) await this.#journal.flush();
    const readRows = async () => {
      const rows = await read();
      // They may hold what a write has committed that has not been heard to end: `seq` must too.
      await this.#writes.underWay();
      return rows;
    };
    return this.#messages.overlay(readRows, () => ({ topic: this.topic, seq: this.seq }));
  }

  /** Durable events after `seq` as `{seq, body}`, or undefined if they reach further back than kept. */
  eventsAfter(seq: number): { seq: number; body: string }[] | undefined {
    return this.#tail.after(seq);
  }

  /** Adds text to a block: shown to viewers within a frame, durable at the next tick. The hot path. */
  appendDelta(messageId: string, blockId: string, offset: number, text: string): void {
    if (this.isLost) return;
    if (this.#writes.pending.addText(messageId, blockId, offset, text)) this.#journal.later(this);
    if (this.#mayShow()) this.viewers.showText(messageId, blockId, offset, text);
  }

  /** Queues an event: durable at the end of this macrotask, or with the next tick. */
  append(event: EventBody, when: 'soon' | 'tick'): void {
    if (this.isLost) return;
    this.#writes.pending.add(event);
    if (when === 'soon') this.#journal.soon(this);
    else this.#journal.later(this);
  }

  get isBehind(): boolean {
    return !this.isLost && (this.#writes.isBehind || this.#writes.isBusy);
  }

  take(): JournalBatch | undefined {
    if (this.#writes.isBusy || this.isLost || !this.#writes.isBehind) return undefined;
    if (this.#writes.isInDoubt) {
      // Tried again with the next tick for as long as the database cannot say.
      void this.settled().catch(() => undefined);
      return undefined;
    }
    const unlock = this.#writes.lock();
    const taken = this.#writes.pending.take();
    const numbered = numberEvents(taken, this.seq);
    return {
      rows: toJournalRows(numbered, this.id, this.#fence),
      written: (ids) => {
        this.#journaled(numbered, ids);
        unlock();
      },
      failed: () => {
        this.#mayBeWritten = this.#isShared;
        this.#writes.pending.restore(taken);
        unlock();
      },
    };
  }

  /** Resolves when it is known what is durable; throws while the database cannot say. */
  async settled(): Promise<void> {
    await this.#writes.settled();
  }

  /** Durable (against power loss too) when it resolves; on failure nothing of `change` happened. */
  async commit(change: Change): Promise<void> {
    await this.#writes.write(async (taken) => {
      const before = numberEvents(taken, this.seq);
      const own = numberEvents(change.events, this.seq + before.length);
      const inRowsOnly = change.inRows && !this.#isShared;
      const journaled = inRowsOnly ? before : [...before, ...own];
      const last = this.seq + before.length + own.length;
      return {
        rows: async (tx) => {
          await change.rows?.(tx);
          if (change.inRows) await this.#setSeq(tx, last);
          return this.#insertEvents(tx, journaled);
        },
        written: () => this.#committed(before),
        committed: (ids) => {
          this.#remember(journaled, ids);
          this.#committed([...before, ...own]);
          change.committed?.();
        },
      };
    });
  }

  /**
   * Ends an answer: its events are folded into rows and leave the journal, in one transaction. What
   * waits to be written of another answer, while one that only queued is stopped, is journaled.
   */
  async finish(end: EndEvent, rows?: (tx: Db) => Promise<unknown>): Promise<Message> {
    const present = (): Message => {
      const message = this.#messages.get(end.messageId);
      if (message) return message;
      throw new Error(`answer ${end.messageId} is not live`);
    };
    let final: Message | undefined;
    await this.#writes.write(async (taken) => {
      if (!isMessageOpen(present())) return undefined;
      const numbered = numberEvents([...taken, end], this.seq);
      const ended = numbered.reduce(
        (message, { event }) =>
          messageOf(event) === message.id ? reduceMessage(message, event) : message,
        present(),
      );
      const others = numbered.filter(
        ({ event }) => this.#isShared || messageOf(event) !== ended.id,
      );
      const last = this.seq + numbered.length;
      final = ended;
      await fault('answer-ending');
      return {
        rows: async (tx) => {
          await finishMessage(tx, ended, { isFindable: !this.topic.unlisted });
          await rows?.(tx);
          await this.#setSeq(tx, last);
          return this.#insertEvents(tx, others);
        },
        written: () => this.#committed(numbered.slice(0, -1)),
        committed: (ids) => {
          this.#remember(others, ids);
          this.#firstSeqs.delete(ended.id);
          this.#committed(numbered);
          this.#journal.folded(ended.id, this.#isShared ? this.trimmable() : undefined);
          this.#messages.forgetFinished(ended.id);
        },
      };
    });
    return final ?? present();
  }

  /** What the journal has of this topic that rows say as well. */
  trimmable(): { topicId: string; seq: number } {
    const seq = Math.min(this.seq, ...this.#firstSeqs.values().map((n) => n - 1));
    return { topicId: this.id, seq };
  }

  /** Other hosts may read the journal, to show it or to take over. */
  get #isShared(): boolean {
    return this.#fence !== undefined;
  }

  async #transaction<T>(rows: (tx: Db) => Promise<T>, written: () => void): Promise<T> {
    const fence = this.#fence;
    const guarded = async (tx: Db): Promise<T> => {
      this.#requireHeld();
      if (fence !== undefined) await requireFence(tx, this.id, fence);
      return rows(tx);
    };
    try {
      return await this.#store.transaction(guarded, 'full', written);
    } catch (error) {
      if (error instanceof LeaseLost) this.lose();
      throw error;
    }
  }

  async #insertEvents(tx: Db, events: NumberedEvent[]): Promise<number[]> {
    if (events.length === 0) return [];
    return insertEvents(tx, toJournalRows(events, this.id, this.#fence));
  }

  #requireHeld(): void {
    if (this.isLost) throw new LeaseLost(this.id);
  }

  /** A journal write whose end was not heard is repeated first: nothing may come between. */
  async #journalAgain(): Promise<void> {
    if (!this.#mayBeWritten) return;
    const taken = this.#writes.pending.take();
    const numbered = numberEvents(taken, this.seq);
    try {
      const rows = toJournalRows(numbered, this.id, this.#fence);
      this.#journaled(numbered, await this.#store.appendEvents(rows, 'full'));
    } catch (error) {
      this.#writes.pending.restore(taken);
      throw error;
    }
  }

  #journaled(numbered: NumberedEvent[], ids: (number | undefined)[]): void {
    const present = ids.filter((id) => id !== undefined);
    if (present.length < numbered.length) return this.lose();
    this.#mayBeWritten = false;
    this.#remember(numbered, present);
    this.#committed(numbered);
  }

  /** Where nobody else reads the journal, it reaches back to what is not in rows, and no further. */
  async #setSeq(tx: Db, last: number): Promise<void> {
    const floor = this.#isShared ? {} : { floorSeq: last };
    await setTopicSeq(tx, this.id, { nextSeq: last + 1, ...floor });
  }

  #remember(events: NumberedEvent[], ids: number[]): void {
    for (const [index, { event, seq }] of events.entries()) {
      const messageId = messageOf(event);
      if (messageId === undefined) continue;
      if (!this.#isShared) this.#journal.wrote(messageId, ids.slice(index, index + 1));
      const begins = event.type === 'message-start' && isMessageRunning(event.message);
      if (begins || event.type === 'message-reopen') this.#firstSeqs.set(messageId, seq);
    }
  }

  /** Of a write, what came before it is told first, and all of it when it is durable. */
  #committed(all: NumberedEvent[]): void {
    const topic = this.topic;
    const events = all.filter(({ seq }) => seq > this.seq);
    for (const numbered of events) {
      this.seq = numbered.seq;
      const { event } = numbered;
      this.topic = this.#messages.apply(this.topic, { ...event, seq: numbered.seq });
      if (event.type === 'message-start' && isMessageRunning(event.message)) this.#tail.trim();
      this.#tail.push(numbered);
    }
    this.viewers.showEvents(events);
    if (this.topic !== topic) this.#onChange(this.topic);
  }
}
